import { BodyCollector } from '../../base/httpBody.ts';
import { HttpConnections } from '../../base/httpConnections.ts';
import {
  HttpError,
  httpSendOn,
  type HttpExchange,
  type HttpRequest,
  type HttpResponseHead,
} from '../../base/httpExchange.ts';
import type { Tap } from '../../base/tap.ts';
import { trustedCertificates } from '../trustedCertificates.ts';

/** So long, in milliseconds, an authorization server may take. */
const LIMIT_MS = 30_000;
const BODY_LIMIT = 1024 * 1024;

/** For which server the requests are, and who is told of them. */
export interface OauthFetchOptions {
  readonly server: string;
  readonly ca?: readonly string[];
  readonly tap?: Tap;
  readonly signal?: AbortSignal;
}

let lastConnection = 0;

/** What `fetch` is asked for in a sign-in. */
export interface OauthRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The `fetch` of a sign-in, on the same node:http as everything else: the person's proxy and certificates hold, and the record
 * shows it. Redirects are followed for GET only. Rejects with an {@link HttpError}.
 */
export class OauthFetch {
  readonly #options: OauthFetchOptions;
  readonly #connections: HttpConnections;
  readonly #connection = `oauth-${++lastConnection}`;

  constructor(options: OauthFetchOptions) {
    this.#options = options;
    this.#connections = new HttpConnections(options.ca ? { ca: trustedCertificates(options.ca) } : {});
  }

  request(url: string, request: OauthRequest): Promise<Response> {
    const { signal } = this.#options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal));
      const collecting = new Collecting(resolve, reject);
      const exchange = this.#send({ url, ...request }, collecting);
      const onAbort = (): void => collecting.giveUp(exchange, cancelled(signal));
      const timer = setTimeout(() => collecting.giveUp(exchange, tooLate(url)), LIMIT_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      collecting.onOver = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
    });
  }

  /** Ends kept connections. */
  close(): void {
    this.#connections.close();
  }

  #send(request: HttpRequest, collecting: Collecting): HttpExchange {
    const { server, tap } = this.#options;
    const source = { connection: this.#connection, server, peer: 'authorization' } as const;
    collecting.tellBody = (head, text, bytes) =>
      tap?.({ ...source, kind: 'http-body', exchange: head.exchange, text, bytes });
    const maxRedirects = request.method === 'GET' ? 3 : 0;
    const headers = { 'User-Agent': 'mcp-agent', ...request.headers };
    return httpSendOn(this.#connections)({ ...request, headers }, collecting, { tap, source, maxRedirects });
  }
}

/** Makes a Response of an exchange. */
class Collecting {
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  readonly #body = new BodyCollector(BODY_LIMIT);
  #head: HttpResponseHead | undefined;
  onOver: () => void = () => undefined;
  tellBody: (head: HttpResponseHead, text: string, bytes: number) => void = () => undefined;

  constructor(resolve: (response: Response) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onResponse(head: HttpResponseHead): void {
    this.#head = head;
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#body.bytes + chunk.byteLength <= BODY_LIMIT) this.#body.add(chunk);
  }

  onEnd(): void {
    const head = this.#head;
    if (!head) return;
    const text = this.#body.text();
    this.tellBody(head, text, this.#body.bytes);
    this.onOver();
    this.#resolve(
      new Response(hasNoBody(head.status) ? null : text, { status: head.status, headers: headersOf(head) }),
    );
  }

  onError(error: HttpError): void {
    this.onOver();
    this.#reject(error);
  }

  giveUp(exchange: HttpExchange, error: HttpError): void {
    exchange.abort();
    this.onError(error);
  }
}

/** Statuses for which `Response` takes no body. */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The body is decoded already. */
function headersOf(head: HttpResponseHead): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(head.headers)) {
    if (value === undefined || name === 'content-encoding' || name === 'content-length') continue;
    for (const one of typeof value === 'string' ? [value] : value) headers.append(name, one);
  }
  return headers;
}

function cancelled(signal: AbortSignal | undefined): HttpError {
  return new HttpError('timeout', 'the sign-in was cancelled', { sent: false, cause: signal?.reason });
}

function tooLate(url: string): HttpError {
  const text = `${new URL(url).host} did not answer within ${LIMIT_MS / 1000} s`;
  return new HttpError('timeout', text, { sent: true });
}
