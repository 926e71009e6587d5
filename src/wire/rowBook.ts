import { HttpRows } from './httpRows.ts';
import { ModelRows } from './modelRows.ts';
import type { Row } from './row.ts';
import { RpcRows } from './rpcRows.ts';
import { RowTable, type Draft } from './rowTable.ts';
import type { EntryOf, WireEntry } from './wireEntry.ts';

const FIRST_LINE = 200;

/** Makes rows of entries, as they come: question and answer joined over POST, stream and id; a model's turn with its calls. */
export class RowBook {
  readonly #table = new RowTable();
  readonly #http = new HttpRows(this.#table);
  readonly #rpc = new RpcRows(this.#table);
  readonly #model = new ModelRows(this.#table, this.#rpc);
  readonly #sessions = new Map<string, Draft>();
  /** Lines that turned out to be messages need no row of their own. */
  readonly #lines = new Map<number, EntryOf<'stdio-line'>>();

  /** Reads entries in their order. */
  read(entries: Iterable<WireEntry>): void {
    for (const entry of entries) this.#read(entry);
    for (const line of this.#lines.values()) this.#line(line);
    this.#lines.clear();
  }

  rows(): Row[] {
    return this.#table.rows();
  }

  row(key: string): Row | undefined {
    return this.#table.get(key);
  }

  /** The numbers of the entries that a row is made of. */
  seqsOf(key: string): readonly number[] {
    return this.#table.seqsOf(key);
  }

  /** Forgets rows whose entries are gone. */
  forget(isKept: (seq: number) => boolean): void {
    if (!this.#table.forget(isKept)) return;
    this.#rpc.prune();
    this.#model.prune();
    for (const [connection, row] of this.#sessions) if (!this.#table.get(row.key)) this.#sessions.delete(connection);
  }

  takeChanges(): { changed: Row[]; removed: string[] } {
    return this.#table.takeChanges();
  }

  #read(entry: WireEntry): void {
    switch (entry.kind) {
      case 'http-request':
        return this.#http.request(entry);
      case 'http-response':
        return this.#http.response(entry);
      case 'http-body':
        return this.#http.body(entry);
      case 'sse-event':
        return this.#http.event(entry);
      case 'http-end':
        this.#http.end(entry);
        this.#rpc.exchangeEnded(entry);
        return this.#model.exchangeEnded(entry);
      case 'message':
        if (entry.carrier !== undefined) this.#noLine(entry.carrier);
        return this.#message(entry);
      case 'request-end':
        return this.#rpc.gaveUp(entry);
      case 'tool-call':
        return this.#model.call(entry);
      case 'model-request':
        return this.#model.request(entry);
      case 'model-answer':
        return this.#model.answer(entry);
      case 'stdio-line':
        this.#lines.set(entry.seq, entry);
        return;
      default:
        return this.#readOther(entry);
    }
  }

  #message(entry: EntryOf<'message'>): void {
    this.#rpc.message(entry);
    if (entry.head.kind === 'request' && entry.direction === 'out')
      this.#model.requestSent(entry.connection, entry.head.id);
  }

  #readOther(
    entry: EntryOf<'connection-open' | 'connection-close' | 'process-start' | 'process-exit' | 'note' | 'annotation'>,
  ): void {
    if (entry.kind === 'note') this.#note(entry);
    else if (entry.kind === 'annotation') this.#annotate(entry);
    else if (entry.kind === 'connection-open' || entry.kind === 'process-start') this.#open(entry);
    else this.#close(entry);
  }

  #open(entry: EntryOf<'connection-open' | 'process-start'>): void {
    const existing = this.#sessions.get(entry.connection);
    if (existing && entry.kind === 'connection-open') {
      this.#table.change(existing, { status: entry.protocolVersion ?? '' }, entry.seq);
      return;
    }
    const what = entry.kind === 'process-start' ? [entry.command, ...entry.args].join(' ') : entry.transport;
    const status = entry.kind === 'connection-open' ? (entry.protocolVersion ?? '') : '';
    const row = this.#table.add(entry, {
      key: `c${entry.seq}`,
      kind: 'session',
      direction: 'none',
      what,
      status,
      state: 'open',
    });
    this.#sessions.set(entry.connection, row);
  }

  #close(entry: EntryOf<'connection-close' | 'process-exit'>): void {
    this.#rpc.connectionEnded(entry);
    const broke = entry.kind === 'process-exit' ? entry.code !== 0 : entry.error !== undefined;
    const row = this.#sessions.get(entry.connection);
    const state = broke || row?.state === 'lost' ? 'lost' : 'closed';
    this.#table.change(row, { state, end: entry.at }, entry.seq);
  }

  #note(entry: EntryOf<'note'>): void {
    const state = entry.level === 'error' ? 'error' : entry.level === 'warning' ? 'warning' : 'info';
    const row = this.#table.add(entry, {
      key: `n${entry.seq}`,
      kind: 'note',
      direction: 'none',
      what: entry.text,
      state,
      end: entry.at,
      status: entry.level,
    });
    this.#table.link(row, 'about', this.#table.get(`x${entry.exchange}`), 'about');
  }

  /** Lines are rows only where they are no messages: text that a server wrote to stdout, and its stderr. */
  #line(entry: EntryOf<'stdio-line'>): void {
    const source = entry.direction === 'err' ? 'stderr' : entry.direction === 'in' ? 'stdout' : 'stdin';
    const isOut = entry.direction === 'out';
    this.#table.add(entry, {
      key: `l${entry.seq}`,
      kind: 'line',
      direction: isOut ? 'out' : 'in',
      what: entry.body.text.slice(0, FIRST_LINE),
      state: entry.direction === 'in' ? 'warning' : 'info',
      status: source,
      source,
      end: entry.at,
      ...(isOut ? { up: entry.body.bytes } : { down: entry.body.bytes }),
    });
  }

  #noLine(seq: number): void {
    if (!this.#lines.delete(seq)) this.#table.remove(`l${seq}`);
  }

  #annotate(entry: EntryOf<'annotation'>): void {
    const row = this.#table.get(entry.row);
    if (!row) return;
    if (entry.pinned === false) delete row.pinned;
    if (entry.note === '') delete row.note;
    this.#table.change(row, {
      ...(entry.pinned === true ? { pinned: true } : {}),
      ...(entry.note === undefined || entry.note === '' ? {} : { note: entry.note }),
      ...(entry.replayOf === undefined ? {} : { replayOf: entry.replayOf }),
    });
  }
}
