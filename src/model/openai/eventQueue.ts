/** Hands values from callbacks to one reader, in order; then the end, or the failure that ended it. */
export class EventQueue<T> {
  #values: T[] = [];
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(values: readonly T[]): void {
    if (this.#ended || values.length === 0) return;
    this.#values.push(...values);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** What was pushed before is still read. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#failure = { error };
    this.end();
  }

  /** Reads to the end. Throws what `fail` was given. */
  async *read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const values = this.#values;
      this.#values = [];
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
