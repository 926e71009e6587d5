import type { Clock } from '../../base/clock.ts';

/** Calls `expire` once when there was no sign of life for the limit. A sign costs no timer of its own. */
export class SilenceLimit {
  readonly #clock: Clock;
  readonly #expire: (ms: number) => void;
  #ms: number;
  #last: number;
  #cancel: (() => void) | undefined;

  /** `expire` is told the limit, in milliseconds. */
  constructor(clock: Clock, ms: number, expire: (ms: number) => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#ms = ms;
    this.#last = clock.now();
    this.#arm(ms);
  }

  /** A sign of life. */
  alive(): void {
    this.#last = this.#clock.now();
  }

  /** Sets another limit, in milliseconds, from the last sign of life. */
  change(ms: number): void {
    if (ms === this.#ms || this.#cancel === undefined) return;
    this.#ms = ms;
    this.#cancel();
    this.#arm(ms - (this.#clock.now() - this.#last));
  }

  /** No further waiting. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(ms: number): void {
    this.#cancel = this.#clock.after(Math.max(0, ms), () => {
      const left = this.#ms - (this.#clock.now() - this.#last);
      if (left > 0) return this.#arm(left);
      this.end();
      this.#expire(this.#ms);
    });
  }
}
