import { isRecord, parseJson } from '../base/json.ts';
import type { RowState } from './row.ts';
import type { Draft, RowTable } from './rowTable.ts';
import type { EntryOf } from './wireEntry.ts';

/** Key of the row of an exchange. */
export function exchangeKey(exchange: number | undefined): string | undefined {
  return exchange === undefined ? undefined : `x${exchange}`;
}

/** Path and query of a URL: the origin is the server's, which has a column of its own. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
}

/** True where an event tells of an error: by its name, or as an endpoint does it, by a member `error` beside no JSON-RPC. */
function tellsError({ event, body }: EntryOf<'sse-event'>): boolean {
  if (event === 'error') return true;
  if (!body.text.startsWith('{') || !body.text.includes('"error"')) return false;
  const parsed = parseJson(body.text);
  return parsed.ok && isRecord(parsed.value) && parsed.value.jsonrpc === undefined && Boolean(parsed.value.error);
}

/** Rows of HTTP exchanges and of the events of their streams. */
export class HttpRows {
  readonly #table: RowTable;

  constructor(table: RowTable) {
    this.#table = table;
  }

  request(entry: EntryOf<'http-request'>): void {
    const row = this.#table.add(entry, {
      key: `x${entry.exchange}`,
      kind: 'http',
      direction: 'out',
      what: pathOf(entry.url),
      method: entry.method,
      state: 'pending',
      up: entry.body?.bytes ?? 0,
    });
    this.#table.link(row, 'redirect', this.#table.get(exchangeKey(entry.redirectOf)), 'redirect');
  }

  response(entry: EntryOf<'http-response'>): void {
    const row = this.#row(entry.exchange);
    const type = entry.headers['content-type'];
    const stream = typeof type === 'string' && type.toLowerCase().startsWith('text/event-stream');
    const state = entry.status >= 400 ? 'http-error' : stream ? 'open' : 'pending';
    this.#table.change(row, { status: String(entry.status), state, ...(stream ? { stream: true } : {}) }, entry.seq);
  }

  body(entry: EntryOf<'http-body'>): void {
    const row = this.#row(entry.exchange);
    this.#table.change(row, { down: (row?.down ?? 0) + entry.body.bytes }, entry.seq);
  }

  event(entry: EntryOf<'sse-event'>): void {
    const stream = this.#row(entry.exchange);
    const failed = tellsError(entry);
    const state: RowState = entry.incomplete === true ? 'incomplete' : failed ? 'stream-error' : 'info';
    const row = this.#table.add(entry, {
      key: `e${entry.seq}`,
      kind: 'sse',
      direction: 'in',
      what: entry.event ?? 'message',
      state,
      down: entry.body.bytes,
      end: entry.at,
    });
    if (stream) this.#table.pointTo(row, 'stream', stream);
    if (stream?.turn !== undefined) this.#table.change(row, { turn: stream.turn });
    const worse = state === 'info' ? {} : { state };
    const frames = (stream?.frames ?? 0) + 1;
    this.#table.change(stream, { frames, down: (stream?.down ?? 0) + entry.body.bytes, ...worse }, entry.seq);
  }

  end(entry: EntryOf<'http-end'>): void {
    const row = this.#row(entry.exchange);
    if (!row) return;
    const state = endState(row, entry.outcome);
    const status = row.status === '' && entry.error !== undefined ? entry.error : row.status;
    this.#table.change(row, { state, status, end: entry.at }, entry.seq);
  }

  #row(exchange: number): Draft | undefined {
    return this.#table.get(exchangeKey(exchange));
  }
}

/** An exchange that was answered by an error stays that, whatever ends it. */
function endState(row: Draft, outcome: EntryOf<'http-end'>['outcome']): RowState {
  if (row.state === 'http-error' || row.state === 'stream-error' || row.state === 'incomplete') return row.state;
  if (outcome === 'complete') return 'ok';
  if (outcome === 'error') return row.status === '' ? 'failed' : 'lost';
  return row.stream === true && row.method === 'GET' ? 'closed' : 'cancelled';
}
