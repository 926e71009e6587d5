import type { Clock } from './clock.ts';

/**
 * One timer for any number of deadlines: it sleeps until the earliest, lets `sweep` deal with all that are due, and sleeps
 * on until the time that `sweep` returns (`Infinity` for none). Letting a deadline go costs nothing: the timer finds out
 * when it wakes.
 */
export class SweepTimer {
  readonly #clock: Clock;
  readonly #sweep: (now: number) => number;
  #due = Infinity;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, sweep: (now: number) => number) {
    this.#clock = clock;
    this.#sweep = sweep;
  }

  /** Makes sure that the sweep runs at `at` (in the clock's milliseconds) or before. */
  expect(at: number): void {
    if (at >= this.#due) return;
    this.stop();
    this.#due = at;
    this.#cancel = this.#clock.after(Math.max(0, Math.ceil(at - this.#clock.now())), () => this.#wake());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#due = Infinity;
  }

  #wake(): void {
    this.#cancel = undefined;
    this.#due = Infinity;
    this.expect(this.#sweep(this.#clock.now()));
  }
}
