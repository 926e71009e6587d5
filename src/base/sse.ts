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
  readonly #limit: number;
  /** The bytes of a line whose end has not come: only whole lines are decoded, each once, so that no character is cut. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  readonly #parser: EventSourceParser;
  readonly #keepsRest: boolean;
  /** The texts since the last event, as far as they are kept. */
  #rest: string[] = [];
  #restLength = 0;
  #overflow: EventTooLargeError | undefined;

  /**
   * `limit` bounds one event, in UTF-16 units, and one line in bytes. `keepRest` lets `end` tell what was left over, for a
   * record of the wire.
   */
  constructor(listener: EventStreamListener, limit = DEFAULT_EVENT_LIMIT, options: { keepRest?: boolean } = {}) {
    this.#listener = listener;
    this.#limit = limit;
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

  /**
   * The chunk is kept, not copied. Throws {@link EventTooLargeError} when an event passes the cap, and again for whatever
   * follows.
   */
  write(chunk: Uint8Array): void {
    if (this.#overflow) throw this.#overflow;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
    if (end === 0) return this.#keep(bytes);
    const lines = this.#take(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (end < bytes.length) this.#keep(bytes.subarray(end));
    this.#feed(lines);
  }

  /** Begins with another stream: what a decoder is made of costs more than many a stream. Without a listener nobody is told. */
  reset(listener: EventStreamListener = nobody): void {
    this.#listener = listener;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#overflow = undefined;
    this.#forgetRest();
    this.#parser.reset();
  }

  /**
   * The stream is over. An event without its blank line is dropped, as the standard says; with `flush` it is told all the
   * same, for endpoints that forget the last line end. Gives the text of the unfinished event where that is kept, or ''.
   */
  end(options: { flush?: boolean } = {}): string {
    const line = this.#keptBytes === 0 ? '' : this.#take(nothing);
    if (options.flush) this.#feed(`${line}\n\n`);
    if (!this.#keepsRest) return '';
    const rest = options.flush ? '' : this.#rest.join('') + line;
    const left = afterLastEvent(rest).replace(/^[\r\n]+/, '');
    this.#forgetRest();
    return /^(data|event|id)\b/m.test(left) ? left : '';
  }

  #keep(bytes: Uint8Array): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.byteLength;
    if (this.#keptBytes <= this.#limit) return;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#overflow = new EventTooLargeError(this.#limit);
    throw this.#overflow;
  }

  /** The text of what is kept and what follows on it; nothing is kept any more. */
  #take(last: Buffer): string {
    if (this.#keptBytes === 0) return last.toString('utf8');
    const whole = Buffer.concat([...this.#kept, last], this.#keptBytes + last.length);
    this.#kept = [];
    this.#keptBytes = 0;
    return whole.toString('utf8');
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

const LF = 10;
const CR = 13;
const nothing = Buffer.alloc(0);

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
