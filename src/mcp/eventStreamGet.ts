import { BodyCollector } from '../base/httpBody.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpError, HttpExchange, HttpListener, HttpResponseHead } from '../base/httpExchange.ts';
import {
  EventTooLargeError,
  type EventStreamDecoder,
  type EventStreamListener,
  type ServerSentEvent,
} from '../base/sse.ts';
import { TransportError } from './errors.ts';
import { isSuccess, mediaType, REFUSAL_BODY_LIMIT, refusalError, wireError } from './httpRefusal.ts';

/** Milliseconds before the first new attempt where the server names no time, then twice as long after each failure … */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** … and never sooner than this many milliseconds, also when the server asks for less. */
const LEAST_RETRY_MS = 100;
/** A stream that lived so long, in milliseconds, has worked, even if it said nothing. */
const WORKED_MS = 10_000;

/** Where a stream stands: the last event id of the server's, and the reconnection time that it asked for. */
export interface StreamPosition {
  lastEventId: string | undefined;
  retryMs: number | undefined;
}

/** Where the stream begins, how it is opened, and who is told what comes. */
export interface EventStreamGetOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly position: StreamPosition;
  /** Starts the GET, with `Last-Event-ID` where there is one. */
  open(lastEventId: string | undefined, listener: HttpListener): HttpExchange;
  onEvent(event: ServerSentEvent, exchange: number): void;
  newDecoder(listener: EventStreamListener): EventStreamDecoder;
  /** A stream has ended. */
  onRest(exchange: number, decoder: EventStreamDecoder): void;
  /** The server will not have this stream, or not any more: told once, and then nothing more happens. */
  onRefused(error: TransportError, hadIt: boolean): void;
  /** Worth a line in the log. */
  onTrouble(error: TransportError): void;
}

/**
 * The GET stream of Streamable HTTP, for listening or to resume an answer: reopened with `Last-Event-ID` whenever it ends,
 * after the time that the server asked for; after failures less and less often, for as long as it is wanted.
 */
export class EventStreamGet {
  readonly #options: EventStreamGetOptions;
  #running: HttpExchange | undefined;
  #cancelTimer: (() => void) | undefined;
  #failures = 0;
  #hadIt = false;
  #stopped = false;

  constructor(options: EventStreamGetOptions) {
    this.#options = options;
  }

  open(): void {
    if (this.#stopped) return;
    this.#cancelTimer = undefined;
    this.#running = this.#options.open(this.#options.position.lastEventId, this.#listener());
  }

  /** Opens after the time that the server asked for. `failed` lets the waiting time grow. */
  reopen(failed: boolean): void {
    if (this.#stopped || this.#cancelTimer) return;
    this.#running = undefined;
    this.#failures = failed ? this.#failures + 1 : 0;
    const retryMs = Math.max(this.#options.position.retryMs ?? FIRST_RETRY_MS, LEAST_RETRY_MS);
    const grown = Math.min(retryMs * 2 ** Math.max(0, this.#failures - 1), Math.max(LONGEST_RETRY_MS, retryMs));
    const wait = this.#failures > 1 ? grown * (0.8 + Math.random() * 0.4) : retryMs;
    this.#cancelTimer = this.#options.clock.after(wait, () => this.open());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#running?.abort();
  }

  #listener(): HttpListener {
    const since = this.#options.clock.now();
    const refusal = new BodyCollector();
    let head: HttpResponseHead | undefined;
    let decoder: EventStreamDecoder | undefined;
    let events = 0;
    return {
      onResponse: (answer) => {
        head = answer;
        if (!isSuccess(answer) || mediaType(answer) !== 'text/event-stream') return;
        this.#hadIt = true;
        decoder = this.#options.newDecoder(
          positioned(this.#options.position, (event) => {
            events++;
            if (!this.#stopped) this.#options.onEvent(event, answer.exchange);
          }),
        );
      },
      onChunk: (chunk) => {
        if (decoder) this.#decode(decoder, chunk);
        else if (refusal.bytes < REFUSAL_BODY_LIMIT) refusal.add(chunk);
      },
      onEnd: () => {
        if (decoder && head) this.#options.onRest(head.exchange, decoder);
        if (decoder) this.reopen(events === 0 && this.#options.clock.now() - since < WORKED_MS);
        else if (head) this.#onAnswer(head, refusal.text());
      },
      onError: (error) => {
        if (decoder && head) this.#options.onRest(head.exchange, decoder);
        this.#onError(error, events);
      },
    };
  }

  #decode(decoder: EventStreamDecoder, chunk: Uint8Array): void {
    try {
      decoder.write(chunk);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.stop();
      this.#options.onRefused(tooLarge(this.#options.server, error), this.#hadIt);
    }
  }

  #onAnswer(head: HttpResponseHead, body: string): void {
    const error = refusalError(this.#options.server, 'the GET for the event stream', head, body);
    if (!isPassing(head.status)) {
      this.stop();
      return this.#options.onRefused(error, this.#hadIt);
    }
    this.#options.onTrouble(error);
    this.reopen(true);
  }

  #onError(error: HttpError, events: number): void {
    const failure = wireError(this.#options.server, 'the event stream', error);
    if (error.code === 'redirect' || error.code === 'certificate') {
      this.stop();
      return this.#options.onRefused(failure, this.#hadIt);
    }
    this.#options.onTrouble(failure);
    this.reopen(events === 0);
  }
}

/** Statuses that may be gone the next time: a stream that the server still holds, too many requests, its own faults. */
function isPassing(status: number): boolean {
  return status === 409 || status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** A listener that keeps `position` up to date and tells events that carry data. */
export function positioned(position: StreamPosition, onEvent: (event: ServerSentEvent) => void): EventStreamListener {
  return {
    onEvent,
    onId: (id) => {
      position.lastEventId = id === '' ? undefined : id;
    },
    onRetry: (ms) => {
      position.retryMs = ms;
    },
  };
}

/** The error for an event beyond the cap: the request that it answers may have run. */
export function tooLarge(server: string, error: EventTooLargeError): TransportError {
  return new TransportError('too-large', `${server}: ${error.message}`, { mayHaveRun: true, cause: error });
}
