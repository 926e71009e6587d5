import { exchangeKey } from './httpRows.ts';
import { messageKey, PROBE, type RowState } from './row.ts';
import type { Draft, RowTable } from './rowTable.ts';
import type { EntryOf, RpcHead, RpcId } from './wireEntry.ts';

type Direction = 'in' | 'out';

function opposite(direction: Direction): Direction {
  return direction === 'in' ? 'out' : 'in';
}

/** Ids are counted per connection and direction, and 1 is not "1" (JSON-RPC 2.0, section 4). */
function idKey(connection: string, direction: Direction, id: RpcId): string {
  return `${connection}\n${direction}\n${JSON.stringify(id)}`;
}

const waiting: ReadonlySet<RowState> = new Set(['pending', 'http-error', 'no-reply', 'lost']);

/** Rows of JSON-RPC messages: a request and its answer are one row, a notification is one. */
export class RpcRows {
  readonly #table: RowTable;
  /** The latest request of each id. */
  readonly #requests = new Map<string, Draft>();
  readonly #unanswered = new Map<string, Set<Draft>>();
  readonly #byToken = new Map<string, Draft>();
  readonly #byExchange = new Map<number, Draft[]>();

  constructor(table: RowTable) {
    this.#table = table;
  }

  message(entry: EntryOf<'message'>): void {
    const { head } = entry;
    if (head.kind === 'request') this.#request(entry, head);
    else if (head.kind === 'notification') this.#notification(entry, head);
    else if (head.kind === 'response')
      this.#answer(entry, head.id, head.toolError ? 'tool-error' : 'ok', head.toolError ? 'isError' : 'ok');
    else if (head.kind === 'error') this.#answer(entry, head.id, 'error', String(head.code));
    else this.#single(entry, { direction: entry.direction, what: '?', state: 'warning' });
  }

  /** The agent's call that this request carries out. */
  find(connection: string, id: RpcId): Draft | undefined {
    return this.#requests.get(idKey(connection, 'out', id));
  }

  /** A request that we gave up on. */
  gaveUp(entry: EntryOf<'request-end'>): void {
    this.#settle(this.find(entry.connection, entry.requestId), entry.outcome, entry.at, entry.seq);
  }

  /** The exchange that carried requests ended: what it cannot have answered any more is settled. */
  exchangeEnded(entry: EntryOf<'http-end'>): void {
    const carrier = this.#table.get(exchangeKey(entry.exchange));
    for (const row of this.#byExchange.get(entry.exchange) ?? []) {
      if (row.state !== 'pending' || !carrier) continue;
      if (carrier.state === 'http-error') this.#settle(row, 'http-error', entry.at, entry.seq, carrier.status);
      else if (carrier.state === 'lost' || carrier.state === 'failed')
        this.#settle(row, 'lost', entry.at, entry.seq, carrier.status);
      else if (carrier.state === 'incomplete' || carrier.stream === true)
        this.#settle(row, 'no-reply', entry.at, entry.seq);
    }
    this.#byExchange.delete(entry.exchange);
  }

  /** The session ended: nothing of it will be answered. */
  connectionEnded(entry: EntryOf<'connection-close' | 'process-exit'>): void {
    const broke = entry.kind === 'process-exit' || entry.error !== undefined;
    for (const row of this.#unanswered.get(entry.connection) ?? [])
      if (row.state === 'pending') this.#settle(row, broke ? 'lost' : 'no-reply', entry.at, entry.seq);
    this.#unanswered.delete(entry.connection);
  }

  /** Lets go of rows that are gone. */
  prune(): void {
    for (const map of [this.#requests, this.#byToken])
      for (const [key, row] of map) if (!this.#table.get(row.key)) map.delete(key);
  }

  #request(entry: EntryOf<'message'>, head: Extract<RpcHead, { kind: 'request' }>): void {
    const key = idKey(entry.connection, entry.direction, head.id);
    const earlier = this.#requests.get(key);
    this.#supersede(earlier, entry, head.method);
    const isCall = head.method === 'tools/call';
    const row = this.#single(entry, {
      direction: entry.direction,
      what: head.target === undefined ? head.method : `${head.method} ${head.target}`,
      method: head.method,
      state: 'pending',
      id: JSON.stringify(head.id),
      ...(isCall && head.target !== undefined ? { tool: head.target } : {}),
    });
    this.#requests.set(key, row);
    this.#waiting(entry.connection).add(row);
    if (head.progressToken !== undefined)
      this.#byToken.set(idKey(entry.connection, entry.direction, head.progressToken), row);
    if (entry.exchange !== undefined && entry.direction === 'out') this.#carry(entry.exchange, row);
  }

  /** An id that is used again ends what had it before. An `initialize` that is sent again was a probe of the other transport. */
  #supersede(earlier: Draft | undefined, entry: EntryOf<'message'>, method: string): void {
    if (!earlier || !waiting.has(earlier.state)) return;
    if (method === 'initialize' && earlier.method === 'initialize')
      this.#table.change(earlier, { state: 'info', status: PROBE, end: entry.at });
    else if (earlier.state === 'pending') this.#settle(earlier, 'no-reply', entry.at, entry.seq);
  }

