import { toDisposable, type Disposable } from '../base/disposables.ts';

/** Time and chance, passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`, unless disposed before. */
  later(action: () => void, delayMs: number): Disposable;
  /** From 0 up to 1. */
  random(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: Date.now,
  later(action, delayMs) {
    const timer = setTimeout(action, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
  random: Math.random,
};
