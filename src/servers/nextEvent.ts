import { onAbort } from '../base/abort.ts';
import { DisposableStore } from '../base/disposables.ts';
import type { Event } from '../base/emitter.ts';

/** Resolves when `event` fires next, or when `signal` is aborted. */
export function nextEvent(event: Event<void>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const done = (): void => {
      store.dispose();
      resolve();
    };
    store.add(event(done));
    store.add(onAbort(signal, done));
  });
}
