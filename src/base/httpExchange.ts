import type { ClientRequest, IncomingMessage } from 'node:http';
import { HttpConnections, type HttpTarget } from './httpConnections.ts';
import { bodyDecoder } from './httpBody.ts';
import { HttpError } from './httpContract.ts';
import type { HttpExchange, HttpListener, HttpOptions, HttpRequest, HttpSend } from './httpContract.ts';
import { explainHttpFailure } from './httpFailure.ts';
import { judgeRedirect } from './httpRedirect.ts';
import { certificateText, watchCertificate } from './peerCertificate.ts';

export * from './httpContract.ts';

const MAX_REDIRECTS = 5;
/** The body of a refusal (4xx, 5xx) is taken as it stands after so many milliseconds or bytes, whether it has ended or not. */
const REFUSAL_WAIT_MS = 2000;
const REFUSAL_BYTES = 256 * 1024;

let lastExchange = 0;

/**
 * One HTTP exchange on node:http(s), redirects and all. There is no limit on silence: who waits sets the limit and aborts.
 * A request whose kept connection turns out to be dead before a byte of the answer is sent once more on a new one, but only
 * when that cannot make anything happen twice.
 */
class Exchange implements HttpExchange {
  readonly #connections: HttpConnections;
  readonly #listener: HttpListener;
  readonly #options: HttpOptions;
  #request: HttpRequest;
  #target: HttpTarget;
  #running: ClientRequest | undefined;
  #exchange = 0;
  #hops = 0;
  #retried = false;
  #answered = false;
  #over = false;

  constructor(connections: HttpConnections, request: HttpRequest, listener: HttpListener, options: HttpOptions) {
    this.#connections = connections;
    this.#listener = listener;
    this.#options = options;
    this.#request = request;
    this.#target = this.#connections.target(request.url);
    this.#send();
  }

  get exchange(): number {
    return this.#exchange;
  }

