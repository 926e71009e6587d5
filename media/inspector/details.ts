import type { WireEntry } from '../../src/wire/wireEntry.ts';
import type { Host } from './host.ts';

/** Details that are kept on the page, so that going back and forth asks for nothing. */
const KEPT = 30;

/** The entries of rows, asked of the host when somebody looks. */
export class Details {
  readonly #host: Host;
  readonly #entries = new Map<string, readonly WireEntry[]>();
  readonly #listeners = new Set<(key: string) => void>();

  constructor(host: Host) {
    this.#host = host;
  }

  onDidArrive(listener: (key: string) => void): void {
    this.#listeners.add(listener);
  }

  /** What is known of a row; asks for it where nothing is. */
  get(key: string): readonly WireEntry[] | undefined {
    const known = this.#entries.get(key);
    if (!known) this.#host.send({ kind: 'detail', key });
    return known;
  }

  arrived(key: string, entries: readonly WireEntry[]): void {
    this.#entries.delete(key);
    this.#entries.set(key, entries);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > KEPT && oldest !== undefined) this.#entries.delete(oldest);
    for (const listener of this.#listeners) listener(key);
  }

  /** A row changed: what was known of it is old. */
  changed(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
