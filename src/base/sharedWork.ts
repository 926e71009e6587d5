import { onAbort } from './abort.ts';
import { asError } from './caught.ts';

/**
 * Work that several callers wait for together. Each may leave by its own signal; the work itself is aborted when the last
 * one has left.
 */
export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #work: Promise<T>;
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work(this.#controller.signal);
    // Whoever joins is told; nobody has to.
    this.#work.catch(() => undefined);
  }

  /** True when everybody has left: whoever comes now has to start anew. */
  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Waits for the result. Rejects as the work does, or with what `left` gives when `signal` is aborted first. */
  join(signal: AbortSignal | undefined, left: () => Error): Promise<T> {
    if (signal?.aborted) return Promise.reject(left());
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const link = onAbort(signal, () => {
        this.#waiting--;
        if (this.#waiting === 0) this.#controller.abort(signal?.reason);
        reject(left());
      });
      const release = (): void => {
        this.#waiting--;
        link.dispose();
      };
      this.#work.then(
        (value) => {
          release();
          resolve(value);
        },
        (error: unknown) => {
          release();
          reject(asError(error));
        },
      );
    });
  }
}
