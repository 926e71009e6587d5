import type { Clock } from '../base/clock.ts';
import type { HttpExchange, HttpResponseHead } from '../base/httpExchange.ts';
import { parseJson } from '../base/json.ts';
import { SweepTimer } from '../base/sweepTimer.ts';
import { ProtocolError, TransportError } from './errors.ts';
import { EventStreamGet } from './eventStreamGet.ts';
import { HttpPost } from './httpPost.ts';
import { isSuccess } from './httpRefusal.ts';
import type { HttpWire } from './httpWire.ts';
import {
  isRepeatable,
  isRequestMessage,
  nameOf,
  readIncoming,
  type JsonRpcMessage,
  type RequestId,
} from './jsonrpc.ts';
import type { Transport, TransportListener } from './transport.ts';

/** A stream that stays open after it has brought the answer is ended after so many milliseconds. */
const LINGER_MS = 5000;
/** How long `close` waits for the server to take note of the end of the session, in milliseconds. */
const DELETE_LIMIT_MS = 1000;

/** What the first answer proves about the way a server speaks. */
export type Proof = 'streamable' | 'legacy';

export interface HttpTransportOptions {
  readonly clock: Clock;
  /** Told at most once, as soon as an answer to `initialize` is conclusive. */
  readonly onProof?: (proof: Proof) => void;
}

/**
 * Streamable HTTP of the revisions with a session (2025-03-26, 2025-06-18, 2025-11-25): each message is a POST of its own, its
 * answer JSON or an event stream; a GET stream in the background brings what the server says unasked.
 */
export class HttpTransport implements Transport {
  readonly kind = 'http';
  readonly #wire: HttpWire;
  readonly #server: string;
  readonly #clock: Clock;
  readonly #posts = new Map<RequestId, HttpPost>();
  readonly #lingering = new Map<HttpExchange, number>();
  readonly #lingerTimer: SweepTimer;
  #onProof: ((proof: Proof) => void) | undefined;
  #url: string;
  #session: string | undefined;
  #version: string | undefined;
  #headers: Readonly<Record<string, string>> | undefined;
  #listener: TransportListener | undefined;
  #listening: EventStreamGet | undefined;
  #isListening = false;
  #closed = false;

  constructor(wire: HttpWire, options: HttpTransportOptions) {
    this.#wire = wire;
    this.#server = wire.context.server;
    this.#clock = options.clock;
    this.#onProof = options.onProof;
    this.#url = wire.url;
    this.#lingerTimer = new SweepTimer(options.clock, (now) => this.#endLingering(now));
  }

  /** The id of the session, where the server gave one. */
  get session(): string | undefined {
    return this.#session;
  }

