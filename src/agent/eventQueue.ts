/** Hands events from work that runs side by side to one reader. Nothing is taken after `end`. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: { readonly event: T; readonly onTaken?: () => void }[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** `onTaken` is called as the reader is handed the event. */
  push(event: T, onTaken?: () => void): void {
    if (this.#ended) return;
    this.#waiting.push({ event, ...(onTaken && { onTaken }) });
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const [next] = this.#waiting.splice(0, 1);
      if (next !== undefined) {
        next.onTaken?.();
        yield next.event;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
