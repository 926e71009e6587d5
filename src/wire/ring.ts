import { bodyOf, startsRow, type WireEntry } from './wireEntry.ts';

/** What an entry costs besides its body's text, roughly, in bytes. */
const ENTRY_COST = 400;

/** One such character and the whole string takes two bytes a character. In a string without any there is nothing to search. */
const beyondLatin1 = /[\u0100-\uffff]/;

/** Bytes that an entry holds in memory, roughly. */
function costOf(entry: WireEntry): number {
  const text = bodyOf(entry)?.text ?? '';
  return ENTRY_COST + text.length * (beyondLatin1.test(text) ? 2 : 1);
}

/**
 * Entries in order, the oldest dropped when there are too many rows or bytes.
 * Heads of exchanges and connections that are still open outlive this: without them what comes later could not be read.
 */
export class Ring {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** Heads that outlive their place, by what they are the head of. */
  readonly #heads = new Map<string, WireEntry>();
  readonly #open = new Set<string>();
  #entries: WireEntry[] = [];
  #start = 0;
  #rows = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(maxRows: number, maxBytes: number) {
    this.maxRows = maxRows;
    this.maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get rows(): number {
    return this.#rows;
  }

  /** How many entries were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  add(entry: WireEntry): void {
    this.#follow(entry);
    this.#entries.push(entry);
    this.#bytes += costOf(entry);
    if (startsRow(entry)) this.#rows += 1;
    while (this.#rows > this.maxRows || (this.#bytes > this.maxBytes && this.#start < this.#entries.length - 1))
      this.#dropOldest();
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) this.#compact();
  }

  entries(): WireEntry[] {
    return [...this.#heads.values(), ...this.#entries.slice(this.#start)];
  }

  /** The entry of that number, while it is kept. */
  get(seq: number): WireEntry | undefined {
    let low = this.#start;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.seq ?? seq) < seq) low = middle + 1;
      else high = middle;
    }
    const found = this.#entries[low];
    return found?.seq === seq ? found : this.#headWith(seq);
  }

  /** Entries that were never added count as dropped. */
  skip(count: number): void {
    this.#dropped += count;
  }

  #headWith(seq: number): WireEntry | undefined {
    for (const head of this.#heads.values()) if (head.seq === seq) return head;
    return undefined;
  }

  /** Forgets everything but the heads of what is open. */
  clear(): void {
    for (const entry of this.#entries.slice(this.#start)) this.#keepHead(entry);
    this.#entries = [];
    this.#start = 0;
    this.#rows = 0;
    this.#bytes = 0;
  }

  /** Keeps count of what is open. */
  #follow(entry: WireEntry): void {
    if (entry.kind === 'http-request') this.#open.add(`x${entry.exchange}`);
    if (entry.kind === 'connection-open') this.#open.add(`c${entry.connection}`);
    if (entry.kind === 'http-end') this.#end(`x${entry.exchange}`);
    if (entry.kind === 'connection-close') this.#end(`c${entry.connection}`);
  }

  #end(key: string): void {
    this.#open.delete(key);
    for (const kind of headKinds) this.#heads.delete(`${kind} ${key}`);
  }

  #dropOldest(): void {
    const entry = this.#entries[this.#start];
    if (!entry) return;
    this.#start += 1;
    this.#dropped += 1;
    this.#bytes -= costOf(entry);
    if (startsRow(entry)) this.#rows -= 1;
    this.#keepHead(entry);
  }

  #keepHead(entry: WireEntry): void {
    const key = headOf(entry);
    if (key !== undefined && this.#open.has(key)) this.#heads.set(`${entry.kind} ${key}`, entry);
  }

  #compact(): void {
    this.#entries = this.#entries.slice(this.#start);
    this.#start = 0;
  }
}

const headKinds = ['http-request', 'http-response', 'connection-open'];

function headOf(entry: WireEntry): string | undefined {
  if (entry.kind === 'http-request' || entry.kind === 'http-response') return `x${entry.exchange}`;
  return entry.kind === 'connection-open' ? `c${entry.connection}` : undefined;
}
