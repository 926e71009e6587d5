/** Something that holds a resource until it is let go. `dispose` may be called again without effect. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function as a {@link Disposable} that runs it once. */
export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (released) return;
      released = true;
      release();
    },
  };
}

/** Owns several disposables and lets them go together, newest first. What is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const items = [...this.#items].toReversed();
    this.#items.clear();
    for (const item of items) item.dispose();
  }
}
