import { BodyCollector, BodyTooLargeError } from '../base/httpBody.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpError, HttpExchange, HttpListener, HttpResponseHead } from '../base/httpExchange.ts';
import { isRecord, parseJson } from '../base/json.ts';
import {
  EventTooLargeError,
  type EventStreamDecoder,
  type EventStreamListener,
  type ServerSentEvent,
} from '../base/sse.ts';
import { ProtocolError, TransportError } from './errors.ts';
import { EventStreamGet, tooLarge } from './eventStreamGet.ts';
import { isSuccess, mediaType, REFUSAL_BODY_LIMIT, refusalError, wireError } from './httpRefusal.ts';
import type { HttpWire } from './httpWire.ts';
import { errorCode, isSameId, readIncoming, type RequestId } from './jsonrpc.ts';
import type { LingeringStreams } from './lingeringStreams.ts';
import { looksLikeEvents, mayBeEvents } from './untypedStream.ts';

/** The transport as its POSTs see it. */
export interface PostHost {
  readonly server: string;
  readonly clock: Clock;
  /** Tells the tap what came, and lends decoders. */
  readonly wire: HttpWire;
  /** Takes the streams that are still open though they have brought their answer. */
  readonly lingering: LingeringStreams;
  /** The answer to a request may come another way than its own POST. */
  readonly isListening: boolean;
  onHead(head: HttpResponseHead, post: HttpPost): void;
  onMessage(value: unknown, text: string, exchange: number): void;
  /** An event that only HTTP+SSE has. */
  onEndpointEvent(post: HttpPost): void;
  /** Nothing more will happen to this post. `error` says why it has no answer. */
  onSettled(post: HttpPost, error: Error | undefined): void;
  /** Opens a GET that resumes after `lastEventId`; absent where streams cannot be resumed. */
  resume?(lastEventId: string | undefined, listener: HttpListener): HttpExchange;
}

/** What is posted, and who waits for it. */
export interface PostedMessage {
  /** The message's method, for errors. */
  readonly name: string;
  /** Present for a request: the answer to it is awaited. */
  readonly id: RequestId | undefined;
  /** True when the request carried a session id, so that 404 means that the session is lost. */
  readonly inSession: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * One message POST of Streamable HTTP and what follows from it: an acceptance, a JSON answer, or an event stream that ends
 * with the answer and is resumed when it breaks off before (2025-11-25, "Transports", "Resumability and Redelivery").
 */
export class HttpPost implements HttpListener, EventStreamListener {
  readonly message: PostedMessage;
  readonly #host: PostHost;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #exchange: HttpExchange | undefined;
  #head: HttpResponseHead | undefined;
  #decoder: EventStreamDecoder | undefined;
  #body: BodyCollector | undefined;
  #resumed: EventStreamGet | undefined;
  #lingering: number | undefined;
  #isUntyped = false;
  #answered = false;
  #settled = false;

  constructor(host: PostHost, message: PostedMessage) {
    this.#host = host;
    this.message = message;
  }

  /** Takes the running exchange, to end it. */
  run(exchange: HttpExchange): void {
    this.#exchange = exchange;
  }

  /** Ends whatever runs, without a word. */
  abort(): void {
    this.#settled = true;
    this.#exchange?.abort();
    this.#resumed?.stop();
  }

