import type { ModelPart } from './chatModel.ts';

/** What a person reads of the parts of a result or resource: texts, and the type of what is none. */
export function partsText(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : `[${part.mimeType}]`)).join('\n');
}
