import { systemClock, type Clock } from './clock.ts';
import type { Disposable } from './disposables.ts';

/** Runs something once for many reasons that come close after each other. */
export interface Coalesced extends Disposable {
  (): void;
}

/** Each call makes `run` happen `delayMs` later, unless that is planned already. Disposed, it runs no more. */
export function coalesce(run: () => void, delayMs: number, clock: Clock = systemClock): Coalesced {
  let callOff: (() => void) | undefined;
  let isDisposed = false;
  const plan = (): void => {
    if (isDisposed) return;
    callOff ??= clock.after(delayMs, () => {
      callOff = undefined;
      run();
    });
  };
  return Object.assign(plan, {
    dispose: () => {
      isDisposed = true;
      callOff?.();
    },
  });
}
