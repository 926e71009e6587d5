import type { Clock } from '../base/clock.ts';
import type { HttpExchange } from '../base/httpExchange.ts';
import { SweepTimer } from '../base/sweepTimer.ts';

/** A stream that stays open after it has brought the answer is ended after so many milliseconds. */
const LINGER_MS = 5000;

/** A stream that is watched; empty once it has ended. */
export interface Lingering {
  exchange: HttpExchange | undefined;
}

/**
 * Streams that have brought their answer and should end: most do so at once, the others are ended after a while, in the order
 * in which they came here.
 */
export class LingeringStreams {
  readonly #clock: Clock;
  readonly #timer: SweepTimer;
  #queue: { readonly until: number; readonly lingering: Lingering }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = new SweepTimer(clock, (now) => this.#sweep(now));
  }

  /** Watches `exchange`; the result is emptied when it ends by itself. */
  watch(exchange: HttpExchange): Lingering {
    const until = this.#clock.now() + LINGER_MS;
    const lingering: Lingering = { exchange };
    this.#queue.push({ until, lingering });
    this.#timer.expect(until);
    return lingering;
  }

  /** Ends all. */
  close(): void {
    this.#timer.stop();
    for (const { lingering } of this.#queue) lingering.exchange?.abort();
    this.#queue = [];
  }

  #sweep(now: number): number {
    const due = this.#queue.filter(({ until }) => until <= now);
    this.#queue = this.#queue.slice(due.length);
    for (const { lingering } of due) lingering.exchange?.abort();
    return this.#queue[0]?.until ?? Infinity;
  }
}
