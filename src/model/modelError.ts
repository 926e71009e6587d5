/**
 * Why a model request failed:
 * `unreachable` no connection · `unauthorized` 401/403 · `not-found` no such model or path · `rate-limit` 429 · `server` 5xx ·
 * `rejected` another 4xx: the endpoint refuses the request · `too-large` beyond the model's window · `no-tools` the model cannot call tools ·
 * `timeout` no (further) piece in time · `stream` the stream broke or carried an error · `empty` nothing came · `cancelled` our side gave up.
 */
export type ModelErrorCode =
  | 'unreachable'
  | 'unauthorized'
  | 'not-found'
  | 'rate-limit'
  | 'server'
  | 'rejected'
  | 'too-large'
  | 'no-tools'
  | 'timeout'
  | 'stream'
  | 'empty'
  | 'cancelled';

/** A model request failed. The message names the endpoint, the cause and what to do. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly status: number | undefined;

  constructor(code: ModelErrorCode, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }
}
