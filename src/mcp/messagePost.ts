import { BodyCollector, DEFAULT_BODY_LIMIT } from '../base/httpBody.ts';
import type { HttpError, HttpListener, HttpResponseHead } from '../base/httpExchange.ts';
import { EventStreamDecoder, EventTooLargeError } from '../base/sse.ts';
import { isSuccess, mediaType, REFUSAL_BODY_LIMIT, refusalError, wireError } from './httpRefusal.ts';

/** The message, and who waits for its acceptance. */
export interface MessagePostOptions {
  readonly server: string;
  /** Names the message in errors: its method. */
  readonly what: string;
  /** JSON that stands in the answer's own body. */
  onMessage(text: string, exchange: number): void;
  onBody(text: string, bytes: number, exchange: number): void;
  /** Told once: accepted, or why not. */
  settle(error?: Error): void;
}

/**
 * The answer to a message POST of HTTP+SSE. Any 2xx means accepted, whatever its body; JSON in it, or in events of it, is taken
 * as a message, for servers that answer there. Everything else refuses this one message.
 */
export class MessagePost implements HttpListener {
  readonly #options: MessagePostOptions;
  #head: HttpResponseHead | undefined;
  #body: BodyCollector | undefined;
  #decoder: EventStreamDecoder | undefined;
  #settled = false;

  constructor(options: MessagePostOptions) {
    this.#options = options;
  }

  onResponse(head: HttpResponseHead): void {
    this.#head = head;
    const mayAnswer = isSuccess(head) && head.status !== 202 && head.status !== 204;
    if (mayAnswer && mediaType(head) === 'text/event-stream') this.#decoder = this.#newDecoder(head.exchange);
    else if (mayAnswer || !isSuccess(head)) this.#body = new BodyCollector();
    if (isSuccess(head)) this.#settle();
  }

  onChunk(chunk: Uint8Array): void {
    if (this.#decoder) return this.#decode(this.#decoder, chunk);
    if (!this.#body || !this.#head) return;
    const limit = isSuccess(this.#head) ? DEFAULT_BODY_LIMIT : REFUSAL_BODY_LIMIT;
    if (this.#body.bytes + chunk.byteLength <= limit) this.#body.add(chunk);
    else if (isSuccess(this.#head)) this.#body = undefined;
  }

  onEnd(): void {
    const head = this.#head;
    if (!head || !this.#body) return;
    const text = this.#body.text();
    this.#options.onBody(text, this.#body.bytes, head.exchange);
    if (!isSuccess(head)) this.#settle(refusalError(this.#options.server, this.#options.what, head, text));
    else if (/^\s*[{[]/.test(text)) this.#options.onMessage(text, head.exchange);
  }

  onError(error: HttpError): void {
    this.#settle(wireError(this.#options.server, this.#options.what, error));
  }

  #newDecoder(exchange: number): EventStreamDecoder {
    return new EventStreamDecoder({
      onEvent: ({ event = 'message', data }) => {
        if (event === 'message' && data !== '') this.#options.onMessage(data, exchange);
      },
    });
  }

  #decode(decoder: EventStreamDecoder, chunk: Uint8Array): void {
    try {
      decoder.write(chunk);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#decoder = undefined;
    }
  }

  #settle(error?: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#options.settle(error);
  }
}
