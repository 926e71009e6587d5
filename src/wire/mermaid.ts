import { formatBytes, formatDuration, shorten } from './format.ts';
import type { Row } from './row.ts';
import { sequenceOf, type Lane, type SequenceItem } from './sequence.ts';
import { AGENT, YOU, type Arrow } from './sequenceArrows.ts';

/** Mermaid ends a statement at a semicolon and begins a code at a number sign; neither may stand in a text. */
function clean(text: string): string {
  return shorten(text, 70).replaceAll(/[#;<>:`]/g, (character) => `#${character.charCodeAt(0)};`);
}

function names(lanes: readonly Lane[]): Map<string, string> {
  return new Map(lanes.map(({ id }, index) => [id, id === YOU ? 'You' : id === AGENT ? 'Agent' : `P${index}`]));
}

function participant({ id, name }: Lane, short: string): string {
  if (id === YOU) return '  actor You';
  return id === AGENT ? '  participant Agent' : `  participant ${short} as ${clean(name)}`;
}

function arrowLine(arrow: Arrow, short: ReadonlyMap<string, string>): string {
  const facts = [
    arrow.bytes === undefined ? '' : formatBytes(arrow.bytes),
    arrow.milliseconds === undefined ? '' : formatDuration(arrow.milliseconds),
  ].filter(Boolean);
  const line = arrow.fault ? (arrow.answer ? '--x' : '-x') : arrow.answer || arrow.dashed ? '-->>' : '->>';
  const label = [clean(arrow.label), ...facts.map(clean)].join(', ');
  return `  ${short.get(arrow.from) ?? 'Agent'}${line}${short.get(arrow.to) ?? 'Agent'}: ${label}`;
}

function itemLine(item: SequenceItem, short: ReadonlyMap<string, string>): string {
  if (item.kind === 'arrow') return arrowLine(item, short);
  if (item.kind === 'phase') return `  Note over Agent,${short.get(`server:${item.server}`) ?? 'Agent'}: ${item.phase}`;
  if (item.kind === 'turn') return `  Note over Agent: turn ${item.number}`;
  return `  Note over Agent: ${item.arrows} messages`;
}

/** A Mermaid sequence diagram of these rows, for instance of one turn. */
export function toMermaid(rows: readonly Row[]): string {
  const { lanes, items } = sequenceOf(rows);
  const short = names(lanes);
  const lines = [
    'sequenceDiagram',
    ...lanes.map((lane) => participant(lane, short.get(lane.id) ?? 'Agent')),
    ...items.map((item) => itemLine(item, short)),
  ];
  return `${lines.join('\n')}\n`;
}
