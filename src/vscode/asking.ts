/** A server that asks something: how people know it, and what tells it from others of that name. */
export interface Asking {
  readonly server: string;
  readonly key: string;
  readonly signal: AbortSignal;
}
