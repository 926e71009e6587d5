import type { WireBody, WireEntry } from '../../src/wire/wireEntry.ts';

type Of<K extends WireEntry['kind']> = Extract<WireEntry, { kind: K }>;

/** What a row's entries hold, sorted for the tabs. */
export interface DetailParts {
  readonly request: Of<'http-request'> | undefined;
  readonly response: Of<'http-response'> | undefined;
  readonly frames: readonly Of<'sse-event'>[];
  readonly sent: WireBody | undefined;
  readonly received: WireBody | undefined;
  readonly errors: readonly string[];
  readonly answer: Of<'model-answer'> | undefined;
  readonly entries: readonly WireEntry[];
}

function first<K extends WireEntry['kind']>(entries: readonly WireEntry[], kind: K): Of<K> | undefined {
  return entries.find((entry): entry is Of<K> => entry.kind === kind);
}

function all<K extends WireEntry['kind']>(entries: readonly WireEntry[], kind: K): Of<K>[] {
  return entries.filter((entry): entry is Of<K> => entry.kind === kind);
}

/** The body of a message: its own, or that of the entry that carried it. */
function messageBody(message: Of<'message'> | undefined, entries: readonly WireEntry[]): WireBody | undefined {
  if (!message) return undefined;
  const carrier = entries.find(({ seq }) => seq === message.carrier);
  return message.body ?? (carrier && 'body' in carrier ? carrier.body : undefined);
}

function lineBody(entries: readonly WireEntry[], outward: boolean): WireBody | undefined {
  return all(entries, 'stdio-line').find(({ direction }) => (direction === 'out') === outward)?.body;
}

/** A stream without messages has all its events for its body. */
function joined(frames: readonly Of<'sse-event'>[]): WireBody | undefined {
  if (frames.length === 0) return undefined;
  const text = frames.map(({ body }) => body.text).join('\n');
  return { text, bytes: frames.reduce((sum, { body }) => sum + body.bytes, 0) };
}

function errorsOf(entries: readonly WireEntry[]): string[] {
  return entries.flatMap((entry) => {
    if ((entry.kind === 'http-end' || entry.kind === 'connection-close') && entry.error !== undefined)
      return [entry.error];
    if (entry.kind === 'message' && entry.head.kind === 'error') return [`${entry.head.code} ${entry.head.message}`];
    if (entry.kind === 'message' && entry.head.kind === 'notification' && entry.head.reason !== undefined)
      return [entry.head.reason];
    return [];
  });
}

/** Sorts the entries of a row of the given kind. */
export function partsOf(kind: string, entries: readonly WireEntry[]): DetailParts {
  const messages = all(entries, 'message');
  const question = messages.find(({ head }) => head.kind === 'request' || head.kind === 'notification');
  const reply = messages.find(({ head }) => head.kind === 'response' || head.kind === 'error');
  const request = first(entries, 'http-request');
  const frames = all(entries, 'sse-event');
  const answer = first(entries, 'model-answer');
  const asked = first(entries, 'model-request')?.body;
  const body = first(entries, 'http-body')?.body;
  const isRpc = kind === 'rpc';
  return {
    request,
    response: first(entries, 'http-response'),
    frames,
    sent: isRpc ? messageBody(question, entries) : (asked ?? request?.body ?? lineBody(entries, true)),
    received: isRpc ? messageBody(reply, entries) : (body ?? joined(frames) ?? lineBody(entries, false)),
    errors: errorsOf(entries),
    answer,
    entries,
  };
}