  abort(): void {
    if (this.#over) return;
    this.#finish('aborted');
    this.#running?.destroy();
  }

  #send(redirectOf?: number): void {
    const { method, body } = this.#request;
    const headers = body === undefined ? this.#request.headers : withLength(this.#request.headers, body);
    this.#exchange = ++lastExchange;
    this.#tellRequest(headers, redirectOf);
    const running = this.#open(method, headers);
    if (!running) return;
    this.#running = running;
    if (this.#target.url.protocol === 'https:') watchCertificate(running);
    running.on('error', (error) => this.#onRequestError(running, error));
    running.on('response', (response) => this.#onResponse(response));
    running.end(body);
  }

  /** node:http throws for a header or address that cannot be sent; that is told like any other failure, a moment later. */
  #open(method: string, headers: HttpRequest['headers']): ClientRequest | undefined {
    try {
      return this.#connections.open(this.#target, method, headers);
    } catch (error) {
      const failure = error instanceof HttpError ? error : explainHttpFailure(error, this.#target.url);
      queueMicrotask(() => {
        if (!this.#over) this.#fail(failure);
      });
      return undefined;
    }
  }

  #onRequestError(running: ClientRequest, error: Error): void {
    if (this.#over || running !== this.#running) return;
    const failure = explainHttpFailure(error, this.#target.url, certificateText(running));
    if (running.reusedSocket && !this.#answered && !this.#retried && this.#mayRepeat(failure)) {
      this.#retried = true;
      this.#tellEnd('error', failure.message);
      return this.#send();
    }
    this.#fail(this.#answered ? asSent(failure) : failure);
  }

  #mayRepeat(failure: HttpError): boolean {
    if (this.#connections.isClosed) return false;
    return this.#request.method !== 'POST' || this.#request.repeatable === true || !failure.sent;
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#over) return;
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
    const exchange = this.#exchange;
    const { tap, source } = this.#options;
    tap?.({ ...source, kind: 'http-response', exchange, status, statusText, headers });
    this.#answered = true;
    if (status >= 300 && status < 400 && this.#redirect(response, status)) return;
    this.#readBody(response);
    if (status >= 400) this.#boundRefusal(response);
    this.#listener.onResponse({ status, statusText, headers, url: this.#request.url, exchange });
  }

  /** True when the answer is dealt with. */
  #redirect(response: IncomingMessage, status: number): boolean {
    const { location } = response.headers;
    const verdict = judgeRedirect(this.#request, { status, location }, this.#options.credentialHeaders ?? []);
    if (verdict.kind === 'none') return false;
    response.resume();
    response.on('error', () => undefined);
    const limit = this.#options.maxRedirects ?? MAX_REDIRECTS;
    if (verdict.kind === 'refuse') this.#refuseRedirect(verdict.reason);
    else if (this.#hops >= limit) this.#refuseRedirect(`more than ${limit} times`);
    else this.#follow(verdict.request);
    return true;
  }

  #refuseRedirect(reason: string): void {
    const text = `${this.#target.url.host} redirects ${reason}`;
    const running = this.#running;
    this.#fail(new HttpError('redirect', text, { sent: false }));
    running?.destroy();
  }

  #follow(request: HttpRequest): void {
    this.#hops++;
    this.#request = request;
    this.#target = this.#connections.target(request.url);
    this.#tellEnd('complete');
    this.#send(this.#exchange);
  }

  #readBody(response: IncomingMessage): void {
    const decoder = bodyDecoder(response.headers['content-encoding']);
    const body = decoder ? response.pipe(decoder) : response;
    body.on('data', (chunk: Uint8Array) => {
      if (!this.#over) this.#listener.onChunk(chunk);
    });
    body.on('end', () => this.#onEnd());
    body.on('error', (error: Error) => this.#onBodyError(error));
    if (decoder) response.on('error', (error) => this.#onBodyError(error));
  }

  /** Nobody waits for the end of what a refusal says: it may never come. */
  #boundRefusal(response: IncomingMessage): void {
    const running = this.#running;
    const cut = (): void => {
      this.#onEnd();
      running?.destroy();
    };
    const timer = setTimeout(cut, REFUSAL_WAIT_MS);
    timer.unref();
    let bytes = 0;
    response.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > REFUSAL_BYTES) cut();
    });
    response.once('close', () => clearTimeout(timer));
  }

  #onEnd(): void {
    if (this.#over) return;
    this.#finish('complete');
    this.#listener.onEnd();
  }

  #onBodyError(error: Error): void {
    if (this.#over) return;
    const running = this.#running;
    this.#fail(asSent(explainHttpFailure(error, this.#target.url)));
    running?.destroy();
  }

  #fail(error: HttpError): void {
    this.#finish('error', error.message);
    this.#listener.onError(error);
  }

  #finish(outcome: 'complete' | 'aborted' | 'error', error?: string): void {
    this.#over = true;
    this.#tellEnd(outcome, error);
  }

  #tellRequest(headers: HttpRequest['headers'], redirectOf: number | undefined): void {
    const { tap, source } = this.#options;
    if (!tap) return;
    const { method, url, body } = this.#request;
    tap({ ...source, kind: 'http-request', exchange: this.#exchange, method, url, headers, body, redirectOf });
  }

  #tellEnd(outcome: 'complete' | 'aborted' | 'error', error?: string): void {
    const { tap, source } = this.#options;
    tap?.({ ...source, kind: 'http-end', exchange: this.#exchange, outcome, error });
  }
}

/** A failure after the answer had begun. */
function asSent(failure: HttpError): HttpError {
  return failure.sent ? failure : new HttpError('broken', failure.message, { sent: true, cause: failure.cause });
}

function withLength(headers: HttpRequest['headers'], body: string): Record<string, string> {
  return { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
}

/** {@link HttpSend} on connections of one's own. */
export function httpSendOn(connections: HttpConnections): HttpSend {
  return (request, listener, options) => new Exchange(connections, request, listener, options);
}

/** {@link HttpSend} on connections shared by the whole process. */
export const httpExchange: HttpSend = httpSendOn(new HttpConnections());
