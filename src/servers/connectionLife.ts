import type { Disposable } from '../base/disposables.ts';
import type { Client } from '../mcp/client.ts';
import type { Tool } from '../mcp/schema.ts';
import type { SessionWatch } from './sessionWatch.ts';

/** Nothing runs, and nothing will by itself. */
export interface Stopped {
  readonly kind: 'stopped';
}
/** A session is being opened; `error` is why the last attempt failed. */
export interface Connecting {
  readonly kind: 'connecting';
  readonly attempt: number;
  readonly error?: Error;
  readonly abort: AbortController;
}
/** There is a session, and its tools are listed. */
export interface Ready {
  readonly kind: 'ready';
  readonly client: Client;
  readonly tools: readonly Tool[];
  readonly since: number;
  readonly watch: SessionWatch;
  readonly subscriptions: Disposable;
}
/** There is no session; with `retryAt` (milliseconds since 1970) it is tried again by itself. */
export interface Failed {
  readonly kind: 'failed';
  readonly error: Error;
  readonly retryAt?: number;
  /** Another attempt costs little and may well help. */
  readonly isWorthAnother: boolean;
  readonly callOff?: () => void;
}
/** What a connection is at, with what it holds there: the inner side of `ServerState`. */
export type Life = Stopped | Connecting | Ready | Failed;
