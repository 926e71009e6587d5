import { isRecord } from '../base/json.ts';
import type { ToolPart } from './tool.ts';

/** Beyond so many values it is taken for granted that the text tells them. */
const mostValues = 5000;

/**
 * True when the text of `parts` already tells every value of `structured`: servers are to send both forms (MCP "Structured Content"), and a
 * model need not read the same twice.
 */
export function isTold(structured: unknown, parts: readonly ToolPart[]): boolean {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
  if (text === '') return false;
  const values: string[] = [];
  collect(structured, values);
  return values.length > 0 && values.every((value) => text.includes(value));
}

/** The strings and numbers in `value`; strings as they stand in JSON text or plain. */
function collect(value: unknown, into: string[]): void {
  if (into.length >= mostValues) return;
  if (typeof value === 'number') into.push(String(value));
  else if (typeof value === 'string') into.push(longestLine(value));
  else if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (isRecord(value)) for (const item of Object.values(value)) collect(item, into);
}

/** The longest run without what JSON escapes, so that it is found in either form. */
function longestLine(value: string): string {
  return value.split(/["\\\p{Cc}]/u).reduce((best, run) => (run.length > best.length ? run : best), '');
}