  #notification(entry: EntryOf<'message'>, head: Extract<RpcHead, { kind: 'notification' }>): void {
    const row = this.#single(entry, {
      direction: entry.direction,
      what: head.method,
      method: head.method,
      state: 'info',
      end: entry.at,
    });
    const about = this.#aboutOf(entry, head);
    const role = head.method === 'notifications/progress' ? 'progress' : 'about';
    this.#table.link(row, 'about', about, role);
    if (head.method !== 'notifications/cancelled') return;
    const timedOut = /time[ -]?(?:d )?(?:out|limit)|timeout|no answer (?:with)?in/i.test(head.reason ?? '');
    this.#settle(about, timedOut ? 'timeout' : 'cancelled', entry.at, entry.seq);
  }

  /** The request that a notification is about: cancelled by the side that asked, progress told by the other one. */
  #aboutOf(entry: EntryOf<'message'>, head: Extract<RpcHead, { kind: 'notification' }>): Draft | undefined {
    const { connection, direction } = entry;
    if (head.method === 'notifications/cancelled' && head.requestId !== undefined)
      return this.#requests.get(idKey(connection, direction, head.requestId));
    if (head.method === 'notifications/progress' && head.progressToken !== undefined)
      return this.#byToken.get(idKey(connection, opposite(direction), head.progressToken));
    return undefined;
  }

  #answer(entry: EntryOf<'message'>, id: RpcId | null, state: RowState, status: string): void {
    const row = id === null ? undefined : this.#requests.get(idKey(entry.connection, opposite(entry.direction), id));
    if (!row || row.state === 'ok' || row.state === 'error' || row.state === 'tool-error') {
      this.#single(entry, {
        direction: entry.direction,
        what: `answer ${JSON.stringify(id)}`,
        state: 'orphan',
        status,
        id: JSON.stringify(id),
        end: entry.at,
      });
      return;
    }
    const bytes = entry.direction === 'in' ? { down: entry.bytes } : { up: entry.bytes };
    const isLate = !waiting.has(row.state);
    this.#table.change(row, { ...bytes, ...(isLate ? {} : { state, status, end: entry.at }) }, entry.seq);
    this.#join(entry, row, 'answer');
    this.#unanswered.get(entry.connection)?.delete(row);
  }

  #single(entry: EntryOf<'message'>, row: Omit<Parameters<RowTable['add']>[1], 'key' | 'kind'>): Draft {
    const bytes = entry.direction === 'out' ? { up: entry.bytes } : { down: entry.bytes };
    const draft = this.#table.add(entry, { key: messageKey(entry.seq), kind: 'rpc', ...bytes, ...row });
    this.#join(entry, draft, 'carrier');
    return draft;
  }

  /** Links a message with the event or exchange that carried it. */
  #join(entry: EntryOf<'message'>, row: Draft, role: 'carrier' | 'answer'): void {
    if (entry.carrier !== undefined) this.#table.change(row, {}, entry.carrier);
    const carrier = this.#table.get(`e${entry.carrier}`) ?? this.#table.get(exchangeKey(entry.exchange));
    this.#table.link(row, role, carrier, 'message');
  }

  #settle(row: Draft | undefined, state: RowState, at: number, seq: number, status = ''): void {
    if (!row || (row.state !== 'pending' && !(row.state === 'cancelled' && state === 'timeout'))) return;
    this.#table.change(row, { state, status, end: at }, seq);
  }

  #carry(exchange: number, row: Draft): void {
    const rows = this.#byExchange.get(exchange) ?? [];
    rows.push(row);
    this.#byExchange.set(exchange, rows);
  }

  #waiting(connection: string): Set<Draft> {
    const rows = this.#unanswered.get(connection) ?? new Set<Draft>();
    this.#unanswered.set(connection, rows);
    return rows;
  }
}
