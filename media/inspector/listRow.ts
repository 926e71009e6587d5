import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row } from '../../src/wire/row.ts';
import { element, setAttributes, setText } from './dom.ts';
import { fill, formatBytes, formatDuration, formatSince } from '../../src/wire/format.ts';
import { directionIcon, directionName, kindIcon, kindName, spoken, stateLook, whatOf } from './rowLook.ts';
import type { TimeScale } from './timeScale.ts';

/** What a row needs to know besides itself; `start` and `now` in milliseconds since 1970. */
export interface RowContext {
  readonly strings: InspectorStrings;
  readonly scale: TimeScale;
  readonly start: number;
  readonly now: number;
  readonly selected: Row | undefined;
  readonly turnNumber: (turn: string) => number | undefined;
}

/** The columns in order. */
export const COLUMNS = [
  'number',
  'time',
  'direction',
  'kind',
  'server',
  'what',
  'status',
  'size',
  'duration',
  'waterfall',
] as const;
/** The name of a column. */
export type Column = (typeof COLUMNS)[number];

/** One line of the grid. Lines are used again for other rows while one scrolls. */
export class ListRow {
  readonly node: HTMLElement;
  readonly #cells: Readonly<Record<Column, HTMLElement>>;
  readonly #kindIcon = element('span', { 'aria-hidden': 'true' });
  readonly #kindText = element('span', { class: 'kind-text' });
  readonly #statusIcon = element('span', { 'aria-hidden': 'true' });
  readonly #statusText = element('span', { class: 'status-text' });
  readonly #chip = element('span', { class: 'chip' });
  readonly #strong = element('span', { class: 'strong' });
  readonly #rest = element('span', { class: 'rest' });
  readonly #marks = element('span', { class: 'marks', 'aria-hidden': 'true' });
  readonly #directionIcon = element('span', { 'aria-hidden': 'true' });
  readonly #up = element('span', { class: 'up' });
  readonly #down = element('span', { class: 'down' });
  readonly #bar = element('span', { class: 'bar' });

  constructor() {
    const cell = (name: Column): HTMLElement =>
      element('div', { class: `cell ${name}`, role: 'gridcell', 'aria-colindex': COLUMNS.indexOf(name) + 1 });
    this.#cells = {
      number: cell('number'),
      time: cell('time'),
      direction: cell('direction'),
      kind: cell('kind'),
      server: cell('server'),
      what: cell('what'),
      status: cell('status'),
      size: cell('size'),
      duration: cell('duration'),
      waterfall: cell('waterfall'),
    };
    this.#cells.direction.append(this.#directionIcon);
    this.#cells.kind.append(this.#kindIcon, this.#kindText);
    this.#cells.what.append(this.#chip, this.#strong, this.#rest, this.#marks);
    this.#cells.status.append(this.#statusIcon, this.#statusText);
    this.#cells.size.append(this.#up, this.#down);
    this.#cells.waterfall.append(this.#bar);
    this.node = element('div', { class: 'row', role: 'row' }, ...Object.values(this.#cells));
  }

  /** Shows `row` as the line `index` (from 0) of those that are shown. */
  show(row: Row, index: number, context: RowContext): void {
    const { strings, selected } = context;
    const look = stateLook(row, strings);
    const isSelected = selected?.key === row.key;
    const isLinked = !isSelected && selected?.links.some(({ key }) => key === row.key) === true;
    const fault = look.tone === 'bad' ? 'fault' : look.tone === 'warn' ? 'doubt' : '';
    const classes = ['row', `kind-${row.kind}`, `peer-${row.peer}`, `tone-${look.tone}`, `state-${row.state}`, fault];
    if (isSelected) classes.push('selected');
    if (isLinked) classes.push('linked');
    if (row.kind === 'http' && row.links.some(({ role }) => role === 'message')) classes.push('carries');
    if (row.pinned === true) classes.push('pinned');
    this.node.className = classes.filter(Boolean).join(' ');
    setAttributes(this.node, {
      id: `row-${row.key}`,
      'aria-rowindex': index + 2,
      'aria-selected': isSelected ? 'true' : 'false',
      'aria-label': spoken(row, strings),
      'data-key': row.key,
    });
    this.#showTexts(row, context);
    this.#showBar(row, context);
    this.#statusIcon.className =
      look.icon === ''
        ? 'no-icon'
        : `codicon codicon-${look.icon}${look.icon === 'loading' ? ' codicon-modifier-spin' : ''}`;
    setText(this.#statusText, look.text);
  }

  #showTexts(row: Row, { strings, start, now, turnNumber }: RowContext): void {
    const { strong, rest } = whatOf(row, strings);
    setText(this.#cells.number, String(row.number));
    setText(this.#cells.time, formatSince(row.at - start));
    const arrow = directionIcon(row);
    this.#directionIcon.className = arrow === '' ? '' : `codicon codicon-${arrow}`;
    this.#cells.direction.title = directionName(row, strings);
    this.#kindIcon.className = `codicon codicon-${kindIcon(row)}`;
    setText(this.#kindText, kindName(row, strings));
    setText(this.#cells.server, row.model ?? row.server);
    const number = row.turn === undefined ? undefined : turnNumber(row.turn);
    const isModel = row.kind === 'model' && number !== undefined;
    setText(this.#chip, isModel ? `${fill(strings.turn, number)} · ${fill(strings.step, row.step ?? 1)}` : '');
    setText(this.#strong, strong);
    setText(this.#rest, rest);
    this.#cells.what.title = [strong, rest, row.note].filter(Boolean).join('  ');
    setText(this.#marks, marksText(row, strings));
    setText(this.#up, row.up > 0 ? `↑${formatBytes(row.up)}` : '');
    setText(this.#down, row.down > 0 ? `↓${formatBytes(row.down)}` : '');
    setText(this.#cells.duration, durationText(row, now, strings));
  }

  #showBar(row: Row, { scale, now }: RowContext): void {
    const left = scale.place(row.at);
    const right = scale.place(row.end ?? now);
    this.#bar.style.setProperty('left', `${(left * 100).toFixed(3)}%`);
    this.#bar.style.setProperty('width', `${(Math.max(0, right - left) * 100).toFixed(3)}%`);
    this.#bar.classList.toggle('endless', row.end === undefined);
  }
}

/** What is special about a row, as small marks. */
function marksText(row: Row, strings: InspectorStrings): string {
  const marks = [
    row.replayOf === undefined ? '' : strings.replayed,
    row.logical === true ? strings.logical : '',
    row.note === undefined ? '' : '✎',
    row.pinned === true ? '⚲' : '',
  ];
  return marks.filter(Boolean).join(' ');
}

/** How long it took; of what still lasts, how long so far. Nothing for what has no length. */
function durationText(row: Row, now: number, strings: InspectorStrings): string {
  if (row.end === row.at) return '';
  if (row.end !== undefined) return formatDuration(row.end - row.at);
  return row.state === 'pending' ? formatDuration(now - row.at) : strings.open;
}
