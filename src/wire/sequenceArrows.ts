import { shorten } from './format.ts';
import { isFault, type Row, type RowState } from './row.ts';
import type { Phase } from './sequencePhases.ts';

/** The lifeline of the person. */
export const YOU = 'you';
/** The lifeline of the agent. */
export const AGENT = 'agent';

/** One message between two lifelines. */
export interface Arrow {
  readonly kind: 'arrow';
  /** Key of the row that it shows. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly bytes?: number;
  /** Time that the answer took. */
  readonly milliseconds?: number;
  readonly answer: boolean;
  /** Nobody answers it. */
  readonly dashed: boolean;
  readonly fault: boolean;
}

/** What arrows say in a person's language. */
export interface SequenceWords {
  readonly closed: string;
  readonly lost: string;
  /** Of a row that did not end well. */
  readonly state: (state: RowState) => string;
}

export const ENGLISH: SequenceWords = {
  closed: 'connection closed',
  lost: 'connection lost',
  state: (state) => state,
};

/** An arrow and when it happened. */
export interface Timed {
  readonly at: number;
  readonly number: number;
  readonly turn: string | undefined;
  readonly phase: { readonly phase: Phase; readonly server: string; readonly connection: string } | undefined;
  readonly arrow: Arrow;
}

function peerOf(row: Row): string {
  return row.peer === 'model' ? `model:${row.model ?? row.server}` : `server:${row.server}`;
}

/** An exchange that carried a message is told by the message. What is left: streams, probes, refusals. */
function isCarrier(row: Row, probes: ReadonlySet<string>): boolean {
  if (row.kind === 'sse' && row.what === 'endpoint') return false;
  return row.links.some(({ role, key }) => role === 'stream' || (role === 'message' && !probes.has(key)));
}

/** Whether a row has arrows of its own; `frames` shows what only carries messages, too. */
export function isDrawn(row: Row, frames: boolean, probes: ReadonlySet<string>): boolean {
  if (probes.has(row.key)) return false;
  if (row.kind === 'rpc' || row.kind === 'model') return true;
  if (row.kind !== 'http' && row.kind !== 'sse') return false;
  if (frames) return true;
  if (row.peer === 'model') return false;
  return row.stream === true && row.method === 'GET' ? true : !isCarrier(row, probes);
}

function questionLabel(row: Row): string {
  if (row.kind === 'http') return `${row.method ?? ''} ${row.what}`;
  return row.kind === 'sse' ? `event ${row.what}` : row.what;
}

function answerLabel(row: Row, words: SequenceWords): string {
  if (row.kind === 'model')
    return row.calls?.join(', ') ?? (row.answer === undefined ? row.status : `“${shorten(row.answer, 60)}”`);
  if (row.kind === 'rpc') return row.state === 'ok' ? '✓' : `${words.state(row.state)} ${row.status}`.trim();
  return row.stream === true ? `${row.status} stream` : row.status || words.state(row.state);
}

function question(row: Row): Arrow {
  const other = peerOf(row);
  const outward = row.direction !== 'in';
  const bytes = outward ? row.up : row.down;
  return {
    ...{ kind: 'arrow', key: row.key, label: questionLabel(row), answer: false },
    from: outward ? AGENT : other,
    to: outward ? other : AGENT,
    dashed: row.kind === 'sse' || (row.kind === 'rpc' && row.id === undefined),
    fault: row.kind === 'sse' && isFault(row),
    ...(bytes > 0 ? { bytes } : {}),
  };
}

function answer(row: Row, end: number, words: SequenceWords): Arrow {
  const { from, to } = question(row);
  const bytes = from === AGENT ? row.down : row.up;
  const isStream = row.kind === 'http' && row.stream === true;
  return {
    ...{ kind: 'arrow', key: row.key, from: to, to: from, label: answerLabel(row, words), answer: true, dashed: false },
    fault: isFault(row),
    ...(bytes > 0 && !isStream ? { bytes } : {}),
    ...(isStream ? {} : { milliseconds: end - row.at }),
  };
}

function hasAnswer(row: Row): boolean {
  if (row.kind === 'sse' || row.state === 'orphan') return false;
  return row.kind === 'rpc'
    ? row.id !== undefined && row.end !== undefined
    : row.status !== '' || row.end !== undefined;
}

/** The question and, where there is one, the answer of a row. A model's turn begins with the person and ends there. */
export function arrowsOf(row: Row, phase: Timed['phase'], words: SequenceWords): Timed[] {
  const at = { number: row.number, turn: row.turn, phase };
  const arrows: Timed[] = [{ ...at, at: row.at, arrow: question(row) }];
  if (!hasAnswer(row)) return arrows;
  const end = row.stream === true && row.kind === 'http' ? row.at + 0.001 : (row.end ?? row.at);
  arrows.push({ ...at, at: end, arrow: answer(row, end, words) });
  return arrows;
}

/** What the person asked before the first request of a turn, and what they were told after its last. */
export function personArrows(row: Row): Timed[] {
  if (row.kind !== 'model') return [];
  const at = { number: row.number, turn: row.turn, phase: undefined };
  const arrow = { kind: 'arrow', key: row.key, answer: false, dashed: false, fault: false } as const;
  const result: Timed[] = [];
  if (row.step === 1 && row.prompt !== undefined)
    result.push({
      ...at,
      at: row.at - 0.001,
      arrow: { ...arrow, from: YOU, to: AGENT, label: `“${shorten(row.prompt, 60)}”` },
    });
  if (row.calls === undefined && row.answer !== undefined && row.end !== undefined)
    result.push({
      ...at,
      at: row.end + 0.001,
      arrow: { ...arrow, from: AGENT, to: YOU, answer: true, label: `“${shorten(row.answer, 60)}”` },
    });
  return result;
}

/** The end of a session. */
export function endOf(row: Row, words: SequenceWords): Timed {
  const { server, connection } = row;
  const lost = row.state === 'lost';
  const other = `server:${server}`;
  const arrow: Arrow = {
    kind: 'arrow',
    key: row.key,
    from: lost ? other : AGENT,
    to: lost ? AGENT : other,
    label: lost ? words.lost : words.closed,
    answer: false,
    dashed: true,
    fault: lost,
  };
  return {
    at: row.end ?? row.at,
    number: row.number,
    turn: undefined,
    phase: { phase: 'end', server, connection },
    arrow,
  };
}
