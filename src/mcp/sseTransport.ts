import { asError } from '../base/caught.ts';
import type { HttpError, HttpExchange, HttpListener, HttpResponseHead } from '../base/httpExchange.ts';
import { BriefMap } from '../base/briefMap.ts';
import { BodyCollector } from '../base/httpBody.ts';
import { EventTooLargeError, type EventStreamDecoder, type ServerSentEvent } from '../base/sse.ts';
import { parseJson } from '../base/json.ts';
import { resolveEndpoint } from './endpoint.ts';
import { TransportError } from './errors.ts';
import { isSuccess, mediaType, REFUSAL_BODY_LIMIT, refusalError, wireError } from './httpRefusal.ts';
import type { HttpWire } from './httpWire.ts';
import { isRepeatable, isRequestMessage, nameOf, type JsonRpcMessage, type RequestId } from './jsonrpc.ts';
import { MessagePost } from './messagePost.ts';
import type { Transport, TransportListener } from './transport.ts';
import { looksLikeEvents, mayBeEvents } from './untypedStream.ts';

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; resolve(): void; reject(error: Error): void }
  | { readonly kind: 'open'; readonly endpoint: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'closed' };

/**
 * HTTP+SSE (2024-11-05): one GET whose event stream first announces the endpoint and then carries all that the server says;
 * each of our messages is a POST to that endpoint. The stream is the session: when it ends, the transport is closed.
 */
export class SseTransport implements Transport {
  readonly kind = 'sse';
  readonly #wire: HttpWire;
  readonly #server: string;
  readonly #posts = new BriefMap<RequestId, HttpExchange>();
  #state: State = { kind: 'idle' };
  #listener: TransportListener | undefined;
  #stream: HttpExchange | undefined;
  #streamAnswered = false;

  constructor(wire: HttpWire) {
    this.#wire = wire;
    this.#server = wire.context.server;
  }

  /** True once the server has answered the GET with a success. */
  get isStreaming(): boolean {
    return this.#streamAnswered;
  }

  /** True once the server has announced where messages go. */
  get hasEndpoint(): boolean {
    return this.#state.kind === 'open';
  }

  start(listener: TransportListener): Promise<void> {
    this.#listener = listener;
    this.#wire.holdFor(listener);
    const { url } = this.#wire;
    const headers = this.#wire.headersFor(url, { Accept: 'text/event-stream', 'Cache-Control': 'no-cache' });
    return new Promise((resolve, reject) => {
      this.#state = { kind: 'opening', resolve, reject };
      this.#stream = this.#wire.exchange({ method: 'GET', url, headers }, this.#streamListener());
    });
  }

