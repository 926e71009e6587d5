/** Hands events from work that runs side by side to one reader. Nothing is taken after `end`. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(event: T): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const [event] = this.#waiting.splice(0, 1);
      if (event !== undefined) yield event;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
