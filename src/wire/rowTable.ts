import type { LinkRole, Row } from './row.ts';
import type { WireEntry } from './wireEntry.ts';

/** A row while its answers come in. */
export type Draft = { -readonly [K in keyof Row]: Row[K] };

type NewRow = Omit<Row, 'number' | 'connection' | 'server' | 'peer' | 'at' | 'links' | 'up' | 'down' | 'status'> &
  Partial<Pick<Row, 'up' | 'down' | 'status'>>;

interface Kept {
  readonly row: Draft;
  /** The entries that it is made of. */
  readonly seqs: Set<number>;
}

/** The rows in order, the entries that each is made of, and which of them changed. */
export class RowTable {
  readonly #rows = new Map<string, Kept>();
  readonly #changed = new Set<Draft>();
  #removed: string[] = [];
  #count = 0;

  /** Begins a row with its first entry. */
  add(entry: WireEntry, row: NewRow): Draft {
    this.#count += 1;
    const { connection, server, peer, at } = entry;
    const draft: Draft = {
      number: this.#count,
      connection,
      server,
      peer,
      at,
      links: [],
      up: 0,
      down: 0,
      status: '',
      ...row,
    };
    this.#rows.set(row.key, { row: draft, seqs: new Set([entry.seq]) });
    this.#changed.add(draft);
    return draft;
  }

  get(key: string | undefined): Draft | undefined {
    return key === undefined ? undefined : this.#rows.get(key)?.row;
  }

  rows(): Row[] {
    return [...this.#rows.values()].map(({ row }) => row);
  }

  /** Changes a row and adds the entry that tells of it. */
  change(row: Draft | undefined, changes: Partial<Draft>, seq?: number): void {
    if (!row) return;
    Object.assign(row, changes);
    const kept = this.#rows.get(row.key);
    if (seq !== undefined) kept?.seqs.add(seq);
    this.#changed.add(row);
  }

  /** Takes a row back. */
  remove(key: string): void {
    const kept = this.#rows.get(key);
    if (!kept) return;
    this.#rows.delete(key);
    this.#changed.delete(kept.row);
    this.#removed.push(key);
  }

  /** Joins two rows, each told what the other is to it. */
  link(from: Draft | undefined, role: LinkRole, to: Draft | undefined, back: LinkRole): void {
    if (!from || !to || from === to || from.links.some((link) => link.role === role && link.key === to.key)) return;
    this.pointTo(from, role, to);
    this.pointTo(to, back, from);
    const turn = from.turn ?? to.turn;
    if (turn !== undefined) this.#spread(turn, from, to);
  }

  /** Tells a row of another that does not keep count of it: a stream has too many events. */
  pointTo(from: Draft, role: LinkRole, to: Draft): void {
    this.change(from, { links: [...from.links, { role, key: to.key }] });
  }

  /** The entries of a row by their `seq`, ascending. */
  seqsOf(key: string): readonly number[] {
    return [...(this.#rows.get(key)?.seqs ?? [])].sort((a, b) => a - b);
  }

  /** Forgets rows of which nothing is kept. True when there were any. */
  forget(isKept: (seq: number) => boolean): boolean {
    const before = this.#rows.size;
    for (const [key, { row, seqs }] of this.#rows) {
      if ([...seqs].some(isKept)) {
        if (row.kind !== 'session' && row.stream !== true) break;
        continue;
      }
      this.remove(key);
    }
    return this.#rows.size < before;
  }

  /** What changed since it was last asked. */
  takeChanges(): { changed: Row[]; removed: string[] } {
    const changed = [...this.#changed].sort((a, b) => a.number - b.number);
    const removed = this.#removed;
    this.#changed.clear();
    this.#removed = [];
    return { changed, removed };
  }

  /** What carries out a turn belongs to it: the call, its exchange, its answer. The stream of a session belongs to none. */
  #spread(turn: string, ...rows: readonly Draft[]): void {
    for (const row of rows) {
      if (row.turn !== undefined || row.kind === 'session' || (row.stream === true && row.method === 'GET')) continue;
      this.change(row, { turn });
      for (const { role, key } of row.links) {
        const next = role === 'stream' ? undefined : this.get(key);
        if (next) this.#spread(turn, next);
      }
    }
  }
}
