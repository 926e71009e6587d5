import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';

/** One event of an event stream. `event` is absent for a message, `id` where the event carried none. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

/** Who is told what an event stream brings. */
export interface EventStreamListener {
  onEvent(event: ServerSentEvent): void;
  /** Every id of an event, also of one without data. */
  onId?(id: string): void;
  /** The reconnection time that the server asks for, in milliseconds. */
  onRetry?(ms: number): void;
}

/** An event grew beyond the cap. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
  readonly limit: number;

  constructor(limit: number) {
    super(`an event of the stream is larger than ${Math.round(limit / 1024 / 1024)} MiB`);
    this.limit = limit;
  }
}

/** 64 MiB. */
const DEFAULT_EVENT_LIMIT = 64 * 1024 * 1024;

/**
 * Turns the bytes of an event stream (HTML Living Standard, "Server-sent events") into events, however the bytes are cut:
 * a character, a line end or an event may be spread over any number of chunks.
 */
export class EventStreamDecoder {
  #listener: EventStreamListener;
  /** Joins characters that are cut; not there before a chunk may end inside one. */
  #text: StringDecoder | undefined;
  readonly #parser: EventSourceParser;
  readonly #keepsRest: boolean;
  /** The texts since the last event, as far as they are kept. */
  #rest: string[] = [];
  #restLength = 0;
  #overflow: EventTooLargeError | undefined;

  /**
   * `limit` bounds one event, in UTF-16 units, which are never more than its bytes. `keepRest` lets `end` tell what was left
   * over, for a record of the wire.
   */
  constructor(listener: EventStreamListener, limit = DEFAULT_EVENT_LIMIT, options: { keepRest?: boolean } = {}) {
    this.#listener = listener;
    this.#keepsRest = options.keepRest === true;
    this.#parser = createParser({
      maxBufferSize: limit,
      onEvent: (event) => {
        this.#forgetRest();
        this.#listener.onEvent(event);
      },
      onId: (id) => this.#listener.onId?.(id),
      onRetry: (ms) => this.#listener.onRetry?.(ms),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#overflow = new EventTooLargeError(limit);
      },
    });
  }

  /** Throws {@link EventTooLargeError} when an event passes the cap, and again for whatever follows. */
  write(chunk: Uint8Array): void {
    this.#feed(this.#textOf(chunk));
  }

  /** Begins with another stream: what a decoder is made of costs more than many a stream. Without a listener nobody is told. */
  reset(listener: EventStreamListener = nobody): void {
    this.#listener = listener;
    this.#text = undefined;
    this.#overflow = undefined;
    this.#forgetRest();
    this.#parser.reset();
  }

  /**
   * The stream is over. An event without its blank line is dropped, as the standard says; with `flush` it is told all the
   * same, for endpoints that forget the last line end. Gives the text of the unfinished event where that is kept, or ''.
   */
  end(options: { flush?: boolean } = {}): string {
    const rest = this.#text?.end() ?? '';
    if (options.flush) this.#feed(`${rest}\n\n`);
    if (!this.#keepsRest && rest === '') return '';
    const left = afterLastEvent(this.#rest.join('') + rest).replace(/^[\r\n]+/, '');
    this.#forgetRest();
    return /^(data|event|id)\b/m.test(left) ? left : '';
  }

  #textOf(chunk: Uint8Array): string {
    const isWhole = this.#text === undefined && (chunk.at(-1) ?? 0) < FIRST_MULTIBYTE;
    if (isWhole) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('utf8');
    return (this.#text ??= new StringDecoder('utf8')).write(chunk);
  }

  #feed(text: string): void {
    if (!this.#overflow) this.#parser.feed(text);
    if (this.#overflow) throw this.#overflow;
    if (this.#keepsRest) this.#keepRest(text);
  }

  /** No more than a reference to each text: a record must not slow down a large event. */
  #keepRest(text: string): void {
    if (/(?:\n\n|\r\n\r\n|\r\r)$/.test(text.slice(-4))) return this.#forgetRest();
    if (this.#restLength > REST_LIMIT) return;
    this.#rest.push(text);
    this.#restLength += text.length;
  }

  #forgetRest(): void {
    if (this.#restLength === 0) return;
    this.#rest = [];
    this.#restLength = 0;
  }
}

/** Bytes below this one are characters by themselves. */
const FIRST_MULTIBYTE = 0x80;

const nobody: EventStreamListener = { onEvent: () => undefined };

/** So much of an unfinished event is kept, in UTF-16 units. */
const REST_LIMIT = 64 * 1024;

/** What follows the last blank line. */
function afterLastEvent(text: string): string {
  const ends = ['\n\n', '\r\n\r\n', '\r\r'].map((end) => {
    const at = text.lastIndexOf(end);
    return at < 0 ? 0 : at + end.length;
  });
  return text.slice(Math.max(...ends)).slice(0, REST_LIMIT);
}
