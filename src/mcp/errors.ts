/** The peer answered a request with a JSON-RPC error object. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Why the wire broke:
 * `unreachable` no connection (refused, DNS, proxy, TLS other than the certificate) · `certificate` the peer's certificate is not trusted ·
 * `http-status` an HTTP status that refuses the request (`status` holds it) · `unauthorized` 401 · `forbidden` 403 ·
 * `session-lost` the server has forgotten the session · `closed` the stream or process ended · `timeout` no answer in time ·
 * `cancelled` our side gave up · `too-large` a message beyond the cap · `redirect` a redirect that must not be followed ·
 * `process` a stdio server could not be started.
 */
export type TransportErrorCode =
  | 'unreachable'
  | 'certificate'
  | 'http-status'
  | 'unauthorized'
  | 'forbidden'
  | 'session-lost'
  | 'closed'
  | 'timeout'
  | 'cancelled'
  | 'too-large'
  | 'redirect'
  | 'process';

/** The wire broke. `mayHaveRun` is true when the request had left and the server may have acted on it. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;
  readonly status: number | undefined;
  readonly mayHaveRun: boolean;
  /** The value of the `Retry-After` header in milliseconds, where there was one. */
  readonly retryAfterMs: number | undefined;
  /** The beginning of the body of an HTTP answer that refused the request, where there was one. */
  readonly body: string | undefined;

  constructor(
    code: TransportErrorCode,
    message: string,
    options: { status?: number; mayHaveRun?: boolean; retryAfterMs?: number; body?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.mayHaveRun = options.mayHaveRun ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.body = options.body;
  }
}

/** `version` no common revision · `message` a message that breaks the rules · `endpoint` a bad or missing endpoint event · `result` a result of the wrong shape. */
export type ProtocolErrorCode = 'version' | 'message' | 'endpoint' | 'result';

/** The peer broke the rules of the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
