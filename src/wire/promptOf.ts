import { asString, isRecord } from '../base/json.ts';

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part: unknown) => (isRecord(part) ? (asString(part.text) ?? []) : []));
  return texts.length > 0 ? texts.join('\n') : undefined;
}

/** The last thing that the person said in a model request. */
export function promptOf(body: unknown): string | undefined {
  const messages = isRecord(body) && Array.isArray(body.messages) ? body.messages : [];
  const last: unknown = messages.findLast((message: unknown) => isRecord(message) && message.role === 'user');
  return isRecord(last) ? textOf(last.content) : undefined;
}