  onResponse(head: HttpResponseHead): void {
    this.#head = head;
    this.#host.onHead(head, this);
    const isRequest = this.message.id !== undefined;
    if (!isSuccess(head)) this.#body = new BodyCollector();
    else if (mediaType(head) === 'text/event-stream') this.#decoder = this.#host.wire.newDecoder(this);
    else if (isRequest) this.#body = new BodyCollector();
    this.#isUntyped = isRequest && mayBeEvents(head);
    if (isSuccess(head) && !isRequest) this.settle();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#decoder) this.#decode(this.#decoder, chunk);
    else if (this.#body) this.#collect(this.#body, chunk);
  }

  onEnd(): void {
    const head = this.#head;
    if (!head) return;
    if (this.#decoder) this.#onStreamOver();
    else if (this.#body) this.#onBody(head, this.#body);
    else this.#onAccepted(head);
  }

  onError(error: HttpError): void {
    if (this.#decoder) return this.#onStreamOver(error);
    this.settle(wireError(this.#host.server, this.message.name, error));
  }

  onEvent(event: ServerSentEvent): void {
    if (this.#head) this.#onEvent(event, this.#head.exchange);
  }

  onId(id: string): void {
    this.#lastEventId = id === '' ? undefined : id;
  }

  onRetry(ms: number): void {
    this.#retryMs = ms;
  }

  /** The end of the matter, once. */
  settle(error?: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#host.onSettled(this, error);
    if (error) this.message.reject(error);
    else this.message.resolve();
  }

  #decode(decoder: EventStreamDecoder, chunk: Uint8Array): void {
    try {
      decoder.write(chunk);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#exchange?.abort();
      this.settle(tooLarge(this.#host.server, error));
    }
  }

  #collect(body: BodyCollector, chunk: Uint8Array): void {
    if (this.#head && !isSuccess(this.#head) && body.bytes >= REFUSAL_BODY_LIMIT) return;
    try {
      body.add(chunk);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      this.#exchange?.abort();
      const text = `${this.#host.server}: the answer to ${this.message.name} is too large: ${error.message}`;
      this.settle(new TransportError('too-large', text, { mayHaveRun: true, cause: error }));
    }
    if (this.#isUntyped) this.#judge(body.whole());
  }

  /** An answer without a telling content type may be an event stream, which may stay open: its first bytes decide. */
  #judge(bytes: Uint8Array): void {
    const isStream = looksLikeEvents(bytes);
    this.#isUntyped = isStream === undefined;
    if (isStream !== true) return;
    this.#decoder = this.#host.wire.newDecoder(this);
    this.#decode(this.#decoder, bytes);
  }

  #onEvent(event: ServerSentEvent, exchange: number): void {
    this.#host.wire.tellEvent(exchange, event);
    if (event.event === 'endpoint') return this.#host.onEndpointEvent(this);
    if (event.event !== undefined && event.event !== 'message') {
      return this.#host.wire.note(`an event named "${event.event}" was ignored`);
    }
    if (event.data === '') return;
    const parsed = parseJson(event.data);
    if (parsed.ok) this.#receive(parsed.value, event.data, exchange);
    else this.#host.wire.note(`an event that is no JSON was dropped: ${event.data.slice(0, 80)}`);
    if (this.#answered && !this.#settled) this.#onAnsweredByStream();
  }

  #onAnsweredByStream(): void {
    if (this.#resumed) this.#resumed.stop();
    else if (this.#exchange) this.#lingering = this.#host.lingering.watch(this.#exchange);
    this.settle();
  }

  /** An error that carries no id answers the one request of this POST. */
  #receive(value: unknown, text: string, exchange: number): void {
    const { id } = this.message;
    if (id === undefined || this.#answered) return this.#host.onMessage(value, text, exchange);
    const own = Array.isArray(value) ? value.map((one) => this.#own(one, id)) : this.#own(value, id);
    this.#host.onMessage(own, text, exchange);
  }

  #own(value: unknown, id: RequestId): unknown {
    const incoming = readIncoming(value);
    if (incoming.kind !== 'response') return value;
    const anonymous = incoming.id === null || incoming.id === undefined;
    if (isSameId(incoming.id, id)) this.#answered = true;
    if (!anonymous || incoming.message['error'] === undefined) return value;
    this.#answered = true;
    return { ...incoming.message, id };
  }

  #onBody(head: HttpResponseHead, body: BodyCollector): void {
    const text = body.text();
    if (text !== '' || head.status !== 202) this.#host.wire.tellBody(head.exchange, text, body.bytes);
    if (!isSuccess(head)) return this.#onRefusal(head, text);
    const parsed = parseJson(text);
    if (parsed.ok) this.#receive(parsed.value, text, head.exchange);
    if (this.#answered) return this.settle();
    if (text.trim() === '' || head.status === 202) return this.#onAccepted(head);
    this.settle(parsed.ok ? this.#foreignAnswer(parsed.value) : this.#noAnswer(head, text));
  }

  #foreignAnswer(value: unknown): Error {
    const { name, id } = this.message;
    const incoming = readIncoming(value);
    const ids =
      incoming.kind === 'response' ? `: its id is ${JSON.stringify(incoming.id) ?? 'missing'}, not ${id}` : '';
    const text = `${this.#host.server}: ${name} was answered with JSON that does not answer it${ids}`;
    return new ProtocolError('message', text);
  }

  #noAnswer(head: HttpResponseHead, text: string): Error {
    const { name } = this.message;
    const type = mediaType(head) || 'no content type';
    const came = type === 'application/json' ? 'it is cut short or broken' : `${type} came`;
    return refusalError(this.#host.server, `${name} (a JSON answer was expected, but ${came})`, head, text);
  }

  /** No body at all: nothing is said here, and only another stream may still say it. */
  #onAccepted(head: HttpResponseHead): void {
    const { id, name } = this.message;
    if (id === undefined) return this.settle();
    if (this.#host.isListening)
      return this.#host.wire.note(`${name} was accepted with HTTP ${head.status}, without an answer`);
    const text = `${this.#host.server}: ${name} was answered with HTTP ${head.status} and no answer in it`;
    this.settle(new TransportError('closed', text, { status: head.status, mayHaveRun: true }));
  }

  #onRefusal(head: HttpResponseHead, text: string): void {
    const { name, id, inSession } = this.message;
    const error = refusalError(this.#host.server, name, head, text);
    const json = parseJson(text);
    const answer = json.ok && isRecord(json.value) && isRecord(json.value['error']) ? json.value : undefined;
    const ours = answer !== undefined && id !== undefined && isSameId(answer['id'], id);
    const unknownMethod = ours && isRecord(answer['error']) && answer['error']['code'] === errorCode.methodNotFound;
    if (inSession && !unknownMethod && meansSessionLost(head.status, text)) return this.settle(sessionLost(error));
    if (ours && head.status !== 401 && head.status !== 403) this.#host.onMessage(answer, text, head.exchange);
    this.settle(error);
  }

  #onStreamOver(error?: HttpError): void {
    if (this.#lingering !== undefined) this.#host.lingering.ended(this.#lingering);
    if (this.#decoder && this.#head) this.#host.wire.tellRest(this.#head.exchange, this.#decoder);
    if (this.#settled) return;
    if (this.#lastEventId === undefined || !this.#host.resume) return this.settle(this.#brokenOff(error));
    const resume = this.#host.resume.bind(this.#host);
    this.#resumed = new EventStreamGet({
      server: this.#host.server,
      clock: this.#host.clock,
      position: { lastEventId: this.#lastEventId, retryMs: this.#retryMs },
      open: resume,
      onEvent: (event, exchange) => this.#onEvent(event, exchange),
      newDecoder: (listener) => this.#host.wire.newDecoder(listener),
      onRest: (exchange, decoder) => this.#host.wire.tellRest(exchange, decoder),
      onRefused: (refusal) => this.#onResumeRefused(refusal),
      onTrouble: (trouble) => this.#host.wire.note(trouble.message),
    });
    this.#resumed.reopen(error !== undefined);
  }

  #onResumeRefused(error: TransportError): void {
    const lost = this.message.inSession && error.status === 404;
    const text = `${error.message}; ${this.message.name} was not answered and may have run`;
    const { status, code } = error;
    this.settle(new TransportError(lost ? 'session-lost' : code, text, { status, mayHaveRun: true, cause: error }));
  }

  #brokenOff(cause: HttpError | undefined): TransportError {
    const how = cause ? `broke off (${cause.message})` : 'ended';
    const text = `${this.#host.server}: the answer to ${this.message.name} ${how} before it was complete; it may have run`;
    return new TransportError('closed', text, { mayHaveRun: true, cause });
  }
}

/** 404 by the specification; some servers say 410, or another refusal that names the session. */
function meansSessionLost(status: number, body: string): boolean {
  if (status === 404 || status === 410) return true;
  const mayName = status === 400 || status === 403 || status === 409 || status === 422;
  return mayName && /session/i.test(body) && /not found|invalid|no valid|unknown|expired|does not exist/i.test(body);
}

function sessionLost(refusal: TransportError): TransportError {
  const { message, status, body } = refusal;
  return new TransportError('session-lost', `${message} (the session is lost)`, { status, body, mayHaveRun: false });
}
