import { systemClock, type Clock } from './clock.ts';

/** Lets so many things happen within so many milliseconds, counted for each key on its own. */
export class RateLimit {
  readonly #most: number;
  readonly #withinMs: number;
  readonly #clock: Clock;
  readonly #times = new Map<string, number[]>();

  constructor(most: number, withinMs: number, clock: Clock = systemClock) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#clock = clock;
  }

  /** True, and counted, where one more is within the limit. */
  take(key: string): boolean {
    const now = this.#clock.now();
    const recent = (this.#times.get(key) ?? []).filter((time) => now - time < this.#withinMs);
    const allowed = recent.length < this.#most;
    if (allowed) recent.push(now);
    this.#times.set(key, recent);
    return allowed;
  }
}
