import type { Clock } from './clock.ts';

/** Calls `expire` once when `ms` milliseconds have gone by in which it was not held. */
export class TimeLimit {
  readonly #clock: Clock;
  readonly #expire: () => void;
  #left: number;
  #since = 0;
  #cancel: (() => void) | undefined;
  #over = false;

  constructor(clock: Clock, ms: number, expire: () => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#left = ms;
    this.#run();
  }

  /** Stops the time while true; false lets it go on with what was left. */
  hold(held: boolean): void {
    if (this.#over || held !== (this.#cancel !== undefined)) return;
    if (!held) return this.#run();
    this.#cancel?.();
    this.#cancel = undefined;
    this.#left -= this.#clock.now() - this.#since;
  }

  end(): void {
    this.#over = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #run(): void {
    this.#since = this.#clock.now();
    this.#cancel = this.#clock.after(Math.max(0, this.#left), () => {
      this.end();
      this.#expire();
    });
  }
}
