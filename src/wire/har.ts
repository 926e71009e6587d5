import { harHeaders, harUrl, mimeTypeOf, queryOf, streamText, timesOf, type Exchange } from './harParts.ts';
import { RowBook } from './rowBook.ts';
import type { Row } from './row.ts';
import { shorten } from './format.ts';
import { turnsOf } from './sequence.ts';
import type { EntryOf, WireBody, WireEntry } from './wireEntry.ts';
import { withoutBodies } from './withoutBodies.ts';

/** What is written besides the record. */
export interface HarOptions {
  /** Version of the extension. */
  readonly version: string;
  /** False leaves out all texts and keeps their sizes. */
  readonly bodies?: boolean;
}

/** What HAR has no place for stands in members that begin with an underscore (HAR 1.2, "Custom fields"). */
export const HAR_WIRE_FORMAT = 'mcp-agent-wire';
/** Counts up with each change that older readers would misread. */
export const HAR_WIRE_VERSION = 1;

/**
 * A record as HAR 1.2: one entry for each HTTP exchange, events of streams in `_eventSourceMessages`, chat turns as pages.
 * Everything else of the record stands in `log._wire` and `log._logicalRequests`, so that it can be read back without loss.
 */
export function toHar(record: readonly WireEntry[], options: HarOptions): string {
  const entries = options.bodies === false ? record.map(withoutBodies) : record;
  const book = new RowBook();
  book.read(entries);
  const rows = new Map(book.rows().map((row) => [row.key, row]));
  const exchanges = exchangesOf(entries);
  const log = {
    version: '1.2',
    creator: { name: 'MCP Agent', version: options.version },
    pages: pagesOf([...rows.values()]),
    entries: exchanges.map((exchange) => harEntry(exchange, rows)),
    _logicalRequests: logicalRequests(entries),
    _wire: { format: HAR_WIRE_FORMAT, version: HAR_WIRE_VERSION, entries: otherEntries(entries) },
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

/** The entries of each exchange, in order of their requests. */
function exchangesOf(entries: readonly WireEntry[]): Exchange[] {
  const exchanges = new Map<number, { request: EntryOf<'http-request'>; rest: Exchange['rest'][number][] }>();
  for (const entry of entries) {
    if (entry.kind === 'http-request') exchanges.set(entry.exchange, { request: entry, rest: [] });
    else if (isOfExchange(entry)) exchanges.get(entry.exchange)?.rest.push(entry);
  }
  return [...exchanges.values()];
}

function isOfExchange(entry: WireEntry): entry is Exchange['rest'][number] {
  return (
    entry.kind === 'http-response' ||
    entry.kind === 'http-body' ||
    entry.kind === 'sse-event' ||
    entry.kind === 'http-end'
  );
}

function isLogical(entry: WireEntry, logical: ReadonlySet<string>): boolean {
  return (
    (entry.kind === 'model-request' || entry.kind === 'model-answer') && logical.has(`${entry.turn} ${entry.step}`)
  );
}

function logicalSteps(entries: readonly WireEntry[]): Set<string> {
  return new Set(
    entries.flatMap((entry) =>
      entry.kind === 'model-request' && entry.logical ? [`${entry.turn} ${entry.step}`] : [],
    ),
  );
}

/** Requests to models that the editor reaches for us: nothing of HTTP is known, so they are no entries. */
function logicalRequests(entries: readonly WireEntry[]): object[] {
  const steps = logicalSteps(entries);
  return [...steps].map((step) => {
    const own = entries.filter((entry) => isLogical(entry, new Set([step])));
    const request = own.find((entry) => entry.kind === 'model-request');
    const comment = 'As the agent sees it; the editor carried it out, so nothing of HTTP is known.';
    return { model: request?.model, startedDateTime: new Date(request?.at ?? 0).toISOString(), comment, entries: own };
  });
}

/** What is no part of an exchange that is kept, nor of a logical request. */
function otherEntries(entries: readonly WireEntry[]): WireEntry[] {
  const steps = logicalSteps(entries);
  const known = new Set(entries.flatMap((entry) => (entry.kind === 'http-request' ? [entry.exchange] : [])));
  return entries.filter((entry) => {
    if (entry.kind === 'http-request') return false;
    return !(isOfExchange(entry) && known.has(entry.exchange)) && !isLogical(entry, steps);
  });
}

function pagesOf(rows: readonly Row[]): object[] {
  const turns = turnsOf(rows);
  return [...turns].map(([id, { number, title }]) => {
    const first = rows.find(({ turn }) => turn === id);
    return {
      id,
      title: `turn ${number}: ${shorten(title, 100)}`,
      startedDateTime: new Date(first?.at ?? 0).toISOString(),
      pageTimings: {},
    };
  });
}

function harEntry(exchange: Exchange, rows: ReadonlyMap<string, Row>): object {
  const { request } = exchange;
  const row = rows.get(`x${request.exchange}`);
  const linked = (row?.links ?? []).flatMap(({ key }) => rows.get(key) ?? []);
  const model = linked.find(({ kind }) => kind === 'model');
  const rpc = linked
    .filter(({ kind }) => kind === 'rpc')
    .map(({ id, method, direction }) => ({ id, method, direction }));
  const { time, timings } = timesOf(exchange);
  const end = exchange.rest.find((entry) => entry.kind === 'http-end');
  const events = exchange.rest.filter((entry) => entry.kind === 'sse-event');
  return {
    ...(row?.turn === undefined ? {} : { pageref: row.turn }),
    startedDateTime: new Date(request.at).toISOString(),
    time,
    request: harRequest(request),
    response: harResponse(exchange),
    cache: {},
    timings,
    _resourceType: row?.stream === true ? 'eventsource' : 'fetch',
    ...(end ? {} : { _state: 'open' }),
    ...(events.length > 0 ? { _eventSourceMessages: events.map(harEvent) } : {}),
    ...(request.peer === 'mcp' ? { _mcp: { server: request.server, connection: request.connection, rpc } } : {}),
    ...(model ? { _model: { turn: model.turn, step: model.step, model: model.model, sizes: model.sizes } } : {}),
    _wire: wireOf(exchange),
  };
}

function harRequest(request: EntryOf<'http-request'>): object {
  const { body } = request;
  return {
    method: request.method,
    url: harUrl(request.url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(request.headers),
    queryString: queryOf(request.url),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
    ...(body ? { postData: { mimeType: mimeTypeOf(request.headers), text: body.text } } : {}),
  };
}

function harResponse({ rest }: Exchange): object {
  const head = rest.find((entry) => entry.kind === 'http-response');
  const body = rest.find((entry) => entry.kind === 'http-body')?.body;
  const events = rest.filter((entry) => entry.kind === 'sse-event');
  const error = rest.find((entry) => entry.kind === 'http-end')?.error;
  const size = body?.bytes ?? events.reduce((sum, event) => sum + event.body.bytes, 0);
  const text = body?.text ?? (events.length > 0 ? streamText(events) : undefined);
  return {
    status: head?.status ?? 0,
    statusText: head?.statusText ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(head?.headers ?? {}),
    content: { size, mimeType: mimeTypeOf(head?.headers ?? {}), ...(text === undefined ? {} : { text }) },
    redirectURL: locationOf(head),
    headersSize: -1,
    bodySize: size,
    ...(error === undefined ? {} : { _error: error }),
  };
}

function locationOf(head: EntryOf<'http-response'> | undefined): string {
  const location = head?.headers['location'];
  return typeof location === 'string' ? harUrl(location) : '';
}

function harEvent(event: EntryOf<'sse-event'>): object {
  const { at, seq, body, incomplete } = event;
  return {
    time: at / 1000,
    event: event.event ?? 'message',
    id: event.id ?? '',
    data: body.text,
    _wire: {
      ...{ seq, at, ...extent(body) },
      ...(event.event === undefined ? {} : { event: event.event }),
      ...(event.id === undefined ? {} : { id: event.id }),
      ...(incomplete === true ? { incomplete } : {}),
    },
  };
}

/** What HAR does not tell of a body: its true size, and whether it is whole. */
function extent({ text: _text, ...rest }: WireBody): Omit<WireBody, 'text'> {
  return rest;
}

/** What is needed besides HAR's own members to read the exchange back as it was. */
function wireOf({ request, rest }: Exchange): object {
  const { seq, at, connection, server, peer, exchange, redirectOf, body } = request;
  const response = rest.find((entry) => entry.kind === 'http-response');
  const answer = rest.find((entry) => entry.kind === 'http-body');
  const end = rest.find((entry) => entry.kind === 'http-end');
  return {
    ...{ seq, at, connection, server, peer, exchange },
    ...(redirectOf === undefined ? {} : { redirectOf }),
    ...(body ? { body: extent(body) } : {}),
    ...(response ? { response: { seq: response.seq, at: response.at } } : {}),
    ...(answer ? { answer: { seq: answer.seq, at: answer.at, ...extent(answer.body) } } : {}),
    ...(end ? { end: { seq: end.seq, at: end.at, outcome: end.outcome, error: end.error } } : {}),
  };
}
