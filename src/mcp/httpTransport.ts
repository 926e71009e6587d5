import { BriefMap } from '../base/briefMap.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpExchange, HttpListener, HttpResponseHead } from '../base/httpExchange.ts';
import { parseJson } from '../base/json.ts';
import type { ServerSentEvent } from '../base/sse.ts';
import { endSession } from './endSession.ts';
import { ProtocolError, TransportError } from './errors.ts';
import { EventStreamGet } from './eventStreamGet.ts';
import { HttpPost, type PostHost } from './httpPost.ts';
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
import { LingeringStreams } from './lingeringStreams.ts';
import type { Transport, TransportListener } from './transport.ts';

/** What the first answer proves about the way a server speaks. */
export type Proof = 'streamable' | 'legacy';

/** How an {@link HttpTransport} begins. */
export interface HttpTransportOptions {
  readonly clock: Clock;
  /** Told at most once, as soon as an answer to `initialize` is conclusive. */
  readonly onProof?: (proof: Proof) => void;
  /** False: nothing is listened to before {@link HttpTransport.letListen}. Default true. */
  readonly mayListen?: boolean;
}

/**
 * Streamable HTTP of the revisions with a session (2025-03-26, 2025-06-18, 2025-11-25): each message is a POST of its own, its
 * answer JSON or an event stream; a GET stream in the background brings what the server says unasked.
 */
export class HttpTransport implements Transport, PostHost {
  readonly kind = 'http';
  readonly server: string;
  readonly clock: Clock;
  readonly wire: HttpWire;
  readonly #posts = new BriefMap<RequestId, HttpPost>();
  readonly lingering: LingeringStreams;
  #onProof: ((proof: Proof) => void) | undefined;
  #url: string;
  #session: string | undefined;
  #version: string | undefined;
  #headers: Readonly<Record<string, string>> | undefined;
  #listener: TransportListener | undefined;
  #listening: EventStreamGet | undefined;
  #isListening = false;
  #mayListen: boolean;
  #isReady = false;
  #closed = false;

  constructor(wire: HttpWire, options: HttpTransportOptions) {
    this.wire = wire;
    this.server = wire.context.server;
    this.clock = options.clock;
    this.#onProof = options.onProof;
    this.#mayListen = options.mayListen ?? true;
    this.#url = wire.url;
    this.lingering = new LingeringStreams(options.clock);
  }

