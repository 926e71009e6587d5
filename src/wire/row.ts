import type { RequestSizes } from './wireEntry.ts';

/** What a row stands for. `line` is a line of a stdio server that is no message, `session` a connection from open to close. */
export type RowKind = 'http' | 'sse' | 'rpc' | 'model' | 'line' | 'session' | 'note';

/**
 * How it went:
 * `pending` no answer yet · `open` a stream that is open · `ok` · `info` nothing to go well or wrong · `closed` a stream that we closed ·
 * `error` a JSON-RPC error · `tool-error` a tool that says that it failed · `http-error` a status from 400 on · `stream-error` an error
 * told inside a stream · `failed` no connection · `lost` the link broke before the answer · `incomplete` it ended in the middle ·
 * `timeout` no answer in time · `cancelled` our side gave up · `no-reply` the session ended without an answer ·
 * `orphan` an answer that nobody asked for · `warning` a note that somebody should read.
 */
export type RowState =
  | 'pending'
  | 'open'
  | 'ok'
  | 'info'
  | 'closed'
  | 'error'
  | 'tool-error'
  | 'http-error'
  | 'stream-error'
  | 'failed'
  | 'lost'
  | 'incomplete'
  | 'timeout'
  | 'cancelled'
  | 'no-reply'
  | 'orphan'
  | 'warning';

const faults: ReadonlySet<RowState> = new Set([
  'error',
  'tool-error',
  'http-error',
  'stream-error',
  'failed',
  'lost',
  'incomplete',
  'timeout',
  'no-reply',
  'orphan',
]);

/** True for a row that somebody who looks for a fault wants to see. A cancelled call is none. */
export function isFault(row: { readonly state: RowState }): boolean {
  return faults.has(row.state);
}

/**
 * What another row is to this one: `carrier` the exchange or event that carried the question, `answer` that which carried the answer,
 * `message` what this one carried, `stream` the exchange of an event, `asked-by` the model request that asked for a call, `call` a call
 * that it asked for, `progress` a notification about it, `about` what a notification is about, `redirect` the exchange that sent it here.
 */
export type LinkRole =
  | 'carrier'
  | 'answer'
  | 'message'
  | 'stream'
  | 'asked-by'
  | 'call'
  | 'progress'
  | 'about'
  | 'redirect';

/** A tie to another row. */
export interface RowLink {
  readonly role: LinkRole;
  readonly key: string;
}

/** Status of a request that was sent to find out which transport a server speaks, and was then sent again on the right one. */
export const PROBE = 'probe';

/** One row of the list. Times are milliseconds since 1970, sizes bytes. */
export interface Row {
  readonly key: string;
  /** Counts all rows from 1, hidden ones too. */
  readonly number: number;
  readonly kind: RowKind;
  readonly direction: 'out' | 'in' | 'both' | 'none';
  readonly connection: string;
  readonly server: string;
  readonly peer: 'mcp' | 'model' | 'authorization';
  readonly at: number;
  /** Absent while it lasts. */
  readonly end?: number;
  readonly what: string;
  readonly method?: string;
  readonly state: RowState;
  /** What was answered: a status, a code, a finish reason. */
  readonly status: string;
  readonly up: number;
  readonly down: number;
  readonly links: readonly RowLink[];
  /** Events of a stream so far. */
  readonly frames?: number;
  readonly stream?: true;
  /** A JSON-RPC id as JSON, so that 1 and "1" differ. */
  readonly id?: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly model?: string;
  readonly turn?: string;
  readonly step?: number;
  /** No exchange of ours stands behind it: nothing of HTTP is known, sizes are of the parts as given. */
  readonly logical?: true;
  readonly sizes?: RequestSizes;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly maxInputTokens?: number;
  readonly calls?: readonly string[];
  /** The beginning of what the person asked, and of what the model answered. */
  readonly prompt?: string;
  readonly answer?: string;
  readonly pinned?: true;
  readonly note?: string;
  readonly replayOf?: string;
  /** A child of the server's process, a stderr line … */
  readonly source?: 'stdout' | 'stdin' | 'stderr';
}

/** The key of the row that a message makes. */
export function messageKey(seq: number): string {
  return `r${seq}`;
}
