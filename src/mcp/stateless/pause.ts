import { onAbort } from '../../base/abort.ts';
import { asError } from '../../base/caught.ts';
import type { Clock } from '../../base/clock.ts';

/** Waits for so many milliseconds. Rejects with the signal's reason when it is aborted. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(asError(signal.reason));
    const cancel = clock.after(ms, () => {
      link.dispose();
      resolve();
    });
    const link = onAbort(signal, () => {
      cancel();
      reject(asError(signal.reason));
    });
  });
}

/** Waits for `work`, but not after the signal is aborted, whose reason it rejects with. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const link = onAbort(signal, () => reject(asError(signal.reason)));
    work.then(
      (value) => {
        link.dispose();
        resolve(value);
      },
      (error: unknown) => {
        link.dispose();
        reject(asError(error));
      },
    );
  });
}
