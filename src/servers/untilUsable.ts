import { onAbort } from '../base/abort.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { DisposableStore, toDisposable } from '../base/disposables.ts';
import type { ServerPool } from './serverPool.ts';

/** How long a turn waits for further servers once one is ready, in milliseconds. */
const graceMs = 1500;
/** How long it waits for the first one, in milliseconds. */
const longestMs = 15_000;
/** How long it waits for servers that had failed and are tried again, in milliseconds. */
const againMs = 500;

/**
 * Resolves when a turn should begin: every server is ready or has failed once; or one is ready and the others had a moment more; or none
 * came for long; or `signal` says so. Servers that had failed are tried again for it. What comes later is there from the next step on, so nobody waits for a server that never answers.
 */
export function untilUsable(pool: ServerPool, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  const again = untilTriedAgain(pool, signal, clock);
  const store = new DisposableStore();
  const enough = new Promise<void>((resolve) => {
    store.add(onAbort(signal, resolve));
    store.add(toDisposable(clock.after(longestMs, resolve)));
    let isCounting = false;
    const look = (): void => {
      if (isCounting || !pool.servers.some(({ state }) => state.kind === 'ready')) return;
      isCounting = true;
      store.add(toDisposable(clock.after(graceMs, resolve)));
    };
    store.add(pool.onDidChange(look));
    look();
  });
  const usable = Promise.race([pool.ready(), enough]).finally(() => store.dispose());
  return Promise.all([usable, again]).then(() => undefined);
}

/** Tries failed servers again, since a turn is about to begin, and resolves when they have answered or had their moment. */
export function untilTriedAgain(pool: ServerPool, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
  const store = new DisposableStore();
  const enough = new Promise<void>((resolve) => {
    store.add(onAbort(signal, resolve));
    store.add(toDisposable(clock.after(againMs, resolve)));
  });
  return Promise.race([pool.tryAgain(), enough]).finally(() => store.dispose());
}
