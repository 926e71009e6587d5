import { messageOf } from '../base/caught.ts';
import type { HttpExchange, HttpListener, HttpRequest, HttpResponseHead } from '../base/httpExchange.ts';
import { HttpError } from '../base/httpExchange.ts';
import type { AuthorizationChallenge, AuthorizationHeaders } from './authorization.ts';
import type { SharedChallenge } from './sharedChallenge.ts';

/** So many refusals of one request are answered: a sign-in, a nonce, a step-up. */
const MAX_CHALLENGES = 3;

type Send = (request: HttpRequest, listener: HttpListener) => HttpExchange;

/** An exchange that carries authorization headers and, when it is refused for want of them, is repeated after the sign-in. */
export class AuthorizedExchange implements HttpExchange {
  readonly #request: HttpRequest;
  readonly #listener: HttpListener;
  readonly #challenge: SharedChallenge;
  readonly #send: Send;
  #running: HttpExchange | undefined;
  #aborted = false;
  #refusals = 0;

  constructor(request: HttpRequest, listener: HttpListener, challenge: SharedChallenge, send: Send) {
    this.#request = request;
    this.#listener = listener;
    this.#challenge = challenge;
    this.#send = send;
    this.#start();
  }

  /** Undefined while the headers are awaited. */
  get exchange(): number | undefined {
    return this.#running?.exchange;
  }

  abort(): void {
    this.#aborted = true;
    this.#running?.abort();
  }

  #start(): void {
    const added = this.#challenge.headers(this.#request);
    if (!(added instanceof Promise)) return this.#sendWith(added);
    added.then(
      (headers) => this.#sendWith(headers),
      (error: unknown) => this.#fail(error),
    );
  }

  #sendWith(added: AuthorizationHeaders): void {
    if (this.#aborted) return;
    const request = { ...this.#request, headers: { ...this.#request.headers, ...added } };
    this.#running = this.#send(request, this.#holdingListener(added));
  }

  /** Holds an answer back while it may be a challenge. */
  #holdingListener(sent: AuthorizationHeaders): HttpListener {
    const listener = this.#listener;
    const round = this.#challenge.round;
    let held: { head: HttpResponseHead; chunks: Uint8Array[] } | undefined;
    return {
      onResponse: (head) => {
        const nonce = headerOf(head, 'dpop-nonce');
        if (nonce !== undefined) this.#challenge.onNonce(this.#request.url, nonce);
        if (this.#refusals < MAX_CHALLENGES && isChallenge(head)) held = { head, chunks: [] };
        else listener.onResponse(head);
      },
      onChunk: (chunk) => (held ? void held.chunks.push(chunk) : listener.onChunk(chunk)),
      onEnd: () => (held ? void this.#answer(held.head, held.chunks, sent, round) : listener.onEnd()),
      onError: (error) => listener.onError(error),
    };
  }

  async #answer(
    head: HttpResponseHead,
    chunks: readonly Uint8Array[],
    sent: AuthorizationHeaders,
    round: number,
  ): Promise<void> {
    this.#refusals++;
    try {
      const again = await this.#challenge.answer(challengeOf(head, this.#refusals, sent), round);
      if (this.#aborted) return;
      if (again) return this.#start();
      this.#listener.onResponse(head);
      for (const chunk of chunks) this.#listener.onChunk(chunk);
      this.#listener.onEnd();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#aborted) return;
    if (error instanceof HttpError) return this.#listener.onError(error);
    const text = `signing in failed: ${messageOf(error)}`;
    this.#listener.onError(new HttpError('unreachable', text, { sent: false, cause: error }));
  }
}

/** 401 always; 403 only when it says what is missing. */
function isChallenge(head: HttpResponseHead): boolean {
  return head.status === 401 || (head.status === 403 && head.headers['www-authenticate'] !== undefined);
}

function challengeOf(head: HttpResponseHead, attempt: number, sent: AuthorizationHeaders): AuthorizationChallenge {
  return {
    status: head.status === 403 ? 403 : 401,
    wwwAuthenticate: headerOf(head, 'www-authenticate'),
    url: head.url,
    attempt,
    sent,
    nonce: headerOf(head, 'dpop-nonce'),
  };
}

function headerOf(head: HttpResponseHead, name: string): string | undefined {
  const value = head.headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}
