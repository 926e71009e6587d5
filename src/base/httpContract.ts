import type { Tap, TapSource } from './tap.ts';

/** One HTTP request. `body` is sent as UTF-8 with its length. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** May be sent again when a kept connection turns out to be dead. GET and DELETE always may. */
  readonly repeatable?: boolean;
}

/** The final response's head (redirects are followed before). Header names are lower-case. */
export interface HttpResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** The tap's number of this exchange. */
  readonly exchange: number;
}

/** Told in order: one `onResponse`, any `onChunk`, one `onEnd`; or one `onError` at any point instead of the rest. Nothing comes after `abort()`. */
export interface HttpListener {
  onResponse(head: HttpResponseHead): void;
  /** Decompressed bytes. */
  onChunk(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: HttpError): void;
}

/** Why an exchange failed. `sent` is false when the request certainly never reached the peer, or not as a whole. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: 'unreachable' | 'certificate' | 'redirect' | 'broken' | 'timeout';
  readonly sent: boolean;

  constructor(code: HttpError['code'], message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.sent = options.sent;
  }
}

/** What goes for all exchanges of one client. */
export interface HttpOptions {
  /** Tells the wire record; `source` tags the facts. */
  readonly tap?: Tap;
  readonly source: TapSource;
  /** Headers that must not follow a redirect to another origin, besides Authorization, Cookie, Proxy-Authorization and Mcp-Session-Id. */
  readonly credentialHeaders?: readonly string[];
  readonly maxRedirects?: number;
}

/** A running exchange. */
export interface HttpExchange {
  /** The tap's number of this exchange, or of the last one in a row of redirects. */
  readonly exchange?: number;
  /** Ends it without a word to the listener. */
  abort(): void;
}

/** Begins one exchange and returns it; everything else is told to the listener. Never throws. */
export type HttpSend = (request: HttpRequest, listener: HttpListener, options: HttpOptions) => HttpExchange;
