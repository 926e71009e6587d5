import type { Client } from '../mcp/client.ts';
import type { Tool } from '../mcp/schema.ts';

/**
 * What a server is at: each member carries only what is valid in it.
 * `connecting.error` is what the attempt before ended with, so that it can be shown until the server is ready again.
 * `failed.retryAt` is in milliseconds since the epoch; absent, only the person can help.
 */
export type ServerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'connecting'; readonly attempt: number; readonly error?: Error }
  | { readonly kind: 'ready'; readonly client: Client; readonly tools: readonly Tool[] }
  | { readonly kind: 'failed'; readonly error: Error; readonly retryAt?: number };

/** The error to show beside a state, if any. */
export function errorOf(state: ServerState): Error | undefined {
  return state.kind === 'failed' || state.kind === 'connecting' ? state.error : undefined;
}

/** The state to show: a server that is tried again by itself now and then has failed until that succeeds. */
export function shownKind(state: ServerState): ServerState['kind'] {
  return state.kind === 'connecting' && state.error !== undefined && state.attempt > 1 ? 'failed' : state.kind;
}
