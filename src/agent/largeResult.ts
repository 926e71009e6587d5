import type { ChatModel, ModelPart } from '../model/chatModel.ts';
import type { ToolPart } from '../tools/tool.ts';
import type { ResultStore } from './resultStore.ts';

/** Of the characters that are shown, the share at the start; the rest is from the end. */
const headShare = 0.7;

/** Characters of one result that a model is shown. One for which nothing costs anything is shown as much as it can read. */
export function resultLimit({ maxInputTokens, maxTools }: ChatModel): number {
  if (maxTools === Infinity) return maxInputTokens;
  return Math.round(Math.min(40_000, Math.max(2000, maxInputTokens * 0.6)));
}

/** A result as a model is shown it: whole up to `limit` characters, else start, end and size, with the whole kept to read on in. */
export function fitResult(
  callId: string,
  parts: readonly ToolPart[],
  limit: number,
  store: ResultStore,
): readonly ModelPart[] {
  const text = textOf(parts);
  if (text.length <= limit) return parts;
  store.keep(callId, text);
  return [{ kind: 'text', text: cutText(callId, text, limit) }, ...parts.filter(({ kind }) => kind === 'image')];
}

/** All text of a result. */
export function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

/** Start and end of a text, with what lies between named: its size, and how to read it. At most some 300 characters over `limit`. */
export function cutText(callId: string, text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = lineEndBefore(text, Math.round(limit * headShare));
  const start = text.length - Math.round(limit * (1 - headShare));
  const id = JSON.stringify(callId);
  const left = `Characters ${end} to ${start} of ${text.length} (${lineCount(text)} lines in all) are left out here.`;
  const how = `To see them call read_result with {"call_id":${id},"offset":${end}}, or search with {"call_id":${id},"find":"…"}.`;
  return `${text.slice(0, end)}\n[… ${left} ${how} …]\n${text.slice(safeStart(text, start))}`;
}

/** The last line end in the fifth before `at`, so that no line is cut where that costs little; never inside a character. */
function lineEndBefore(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at);
  return end > at * 0.8 ? end : safeStart(text, at);
}

/** `at`, or one less where that would cut a character in two. */
export function safeStart(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

function lineCount(text: string): number {
  return text.split('\n').length;
}
