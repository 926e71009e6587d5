import { systemClock, type Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposables.ts';

const lookEveryMs = 30_000;
/** A look that comes so much late means that the machine slept. */
const toleranceMs = 30_000;

/** The two clocks that only agree while the machine is awake. */
export interface SleepClocks {
  /** Its timers stand still while the machine sleeps. */
  readonly clock?: Clock;
  /** Goes on while the machine sleeps; milliseconds since the epoch. */
  readonly wallClock?: () => number;
}

/** Calls `onWake` after the machine has slept: connections are half open then, and timers of retries far too late. */
export function watchSleep(
  onWake: () => void,
  { clock = systemClock, wallClock = Date.now }: SleepClocks = {},
): Disposable {
  let callOff = (): void => {};
  const look = (expected: number): void => {
    if (wallClock() - expected > toleranceMs) onWake();
    plan();
  };
  const plan = (): void => {
    const expected = wallClock() + lookEveryMs;
    callOff = clock.after(lookEveryMs, () => look(expected));
  };
  plan();
  return { dispose: () => callOff() };
}
