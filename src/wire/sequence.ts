import type { Row } from './row.ts';
import {
  AGENT,
  ENGLISH,
  arrowsOf,
  endOf,
  isDrawn,
  personArrows,
  YOU,
  type Arrow,
  type SequenceWords,
  type Timed,
} from './sequenceArrows.ts';
import { isLater, isProbe, phasesOf, type Phase } from './sequencePhases.ts';

/** Who takes part: `id` is `you`, `agent`, `model:<name>` or `server:<name>`. */
export interface Lane {
  readonly id: string;
  readonly name: string;
}

export type SequenceItem =
  | Arrow
  | { readonly kind: 'phase'; readonly phase: Phase; readonly server: string }
  | { readonly kind: 'turn'; readonly turn: string; readonly number: number; readonly title: string }
  /** Arrows that are folded together: of a turn, or outside of turns; `turn` unfolds them. */
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
  /** Default: English. */
  readonly words?: SequenceWords;
  /** Turns that stay unfolded. */
  readonly unfolded?: ReadonlySet<string>;
}

/** The lifelines and what passes between them, in order of time. */
export function sequenceOf(rows: readonly Row[], options: SequenceOptions = {}): Sequence {
  const limit = options.limit ?? 200;
  const drawn = (frames: boolean): Timed[] => timedArrows(rows, frames, options.words ?? ENGLISH);
  let timed = drawn(options.frames === true);
  if (timed.length > limit && options.frames === true) timed = drawn(false);
  const items = withHeadings(timed, rows);
  return { lanes: lanesOf(timed), items: timed.length > limit ? fold(items, options.unfolded ?? new Set()) : items };
}

function timedArrows(rows: readonly Row[], frames: boolean, words: SequenceWords): Timed[] {
  const probes = new Set(rows.filter(isProbe).map(({ key }) => key));
  const phaseOf = phasesOf(rows);
  const ends = new Map<string, Row>();
  const timed = rows.flatMap((row) => {
    if (row.kind === 'session' && row.end !== undefined) ends.set(row.connection, row);
    if (!isDrawn(row, frames, probes)) return [];
    const phase =
      row.peer === 'mcp'
        ? { phase: phaseOf.get(row.key) ?? 'operate', server: row.server, connection: row.connection }
        : undefined;
    return [...arrowsOf(row, phase, words), ...personArrows(row)];
  });
  for (const row of ends.values()) timed.push(endOf(row, words));
  return timed.sort((a, b) => a.at - b.at || a.number - b.number);
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

/** The turns in their order, numbered from 1, with the beginning of what the person asked. */
export function turnsOf(rows: readonly Row[]): Map<string, { readonly number: number; readonly title: string }> {
  const turns = new Map<string, { number: number; title: string }>();
  for (const { kind, turn, prompt } of rows)
    if (kind === 'model' && turn !== undefined && !turns.has(turn))
      turns.set(turn, { number: turns.size + 1, title: prompt ?? '' });
  return turns;
}

/** So many arrows in a row outside of turns stay as they are. */
const LOOSE = 20;

/** Leaves of each turn its heading and the number of its arrows, and of long traffic outside of turns the number. */
function fold(items: readonly SequenceItem[], unfolded: ReadonlySet<string>): SequenceItem[] {
  const groups: { readonly heading?: SequenceItem; readonly arrows: Arrow[] }[] = [{ arrows: [] }];
  for (const item of items) {
    if (item.kind === 'arrow') groups.at(-1)?.arrows.push(item);
    else groups.push({ heading: item, arrows: [] });
  }
  return groups.flatMap(({ heading, arrows }) => [
    ...(heading ? [heading] : []),
    ...foldArrows(heading, arrows, unfolded),
  ]);
}

function foldArrows(
  heading: SequenceItem | undefined,
  arrows: readonly Arrow[],
  unfolded: ReadonlySet<string>,
): readonly SequenceItem[] {
  const [first] = arrows;
  if (!first) return [];
  const turn = heading?.kind === 'turn' ? heading.turn : `from:${first.key}`;
  const isShort = heading?.kind !== 'turn' && arrows.length <= LOOSE;
  return isShort || unfolded.has(turn) ? arrows : [{ kind: 'folded', turn, arrows: arrows.length, key: first.key }];
}
