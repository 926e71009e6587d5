import { isFault, PROBE, type Row } from './row.ts';

/** The part of a session that something belongs to. */
export type Phase = 'connect' | 'initialize' | 'operate' | 'end';

export const YOU = 'you';
export const AGENT = 'agent';

/** Who takes part: `id` is `you`, `agent`, `model:<name>` or `server:<name>`. */
export interface Lane {
  readonly id: string;
  readonly name: string;
}

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

export type SequenceItem =
  | Arrow
  | { readonly kind: 'phase'; readonly phase: Phase; readonly server: string }
  | { readonly kind: 'turn'; readonly turn: string; readonly number: number; readonly title: string }
  /** Arrows of a turn that are folded together. */
  | { readonly kind: 'folded'; readonly turn: string; readonly arrows: number; readonly key: string };

export interface Sequence {
  readonly lanes: readonly Lane[];
  readonly items: readonly SequenceItem[];
}

export interface SequenceOptions {
  /** Show HTTP exchanges and events that carry a message, too. */
  readonly frames?: boolean;
  /** Beyond so many arrows frames are left out, then turns are folded. */
  readonly limit?: number;
  /** Turns that stay unfolded. */
  readonly unfolded?: ReadonlySet<string>;
}

/** An arrow and when it happened. */
interface Timed {
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

function isProbe(row: Row): boolean {
  return row.kind === 'rpc' && row.status === PROBE;
}

function isDrawn(row: Row, frames: boolean, probes: ReadonlySet<string>): boolean {
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

function answerLabel(row: Row): string {
  if (row.kind === 'model')
    return row.calls?.join(', ') ?? (row.answer === undefined ? row.status : `“${shorten(row.answer, 60)}”`);
  if (row.kind === 'rpc') return row.state === 'ok' ? '✓' : `${row.state} ${row.status}`.trim();
  return row.stream === true ? `${row.status} stream` : row.status || row.state;
}

/** At most `length` characters, in one line. */
export function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
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

function answer(row: Row, end: number): Arrow {
  const { from, to } = question(row);
  const bytes = from === AGENT ? row.down : row.up;
  const isStream = row.kind === 'http' && row.stream === true;
  return {
    ...{ kind: 'arrow', key: row.key, from: to, to: from, label: answerLabel(row), answer: true, dashed: false },
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
function arrowsOf(row: Row, phase: Timed['phase']): Timed[] {
  const at = { number: row.number, turn: row.turn, phase };
  const arrows: Timed[] = [{ ...at, at: row.at, arrow: question(row) }];
  if (!hasAnswer(row)) return arrows;
  const end = row.stream === true && row.kind === 'http' ? row.at + 0.001 : (row.end ?? row.at);
  arrows.push({ ...at, at: end, arrow: answer(row, end) });
  return arrows;
}

function personArrows(row: Row): Timed[] {
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

/** Which phase each row of a server belongs to: what comes before `initialize` connects, what comes after `initialized` operates. */
function phases(rows: readonly Row[]): Map<string, Phase> {
  const now = new Map<string, Phase>();
  const begun = connectionsThatBegan(rows);
  const result = new Map<string, Phase>();
  for (const row of rows) {
    if (row.peer !== 'mcp' || isProbe(row)) continue;
    const before = now.get(row.connection) ?? (begun.has(row.connection) ? 'connect' : 'operate');
    const carriesStart = row.method === 'initialize' || row.method === 'server/discover';
    const phase = carriesStart && row.kind === 'rpc' ? 'initialize' : row.method === 'DELETE' ? 'end' : before;
    now.set(row.connection, phase);
    result.set(row.key, phase);
    if (row.method === 'notifications/initialized') now.set(row.connection, 'operate');
  }
  return result;
}

/** Connections whose beginning is among the rows; of the others these are a part from the middle. */
function connectionsThatBegan(rows: readonly Row[]): Set<string> {
  const began = new Set(rows.map(({ connection }) => connection));
  for (const row of rows) if (row.kind === 'rpc' && row.direction === 'out') began.delete(row.connection);
  for (const row of rows) if (row.method === 'initialize') began.add(row.connection);
  return began;
}

/** The lifelines and what passes between them, in order of time. */
export function sequenceOf(rows: readonly Row[], options: SequenceOptions = {}): Sequence {
  const limit = options.limit ?? 200;
  const drawn = (frames: boolean): Timed[] => timedArrows(rows, frames);
  let timed = drawn(options.frames === true);
  if (timed.length > limit && options.frames === true) timed = drawn(false);
  const items = withHeadings(timed, rows);
  return { lanes: lanesOf(timed), items: timed.length > limit ? fold(items, options.unfolded ?? new Set()) : items };
}

function timedArrows(rows: readonly Row[], frames: boolean): Timed[] {
  const probes = new Set(rows.filter(isProbe).map(({ key }) => key));
  const phaseOf = phases(rows);
  const ends = new Map<string, Row>();
  const timed = rows.flatMap((row) => {
    if (row.kind === 'session' && row.end !== undefined) ends.set(row.connection, row);
    if (!isDrawn(row, frames, probes)) return [];
    const phase =
      row.peer === 'mcp'
        ? { phase: phaseOf.get(row.key) ?? 'operate', server: row.server, connection: row.connection }
        : undefined;
    return [...arrowsOf(row, phase), ...personArrows(row)];
  });
  for (const row of ends.values()) timed.push(endOf(row));
  return timed.sort((a, b) => a.at - b.at || a.number - b.number);
}

function endOf(row: Row): Timed {
  const { server, connection } = row;
  const lost = row.state === 'lost';
  const other = `server:${server}`;
  const label = lost ? 'connection lost' : 'connection closed';
  const arrow: Arrow = {
    kind: 'arrow',
    key: row.key,
    from: lost ? other : AGENT,
    to: lost ? AGENT : other,
    label,
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

function lanesOf(timed: readonly Timed[]): Lane[] {
  const ids = new Set(timed.flatMap(({ arrow }) => [arrow.from, arrow.to]));
  const others = [...ids].filter((id) => id !== YOU && id !== AGENT);
  const ordered = [
    YOU,
    AGENT,
    ...others.filter((id) => id.startsWith('model:')),
    ...others.filter((id) => id.startsWith('server:')),
  ];
  return ordered
    .filter((id) => id === AGENT || ids.has(id))
    .map((id) => ({ id, name: id.replace(/^(?:model|server):/, '') }));
}

/** Puts the phases and turns above their arrows. */
function withHeadings(timed: readonly Timed[], rows: readonly Row[]): SequenceItem[] {
  const turns = turnsOf(rows);
  const items: SequenceItem[] = [];
  const phaseOf = new Map<string, Phase>();
  let turn: string | undefined;
  for (const { arrow, phase, turn: ofTurn } of timed) {
    if (ofTurn !== undefined && ofTurn !== turn) {
      turn = ofTurn;
      const known = turns.get(ofTurn);
      items.push({ kind: 'turn', turn: ofTurn, number: known?.number ?? 0, title: known?.title ?? '' });
    }
    if (phase && isLater(phase.phase, phaseOf.get(phase.connection))) {
      phaseOf.set(phase.connection, phase.phase);
      const isTold = phase.phase === 'operate' && ofTurn !== undefined;
      if (!isTold) items.push({ kind: 'phase', phase: phase.phase, server: phase.server });
    }
    items.push(arrow);
  }
  return items;
}

const PHASES: readonly Phase[] = ['connect', 'initialize', 'operate', 'end'];

/** A session goes on only: what still comes of an earlier phase does not bring it back. */
function isLater(phase: Phase, now: Phase | undefined): boolean {
  return now === undefined || PHASES.indexOf(phase) > PHASES.indexOf(now);
}

/** The turns in their order, numbered from 1, with the beginning of what the person asked. */
export function turnsOf(rows: readonly Row[]): Map<string, { readonly number: number; readonly title: string }> {
  const turns = new Map<string, { number: number; title: string }>();
  for (const { kind, turn, prompt } of rows)
    if (kind === 'model' && turn !== undefined && !turns.has(turn))
      turns.set(turn, { number: turns.size + 1, title: prompt ?? '' });
  return turns;
}

/** Leaves of each turn its heading and the number of its arrows. */
function fold(items: readonly SequenceItem[], unfolded: ReadonlySet<string>): SequenceItem[] {
  const result: SequenceItem[] = [];
  let turn: { readonly id: string; arrows: number; key: string } | undefined;
  const close = (): void => {
    if (turn && turn.arrows > 0) result.push({ kind: 'folded', turn: turn.id, arrows: turn.arrows, key: turn.key });
    turn = undefined;
  };
  for (const item of items) {
    if (item.kind === 'turn') {
      close();
      result.push(item);
      if (!unfolded.has(item.turn)) turn = { id: item.turn, arrows: 0, key: '' };
    } else if (turn && item.kind === 'arrow') {
      turn.arrows += 1;
      turn.key ||= item.key;
    } else {
      if (item.kind === 'phase') close();
      result.push(item);
    }
  }
  close();
  return result;
}
