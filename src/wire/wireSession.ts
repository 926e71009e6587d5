import type { SessionInfo, ToPage } from './inspectorProtocol.ts';
import type { Row } from './row.ts';
import { RowBook } from './rowBook.ts';
import type { EntryOf, WireBody, WireEntry } from './wireEntry.ts';
import type { WireBatch } from './wireLog.ts';

/** Rows that the page gets first, so that it can draw at once; the others follow in larger pieces. */
const FIRST_ROWS = 1000;
const MORE_ROWS = 20_000;

/** Where the entries of a session are: this window's log, or a saved file. */
export interface EntrySource {
  entries(): readonly WireEntry[];
  /** The entry of that number, while it is kept. */
  entry(seq: number): WireEntry | undefined;
}

/** A source that does not change. */
export function fixedSource(entries: readonly WireEntry[]): EntrySource {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  return { entries: () => entries, entry: (seq) => bySeq.get(seq) };
}

/** The rows of a source, kept up as it grows, and what stands behind each. */
export class WireSession {
  readonly #source: EntrySource;
  #book: RowBook;

  constructor(source: EntrySource) {
    this.#source = source;
    this.#book = this.#read();
  }

  rows(): Row[] {
    return this.#book.rows();
  }

  row(key: string): Row | undefined {
    return this.#book.row(key);
  }

  /** What a page is told first: the latest rows, then the older ones. */
  start(session: SessionInfo): ToPage[] {
    const rows = this.rows();
    const from = Math.max(0, rows.length - FIRST_ROWS);
    const messages: ToPage[] = [{ kind: 'start', session, rows: rows.slice(from) }];
    for (let end = from; end > 0; end -= MORE_ROWS)
      messages.push({
        kind: 'rows',
        changed: rows.slice(Math.max(0, end - MORE_ROWS), end),
        removed: [],
        bytes: session.bytes,
      });
    return messages;
  }

  /** Takes in a batch; gives what changed. */
  update({ appended, cleared }: WireBatch): { readonly changed: readonly Row[]; readonly removed: readonly string[] } {
    if (cleared) this.#book = this.#read();
    else this.#book.read(appended);
    this.#book.forget((seq) => this.#source.entry(seq) !== undefined);
    return this.#book.takeChanges();
  }

  /** The entries that a row is made of, with those of the exchange that carried it and of its answer. */
  entriesOf(key: string): WireEntry[] {
    const row = this.row(key);
    if (!row) return [];
    const near = row.links.filter(
      ({ role, key: other }) => role === 'answer' || (role === 'carrier' && !this.#isSessionStream(other)),
    );
    const seqs = new Set([key, ...near.map((link) => link.key)].flatMap((one) => this.#book.seqsOf(one)));
    return [...seqs].sort((a, b) => a - b).flatMap((seq) => this.#source.entry(seq) ?? []);
  }

  /** The text that stands for a row: the message, the body, the event's data, the line. */
  valueOf(key: string): { readonly sent?: WireBody; readonly received?: WireBody } {
    const row = this.row(key);
    const entries = this.entriesOf(key);
    if (row?.kind === 'rpc') return this.#messageValues(entries);
    const asked = entries.find((entry): entry is EntryOf<'model-request'> => entry.kind === 'model-request');
    const sent =
      asked?.body ?? entries.find((entry): entry is EntryOf<'http-request'> => entry.kind === 'http-request')?.body;
    const received =
      entries.find((entry): entry is EntryOf<'http-body'> => entry.kind === 'http-body')?.body ?? streamText(entries);
    const line = entries.find((entry): entry is EntryOf<'stdio-line'> => entry.kind === 'stdio-line')?.body;
    return { ...(sent ? { sent } : {}), ...(received ? { received } : line ? { received: line } : {}) };
  }

  #messageValues(entries: readonly WireEntry[]): { sent?: WireBody; received?: WireBody } {
    const messages = entries.filter((entry): entry is EntryOf<'message'> => entry.kind === 'message');
    const bodyOfMessage = (message: EntryOf<'message'> | undefined): WireBody | undefined => {
      const carrier = message?.carrier === undefined ? undefined : this.#source.entry(message.carrier);
      return message?.body ?? (carrier && 'body' in carrier ? carrier.body : undefined);
    };
    const isAnswer = ({ head }: EntryOf<'message'>): boolean => head.kind === 'response' || head.kind === 'error';
    const sent = bodyOfMessage(messages.find((message) => !isAnswer(message)));
    const received = bodyOfMessage(messages.find(isAnswer));
    return { ...(sent ? { sent } : {}), ...(received ? { received } : {}) };
  }

  #isSessionStream(key: string): boolean {
    const row = this.row(key);
    return row?.stream === true && row.method === 'GET';
  }

  #read(): RowBook {
    const book = new RowBook();
    book.read(this.#source.entries());
    book.takeChanges();
    return book;
  }
}

/** The events of a stream as one text, one event a line. */
function streamText(entries: readonly WireEntry[]): WireBody | undefined {
  const events = entries.filter((entry): entry is EntryOf<'sse-event'> => entry.kind === 'sse-event');
  if (events.length === 0) return undefined;
  const bytes = events.reduce((sum, { body }) => sum + body.bytes, 0);
  return { text: events.map(({ body }) => body.text).join('\n'), bytes };
}