  start(listener: TransportListener): Promise<void> {
    this.#listener = listener;
    this.#wire.holdFor(listener);
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    if ('method' in message && message.method === 'initialize') this.#forget();
    return new Promise((resolve, reject) => {
      this.#post(message, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  abandon(id: RequestId): void {
    this.#posts.get(id)?.abort();
    this.#posts.delete(id);
  }

  agreed(protocolVersion: string): void {
    this.#version = protocolVersion;
    this.#headers = undefined;
  }

  /** Opens the listening stream, whose refusal costs nothing. */
  ready(): void {
    const session = this.#session;
    const listening = new EventStreamGet({
      server: this.#server,
      clock: this.#clock,
      position: { lastEventId: undefined, retryMs: undefined },
      open: (lastEventId, listener) => this.#openGet(lastEventId, listener),
      onEvent: (event, exchange) => {
        this.#isListening = true;
        this.#wire.tellEvent(exchange, event);
        const isMessage = event.event === undefined || event.event === 'message';
        if (isMessage && event.data !== '') this.#receiveText(event.data, exchange);
      },
      onRefused: (error) => this.#onListeningRefused(error, session),
      onTrouble: (error) => this.#wire.context.note('debug', error.message),
    });
    this.#listening?.stop();
    this.#listening = listening;
    listening.open();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#listening?.stop();
    this.#lingerTimer.stop();
    for (const exchange of this.#lingering.keys()) exchange.abort();
    for (const post of this.#posts.values()) post.abort();
    this.#posts.clear();
    if (this.#session !== undefined) await this.#delete(this.#session);
  }

  #post(message: JsonRpcMessage, settle: (error?: Error) => void): void {
    const id = isRequestMessage(message) ? message.id : undefined;
    const isInitialize = id !== undefined && nameOf(message) === 'initialize';
    const session = this.#session;
    const post = new HttpPost({
      server: this.#server,
      clock: this.#clock,
      what: nameOf(message),
      id,
      inSession: session !== undefined,
      mayAnswerElsewhere: this.#isListening,
      onHead: (head) => this.#onHead(head, isInitialize),
      onMessage: (value, text, exchange) => this.#receive(value, text, exchange),
      onBody: (text, bytes, exchange) => this.#wire.tellBody(exchange, text, bytes),
      onEvent: (event, exchange) => this.#wire.tellEvent(exchange, event),
      onEndpointEvent: () => this.#onEndpointEvent(post, settle),
      note: (text) => this.#wire.context.note('debug', text),
      resume: (lastEventId, listener) => this.#openGet(lastEventId, listener),
      linger: (exchange) => this.#linger(exchange),
      ended: (exchange) => void this.#lingering.delete(exchange),
      settle: (error) => {
        if (id !== undefined) this.#posts.delete(id);
        settle(error);
      },
    });
    if (id !== undefined) this.#posts.set(id, post);
    const body = JSON.stringify(message);
    const headers = (this.#headers ??= this.#postHeaders());
    const request = { method: 'POST', url: this.#url, headers, body, repeatable: isRepeatable(message) } as const;
    const exchange = this.#wire.exchange(request, post);
    post.run(exchange);
    this.#wire.tellMessage('out', message, body, exchange.exchange);
  }

  #postHeaders(): Record<string, string> {
    return this.#wire.headersFor(this.#url, {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...this.#sessionHeaders(),
    });
  }

  #sessionHeaders(): Record<string, string> {
    return {
      ...(this.#session !== undefined && { 'Mcp-Session-Id': this.#session }),
      ...(this.#version !== undefined && { 'MCP-Protocol-Version': this.#version }),
    };
  }

  #openGet(lastEventId: string | undefined, listener: Parameters<HttpWire['exchange']>[1]): HttpExchange {
    const headers = this.#wire.headersFor(this.#url, {
      Accept: 'text/event-stream',
      ...this.#sessionHeaders(),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    });
    return this.#wire.exchange({ method: 'GET', url: this.#url, headers }, listener);
  }

  #onHead(head: HttpResponseHead, isInitialize: boolean): void {
    if (!isSuccess(head)) return;
    this.#learnSlash(head.url);
    const session = head.headers['mcp-session-id'];
    if (!isInitialize || typeof session !== 'string' || session === '') return;
    this.#session = session;
    this.#headers = undefined;
    this.#prove('streamable');
  }

  /** A redirect that only adds or removes the last slash is followed once and then remembered. */
  #learnSlash(answered: string): void {
    if (answered === this.#url) return;
    const from = new URL(this.#url);
    const to = new URL(answered);
    const same = from.origin === to.origin && from.search === to.search;
    if (!same || from.pathname.replace(/\/$/, '') !== to.pathname.replace(/\/$/, '')) return;
    this.#url = answered;
  }

  #receiveText(text: string, exchange: number): void {
    const parsed = parseJson(text);
    if (parsed.ok) this.#receive(parsed.value, text, exchange);
    else this.#wire.context.note('debug', `an event that is no JSON was dropped: ${text.slice(0, 80)}`);
  }

  #receive(value: unknown, text: string, exchange: number): void {
    this.#wire.tellMessage('in', value, text, exchange);
    if (this.#onProof && (Array.isArray(value) || readIncoming(value).kind !== 'other')) this.#prove('streamable');
    if (!this.#closed) this.#listener?.onMessage(value);
  }

  #prove(proof: Proof): void {
    const tell = this.#onProof;
    this.#onProof = undefined;
    tell?.(proof);
  }

  /** A server of HTTP+SSE that treats POST and GET on its stream's address alike. */
  #onEndpointEvent(post: HttpPost, settle: (error?: Error) => void): void {
    post.abort();
    this.#prove('legacy');
    settle(
      new ProtocolError(
        'endpoint',
        `${this.#server}: the POST was answered with an endpoint event: HTTP+SSE is spoken here`,
      ),
    );
  }

  #onListeningRefused(error: TransportError, session: string | undefined): void {
    this.#isListening = false;
    if (error.status === 404 && session !== undefined && session === this.#session && !this.#closed) {
      const { message, status } = error;
      const lost = new TransportError('session-lost', `${message} (the session is lost)`, { status, mayHaveRun: true });
      return this.#listener?.onSessionLost?.(lost, false);
    }
    this.#wire.context.note('info', `there is no listening stream, which is allowed: ${error.message}`);
  }

  /** Before a new handshake: session and revision are not sent with `initialize`. */
  #forget(): void {
    this.#listening?.stop();
    this.#listening = undefined;
    this.#isListening = false;
    this.#session = undefined;
    this.#version = undefined;
    this.#headers = undefined;
  }

  #linger(exchange: HttpExchange): void {
    const until = this.#clock.now() + LINGER_MS;
    this.#lingering.set(exchange, until);
    this.#lingerTimer.expect(until);
  }

  #endLingering(now: number): number {
    for (const [exchange, until] of this.#lingering) {
      if (until > now) return until;
      this.#lingering.delete(exchange);
      exchange.abort();
    }
    return Infinity;
  }

  /** "Session Management": DELETE says that the session is over. Any answer will do, and none for long. */
  #delete(session: string): Promise<void> {
    const headers = this.#wire.headersFor(this.#url, { ...this.#sessionHeaders(), 'Mcp-Session-Id': session });
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        resolve();
      };
      const cancel = this.#clock.after(DELETE_LIMIT_MS, () => {
        exchange.abort();
        resolve();
      });
      const listener = { onResponse: () => undefined, onChunk: () => undefined, onEnd: done, onError: done };
      const exchange = this.#wire.exchange({ method: 'DELETE', url: this.#url, headers }, listener);
    });
  }

  #closedError(): TransportError {
    return new TransportError('closed', `${this.#server}: the connection is closed`);
  }
}
