import { setMaxListeners } from 'node:events';
import { toDisposable, type Disposable } from './disposables.ts';

/**
 * Runs `run` once when `signal` is aborted (at once if it is already). Dispose it as soon as the work is over: listeners
 * that stay on a signal that lives long are slow to walk and keep what they hold.
 */
export function onAbort(signal: AbortSignal | undefined, run: () => void): Disposable {
  if (!signal) return toDisposable(() => undefined);
  if (signal.aborted) {
    run();
    return toDisposable(() => undefined);
  }
  signal.addEventListener('abort', run, { once: true });
  return toDisposable(() => signal.removeEventListener('abort', run));
}

/** A controller that is aborted with any of `signals`. Call `release` when the work is over. */
export function linkedController(...signals: readonly (AbortSignal | undefined)[]): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  // As many may listen as there is work side by side; Node takes more than ten for a leak and writes a warning.
  setMaxListeners(0, controller.signal);
  const links = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)));
  return {
    controller,
    release: () => {
      for (const link of links) link.dispose();
    },
  };
}