  send(message: JsonRpcMessage): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'open') return Promise.reject(this.#closedError('the connection is closed'));
    const body = JSON.stringify(message);
    return new Promise((resolve, reject) => {
      const id = isRequestMessage(message) ? message.id : undefined;
      const post = new MessagePost({
        server: this.#server,
        what: nameOf(message),
        onMessage: (text, exchange) => this.#receive(text, exchange),
        onBody: (text, bytes, exchange) => this.#wire.tellBody(exchange, text, bytes),
        settle: (error) => {
          if (id !== undefined) this.#posts.take(id);
          if (error) reject(error);
          else resolve();
        },
      });
      const { endpoint: url, headers } = state;
      const repeatable = isRepeatable(message);
      const exchange = this.#wire.exchange({ method: 'POST', url, headers, body, repeatable }, post);
      if (id !== undefined) this.#posts.set(id, exchange);
      this.#wire.tellMessage('out', message, body, exchange.exchange);
    });
  }

  abandon(id: RequestId): void {
    this.#posts.take(id)?.abort();
  }

  close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    this.#stream?.abort();
    for (const post of this.#posts.takeAll()) post.abort();
    if (state.kind === 'opening') state.reject(this.#closedError('the connection was closed by this side'));
    return Promise.resolve();
  }

  #streamListener(): HttpListener {
    let head: HttpResponseHead | undefined;
    let decoder: EventStreamDecoder | undefined;
    const refusal = new BodyCollector();
    return {
      onResponse: (answer) => {
        head = answer;
        this.#streamAnswered = isSuccess(answer);
        if (isSuccess(answer) && mediaType(answer) === 'text/event-stream') decoder = this.#decoder(answer);
      },
      onChunk: (chunk) => {
        if (decoder) return this.#decode(decoder, chunk);
        if (refusal.bytes < REFUSAL_BODY_LIMIT) refusal.add(chunk);
        if (head && isSuccess(head)) decoder = this.#judge(head, refusal);
      },
      onEnd: () => {
        if (decoder && head) this.#wire.tellRest(head.exchange, decoder);
        if (decoder) this.#onStreamOver('the server closed its event stream');
        else if (head) this.#fail(this.#refusal(head, refusal.text()));
      },
      onError: (error) => {
        if (decoder && head) this.#wire.tellRest(head.exchange, decoder);
        this.#onStreamError(error, decoder !== undefined);
      },
    };
  }

  /** A success that is not called an event stream: it may be one all the same, or never end, so its first bytes decide. */
  #judge(head: HttpResponseHead, body: BodyCollector): EventStreamDecoder | undefined {
    const bytes = body.whole();
    const verdict = mayBeEvents(head) ? looksLikeEvents(bytes) : false;
    if (verdict === undefined) return undefined;
    if (!verdict) {
      this.#fail(this.#refusal(head, body.text()));
      return undefined;
    }
    this.#wire.context.note('info', 'the event stream has not the content type of one');
    const decoder = this.#decoder(head);
    this.#decode(decoder, bytes);
    return decoder;
  }

  #refusal(head: HttpResponseHead, body: string): TransportError {
    this.#wire.tellBody(head.exchange, body, Buffer.byteLength(body));
    if (!isSuccess(head)) return refusalError(this.#server, 'the GET for the event stream', head, body);
    const type = mediaType(head) || 'no content type';
    const text = `the GET for the event stream was answered with ${type} instead of text/event-stream`;
    return new TransportError('http-status', `${this.#server}: ${text}`, { status: head.status, body });
  }

  #decoder(head: HttpResponseHead): EventStreamDecoder {
    return this.#wire.newDecoder({ onEvent: (event) => this.#onEvent(event, head) });
  }

  #decode(decoder: EventStreamDecoder, chunk: Uint8Array): void {
    try {
      decoder.write(chunk);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#fail(new TransportError('too-large', `${this.#server}: ${error.message}`, { cause: error }));
    }
  }

  #onEvent(event: ServerSentEvent, head: HttpResponseHead): void {
    if (this.#state.kind === 'closed') return;
    this.#wire.tellEvent(head.exchange, event);
    if (event.event === 'endpoint') return this.#onEndpoint(event.data, head.url);
    if (event.event !== undefined && event.event !== 'message') {
      return this.#wire.context.note('debug', `an event named "${event.event}" was ignored`);
    }
    if (event.data !== '') this.#receive(event.data, head.exchange);
  }

  #receive(text: string, exchange: number): void {
    const parsed = parseJson(text);
    if (!parsed.ok)
      return this.#wire.context.note('debug', `an event that is no JSON was dropped: ${text.slice(0, 80)}`);
    this.#wire.tellMessage('in', parsed.value, text, exchange);
    this.#listener?.onMessage(parsed.value);
  }

  #onEndpoint(announced: string, streamUrl: string): void {
    let endpoint: string;
    try {
      endpoint = resolveEndpoint(announced, streamUrl, this.#server);
    } catch (error) {
      return this.#fail(asError(error));
    }
    const before = this.#state;
    if (before.kind === 'open' && before.endpoint === endpoint) return;
    const headers = this.#wire.headersFor(endpoint, {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    });
    this.#state = { kind: 'open', endpoint, headers };
    if (before.kind === 'opening') before.resolve();
    else this.#listener?.onSessionLost?.(this.#sessionError(), true);
  }

  /** A second, different endpoint on the same stream. */
  #sessionError(): TransportError {
    return new TransportError('session-lost', `${this.#server}: the server announced a new session`, {
      mayHaveRun: true,
    });
  }

  #onStreamError(error: HttpError, streaming: boolean): void {
    if (!streaming) return this.#fail(wireError(this.#server, 'the GET for the event stream', error));
    this.#onStreamOver('the event stream broke', error);
  }

  #onStreamOver(how: string, cause?: HttpError): void {
    const before = this.#state.kind === 'opening' ? ' before it announced an endpoint' : '';
    this.#fail(this.#closedError(`${how}${before}${cause ? `: ${cause.message}` : ''}`, cause));
  }

  /** The end by itself, told once. */
  #fail(error: Error): void {
    const state = this.#state;
    if (state.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    this.#stream?.abort();
    for (const post of this.#posts.takeAll()) post.abort();
    if (state.kind === 'opening') state.reject(error);
    else this.#listener?.onClose(error);
  }

  #closedError(message: string, cause?: unknown): TransportError {
    return new TransportError('closed', `${this.#server}: ${message}`, { cause });
  }
}