  /** The id of the session, once there is one. */
  get session(): string | undefined {
    return this.#session;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  start(listener: TransportListener): Promise<void> {
    this.#listener = listener;
    this.wire.holdFor(listener);
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new TransportError('closed', `${this.server}: the connection is closed`));
    const name = nameOf(message);
    if (name === 'initialize') this.#forget();
    const body = JSON.stringify(message);
    const id = isRequestMessage(message) ? message.id : undefined;
    const headers = (this.#headers ??= this.#postHeaders());
    const request = { method: 'POST', url: this.#url, headers, body, repeatable: isRepeatable(message) } as const;
    return new Promise((resolve, reject) => {
      const post = new HttpPost(this, { name, id, inSession: this.#session !== undefined, resolve, reject });
      if (id !== undefined) this.#posts.set(id, post);
      const exchange = this.wire.exchange(request, post);
      post.run(exchange);
      this.wire.tellMessage('out', message, body, exchange.exchange);
    });
  }

  abandon(id: RequestId): void {
    this.#posts.take(id)?.abort();
  }

  agreed(protocolVersion: string): void {
    this.#version = protocolVersion;
    this.#headers = undefined;
  }

  ready(): void {
    this.#isReady = true;
    if (this.#mayListen) this.#listen();
  }

  /** The session is going to be used. */
  letListen(): void {
    this.#mayListen = true;
    if (this.#isReady) this.#listen();
  }

  /** Opens the listening stream, whose refusal costs nothing. */
  #listen(): void {
    const session = this.#session;
    this.#listening?.stop();
    this.#listening = new EventStreamGet({
      server: this.server,
      clock: this.clock,
      position: { lastEventId: undefined, retryMs: undefined },
      open: (lastEventId, listener) => this.resume(lastEventId, listener),
      onEvent: (event, exchange) => this.#onListeningEvent(event, exchange),
      newDecoder: (listener) => this.wire.newDecoder(listener),
      onRest: (exchange, decoder) => this.wire.tellRest(exchange, decoder),
      onRefused: (error, hadIt) => this.#onListeningRefused(error, hadIt ? session : undefined),
      onTrouble: (error) => this.wire.note(error.message),
    });
    this.#listening.open();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#listening?.stop();
    this.lingering.close();
    for (const post of this.#posts.takeAll()) post.abort();
    if (this.#session === undefined) return;
    const more = { url: this.#url, headers: this.#sessionHeaders() };
    await endSession(this.wire, this.clock, this.#session, more);
  }

  onHead(head: HttpResponseHead, post: HttpPost): void {
    if (!isSuccess(head)) return;
    if (head.url !== this.#url) this.#learnSlash(head.url);
    if (post.message.name !== 'initialize') return;
    const session = head.headers['mcp-session-id'];
    if (typeof session !== 'string' || session === '') return;
    this.#session = session;
    this.#headers = undefined;
    this.#prove('streamable');
  }

  onMessage(value: unknown, text: string, exchange: number): void {
    this.wire.tellMessage('in', value, text, exchange);
    if (this.#onProof && (Array.isArray(value) || readIncoming(value).kind !== 'other')) this.#prove('streamable');
    if (!this.#closed) this.#listener?.onMessage(value);
  }

  /** A server of HTTP+SSE that treats POST and GET on its stream's address alike. */
  onEndpointEvent(post: HttpPost): void {
    this.#prove('legacy');
    const text = 'the POST was answered with an endpoint event: HTTP+SSE is spoken here';
    post.settle(new ProtocolError('endpoint', `${this.server}: ${text}`));
    post.abort();
  }

  onSettled(post: HttpPost): void {
    if (post.message.id !== undefined) this.#posts.take(post.message.id);
  }

  resume(lastEventId: string | undefined, listener: HttpListener): HttpExchange {
    const headers = this.wire.headersFor(this.#url, {
      Accept: 'text/event-stream',
      ...this.#sessionHeaders(),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    });
    return this.wire.exchange({ method: 'GET', url: this.#url, headers }, listener);
  }

  #postHeaders(): Record<string, string> {
    return this.wire.headersFor(this.#url, {
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

  /** A redirect that only adds or removes the last slash is followed once and then remembered. */
  #learnSlash(answered: string): void {
    const from = new URL(this.#url);
    const to = new URL(answered);
    const same = from.origin === to.origin && from.search === to.search;
    if (same && from.pathname.replace(/\/$/, '') === to.pathname.replace(/\/$/, '')) this.#url = answered;
  }

  #prove(proof: Proof): void {
    const tell = this.#onProof;
    this.#onProof = undefined;
    tell?.(proof);
  }

  #onListeningEvent(event: ServerSentEvent, exchange: number): void {
    this.#isListening = true;
    this.wire.tellEvent(exchange, event);
    if ((event.event !== undefined && event.event !== 'message') || event.data === '') return;
    const parsed = parseJson(event.data);
    if (parsed.ok) this.onMessage(parsed.value, event.data, exchange);
    else this.wire.note(`an event that is no JSON was dropped: ${event.data.slice(0, 80)}`);
  }

  /** 404 for a stream that was there before says that the session is lost; for the first one, that there is none to be had. */
  #onListeningRefused(error: TransportError, session: string | undefined): void {
    this.#isListening = false;
    if (error.status === 404 && session !== undefined && session === this.#session && !this.#closed) {
      const { message, status } = error;
      const lost = new TransportError('session-lost', `${message} (the session is lost)`, { status });
      return this.#listener?.onSessionLost?.(lost, false);
    }
    this.wire.context.note('info', `there is no listening stream, which is allowed: ${error.message}`);
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
}
