import type { HttpExchange, HttpListener, HttpRequest, HttpResponseHead } from '../base/httpExchange.ts';
import { HttpError } from '../base/httpExchange.ts';
import type { Authorization, AuthorizationChallenge } from './authorization.ts';

/** One server's challenges: requests that are refused together are answered by one sign-in. */
export class SharedChallenge {
  readonly #authorization: Authorization;
  readonly #onHold: (held: boolean) => void;
  #running: Promise<boolean> | undefined;
  #round = 0;

  constructor(authorization: Authorization, onHold: (held: boolean) => void) {
    this.#authorization = authorization;
    this.#onHold = onHold;
  }

  /** Grows with every sign-in that succeeded. */
  get round(): number {
    return this.#round;
  }

  headers(url: string): Promise<Readonly<Record<string, string>>> {
    return this.#authorization.headers(url);
  }

  /** `round` is the one in which the refused request was sent: if a sign-in has succeeded since, it is simply sent again. */
  answer(challenge: AuthorizationChallenge, round: number): Promise<boolean> {
    if (round !== this.#round) return Promise.resolve(true);
    return (this.#running ??= this.#ask(challenge));
  }

  async #ask(challenge: AuthorizationChallenge): Promise<boolean> {
    this.#onHold(true);
    try {
      const again = await this.#authorization.challenge(challenge);
      if (again) this.#round++;
      return again;
    } finally {
      this.#running = undefined;
      this.#onHold(false);
    }
  }
}

type Send = (request: HttpRequest, listener: HttpListener) => HttpExchange;

/** An exchange that carries authorization headers and, when it is refused for want of them, is repeated once after the sign-in. */
export class AuthorizedExchange implements HttpExchange {
  readonly #request: HttpRequest;
  readonly #listener: HttpListener;
  readonly #challenge: SharedChallenge;
  readonly #send: Send;
  #running: HttpExchange | undefined;
  #aborted = false;
  #repeated = false;

  constructor(request: HttpRequest, listener: HttpListener, challenge: SharedChallenge, send: Send) {
    this.#request = request;
    this.#listener = listener;
    this.#challenge = challenge;
    this.#send = send;
    void this.#start();
  }

  abort(): void {
    this.#aborted = true;
    this.#running?.abort();
  }

  async #start(): Promise<void> {
    try {
      const added = await this.#challenge.headers(this.#request.url);
      if (this.#aborted) return;
      const request = { ...this.#request, headers: { ...this.#request.headers, ...added } };
      this.#running = this.#send(request, this.#firstListener());
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Holds an answer back while it may be a challenge. */
  #firstListener(): HttpListener {
    const listener = this.#listener;
    const round = this.#challenge.round;
    let held: { head: HttpResponseHead; chunks: Uint8Array[] } | undefined;
    return {
      onResponse: (head) => {
        if (!this.#repeated && isChallenge(head)) held = { head, chunks: [] };
        else listener.onResponse(head);
      },
      onChunk: (chunk) => (held ? void held.chunks.push(chunk) : listener.onChunk(chunk)),
      onEnd: () => (held ? void this.#answer(held.head, held.chunks, round) : listener.onEnd()),
      onError: (error) => listener.onError(error),
    };
  }

  async #answer(head: HttpResponseHead, chunks: readonly Uint8Array[], round: number): Promise<void> {
    this.#repeated = true;
    try {
      const again = await this.#challenge.answer(challengeOf(head), round);
      if (this.#aborted) return;
      if (again) return await this.#start();
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
    const text = `signing in failed: ${error instanceof Error ? error.message : String(error)}`;
    this.#listener.onError(new HttpError('unreachable', text, { sent: false, cause: error }));
  }
}

/** 401 always; 403 only when it says what is missing. */
function isChallenge(head: HttpResponseHead): boolean {
  return head.status === 401 || (head.status === 403 && head.headers['www-authenticate'] !== undefined);
}

function challengeOf(head: HttpResponseHead): AuthorizationChallenge {
  const value = head.headers['www-authenticate'];
  const wwwAuthenticate = typeof value === 'string' || value === undefined ? value : value.join(', ');
  return { status: head.status === 403 ? 403 : 401, wwwAuthenticate, url: head.url };
}
