import { BriefMap } from '../base/briefMap.ts';
import type { Clock } from '../base/clock.ts';
import type { HttpExchange } from '../base/httpExchange.ts';
import { SweepTimer } from '../base/sweepTimer.ts';

/** A stream that stays open after it has brought the answer is ended after so many milliseconds. */
const LINGER_MS = 5000;

/** Streams that have brought their answer and should end: most do so at once, the others are ended after a while. */
export class LingeringStreams {
  readonly #clock: Clock;
  readonly #timer: SweepTimer;
  readonly #streams = new BriefMap<number, { readonly until: number; readonly exchange: HttpExchange }>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = new SweepTimer(clock, (now) => this.#sweep(now));
  }

  /** Watches `exchange`. Give the result to {@link ended} when it ends by itself. */
  watch(exchange: HttpExchange): number {
    const until = this.#clock.now() + LINGER_MS;
    this.#streams.set(++this.#last, { until, exchange });
    this.#timer.expect(until);
    return this.#last;
  }

  ended(watched: number): void {
    this.#streams.take(watched);
  }

  /** Ends all. */
  close(): void {
    this.#timer.stop();
    for (const { exchange } of this.#streams.takeAll()) exchange.abort();
  }

  #sweep(now: number): number {
    for (const key of this.#streams.keys()) {
      const until = this.#streams.get(key)?.until ?? 0;
      if (until > now) return until;
      this.#streams.take(key)?.exchange.abort();
    }
    return Infinity;
  }
}
