import { toDisposable, type Disposable } from './disposables.ts';

/** Subscribes `listener`; dispose the result to stop. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing side of an {@link Event}. A listener that throws does not keep the others from hearing; the first error is rethrown. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ call: (value: T) => void }>();

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(value: T): void {
    let failure: { error: unknown } | undefined;
    for (const entry of [...this.#listeners]) {
      try {
        entry.call(value);
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
