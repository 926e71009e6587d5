import { isRecord, parseJson, type JsonObject } from '../base/json.ts';
import { messageKey, type Row } from './row.ts';
import { MARK_PATTERN } from './secretMarks.ts';
import type { RpcId, WireBody, WireEntry } from './wireEntry.ts';

/** What a call needs to be made again, or why it cannot be: its arguments were not kept whole, or held secrets that were not kept. */
export type Replay =
  | { readonly kind: 'call'; readonly server: string; readonly tool: string; readonly arguments: JsonObject }
  | { readonly kind: 'cut' }
  | { readonly kind: 'secret' };

/** Reads the call that a row shows out of the message that carried it; undefined for a row that is no call of a tool of ours. */
export function replayOf(row: Row, sent: WireBody | undefined): Replay | undefined {
  const { server, tool } = row;
  if (row.kind !== 'rpc' || row.direction !== 'out' || row.method !== 'tools/call' || tool === undefined)
    return undefined;
  const args = sent === undefined || sent.cut || sent.omitted ? undefined : argumentsOf(row, sent.text);
  if (args === undefined) return { kind: 'cut' };
  if (JSON.stringify(args).match(MARK_PATTERN)) return { kind: 'secret' };
  return { kind: 'call', server, tool, arguments: args };
}

/** A body may hold several messages: that with the row's id is meant. */
function argumentsOf(row: Row, text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  const messages: readonly unknown[] = !parsed.ok ? [] : Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  const message = messages.find((one) => isRecord(one) && JSON.stringify(one.id) === row.id);
  if (!isRecord(message)) return undefined;
  const args = isRecord(message.params) ? message.params.arguments : undefined;
  return isRecord(args) ? args : {};
}

/** The key of the row that the latest request of ours with this id at this server makes. */
export function keyOfRequest(entries: readonly WireEntry[], server: string, id: RpcId): string | undefined {
  const entry = entries.findLast(
    (each) =>
      each.kind === 'message' &&
      each.direction === 'out' &&
      each.server === server &&
      each.head.kind === 'request' &&
      each.head.id === id,
  );
  return entry && messageKey(entry.seq);
}
