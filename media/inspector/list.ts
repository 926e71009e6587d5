import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { element, setAttributes, textButton, NextFrame } from './dom.ts';
import { fill } from '../../src/wire/format.ts';
import { COLUMNS, ListRow, type Column, type RowContext } from './listRow.ts';
import type { Store } from './store.ts';
import { TimeScale } from './timeScale.ts';

/** Height of a line in CSS pixels; the style sheet has the same. */
const LINE = 24;
/** Height of the header, which stays in sight. */
const HEADER = 26;
/** Lines beyond the window's edges, so that a fast scroll finds them drawn. */
const SPARE = 6;

/** What the list asks of the page. */
export interface ListActions {
  openDetail(): void;
  openMenu(key: string, x: number, y: number): void;
  clearFilter(): void;
}

/** The grid of rows. Only what can be seen is in the document, however many there are. */
export class List {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #strings: InspectorStrings;
  readonly #actions: ListActions;
  readonly #grid: HTMLElement;
  readonly #space: HTMLElement;
  readonly #window: HTMLElement;
  readonly #empty: HTMLElement;
  #lines: ListRow[] = [];
  #first = 0;
  #scale: TimeScale;
  readonly #frame = new NextFrame(() => this.#draw());
  #isOld = true;
  #scaleIsOld = true;
  #atEnd = true;

  constructor(store: Store, strings: InspectorStrings, actions: ListActions) {
    this.#store = store;
    this.#strings = strings;
    this.#actions = actions;
    this.#scale = new TimeScale([], 0);
    this.#window = element('div', { class: 'window', role: 'rowgroup' });
    this.#space = element('div', { class: 'space', role: 'presentation' }, this.#window);
    this.#empty = element('div', { class: 'empty' });
    this.#grid = element(
      'div',
      { class: 'grid', role: 'grid', tabindex: 0, 'aria-label': strings.listLabel, 'aria-colcount': COLUMNS.length },
      this.#header(),
      this.#space,
    );
    this.node = element('div', { class: 'list' }, this.#grid, this.#empty);
    this.#listen();
  }

  focus(): void {
    this.#grid.focus({ preventScroll: true });
  }

  /** Draws again what changed, with the next frame. */
  refresh(): void {
    this.#scaleIsOld = true;
    this.#isOld = true;
    this.#frame.ask();
  }

  /** Scrolls until the selected row can be seen. */
  reveal(): void {
    const index = this.#store.shownIndex(this.#store.selected);
    if (index < 0) return;
    const { scrollTop, clientHeight } = this.#grid;
    const top = index * LINE;
    const height = clientHeight - HEADER;
    if (top < scrollTop) this.#grid.scrollTop = top;
    else if (top + LINE > scrollTop + height) this.#grid.scrollTop = top + LINE - height;
  }

  #header(): HTMLElement {
    const strings = this.#strings;
    const names: Readonly<Record<Column, string>> = {
      number: strings.columnNumber,
      time: strings.columnTime,
      direction: strings.columnDirection,
      kind: strings.columnKind,
      server: strings.columnServer,
      what: strings.columnWhat,
      status: strings.columnStatus,
      size: strings.columnSize,
      duration: strings.columnDuration,
      waterfall: strings.columnWaterfall,
    };
    const cells = COLUMNS.map((name, index) =>
      element(
        'div',
        { class: `cell ${name}`, role: 'columnheader', 'aria-colindex': index + 1, title: names[name] },
        element('span', { class: name === 'direction' ? 'unseen' : '' }, names[name]),
      ),
    );
    return element(
      'div',
      { class: 'row header', role: 'rowgroup' },
      element('div', { class: 'row-inner', role: 'row', 'aria-rowindex': 1 }, ...cells),
    );
  }

  #listen(): void {
    this.#grid.addEventListener(
      'scroll',
      () => {
        const { scrollTop, scrollHeight, clientHeight } = this.#grid;
        this.#atEnd = scrollTop + clientHeight >= scrollHeight - LINE;
        this.#frame.ask();
      },
      { passive: true },
    );
    new ResizeObserver(() => {
      this.reveal();
      this.refresh();
    }).observe(this.#grid);
    this.#grid.addEventListener('click', (event) => this.#pick(event));
    this.#grid.addEventListener('dblclick', () => this.#actions.openDetail());
    this.#grid.addEventListener('contextmenu', (event) => this.#menu(event));
    this.#grid.addEventListener('keydown', (event) => this.#key(event));
  }

  #keyAt(event: Event): string | undefined {
    const row = event.target instanceof Element ? event.target.closest('[data-key]') : null;
    return row?.getAttribute('data-key') ?? undefined;
  }

  #pick(event: MouseEvent): void {
    const key = this.#keyAt(event);
    if (key === undefined) return;
    this.#store.select(key);
    this.focus();
  }

  #menu(event: MouseEvent): void {
    event.preventDefault();
    const key = this.#keyAt(event) ?? this.#store.selected?.key;
    if (key === undefined) return;
    this.#store.select(key);
    this.#actions.openMenu(key, event.clientX, event.clientY);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#grid.clientHeight / LINE) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const step = steps[event.key];
    if (step !== undefined) this.#move(step);
    else if (event.key === 'Enter') this.#actions.openDetail();
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) this.#menuBySelection();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #menuBySelection(): void {
    const selected = this.#store.selected;
    if (!selected) return;
    const box = document.getElementById(`row-${selected.key}`)?.getBoundingClientRect();
    this.#actions.openMenu(selected.key, (box?.left ?? 0) + 60, box?.bottom ?? 0);
  }

  #move(step: number): void {
    const { shown } = this.#store;
    const now = this.#store.shownIndex(this.#store.selected);
    const from = now < 0 ? (step > 0 ? -1 : shown.length) : now;
    const to = Math.min(shown.length - 1, Math.max(0, from + step));
    this.#store.select(shown[to]?.key);
    this.reveal();
  }

  #draw(): void {
    const everything = this.#isOld;
    this.#isOld = false;
    const { shown } = this.#store;
    const follow = everything && this.#atEnd;
    this.#showEmpty();
    this.#space.style.setProperty('height', `${shown.length * LINE}px`);
    setAttributes(this.#grid, { 'aria-rowcount': shown.length + 1 });
    if (follow && this.#store.session.recording) this.#grid.scrollTop = this.#grid.scrollHeight;
    if (this.#scaleIsOld) this.#scale = new TimeScale(shown, Date.now());
    this.#scaleIsOld = false;
    const count = Math.min(shown.length, Math.ceil(this.#grid.clientHeight / LINE) + 2 * SPARE);
    const first = Math.max(0, Math.min(shown.length - count, Math.floor(this.#grid.scrollTop / LINE) - SPARE));
    const moved = first - this.#first;
    if (!everything && count === this.#lines.length && Math.abs(moved) < count) this.#shift(first, moved);
    else this.#fill(first, count);
    const selected = this.#store.selected;
    const isDrawn = selected !== undefined && document.getElementById(`row-${selected.key}`) !== null;
    setAttributes(this.#grid, { 'aria-activedescendant': isDrawn ? `row-${selected.key}` : undefined });
  }

  /** Scrolled by a few lines: those that left are used again at the other side. */
  #shift(first: number, moved: number): void {
    const count = this.#lines.length;
    const turned = moved > 0 ? this.#lines.splice(0, moved) : this.#lines.splice(count + moved);
    if (moved > 0) {
      this.#lines.push(...turned);
      this.#window.append(...turned.map(({ node }) => node));
    } else if (moved < 0) {
      this.#lines.unshift(...turned);
      this.#window.prepend(...turned.map(({ node }) => node));
    }
    this.#place(first);
    const from = moved > 0 ? count - moved : 0;
    for (let index = from; index < from + Math.abs(moved); index += 1) this.#show(index);
  }

  #fill(first: number, count: number): void {
    while (this.#lines.length < count) {
      const line = new ListRow();
      this.#lines.push(line);
      this.#window.append(line.node);
    }
    for (const line of this.#lines.splice(count)) line.node.remove();
    this.#place(first);
    for (let index = 0; index < count; index += 1) this.#show(index);
  }

  #place(first: number): void {
    this.#first = first;
    this.#window.style.setProperty('transform', `translateY(${first * LINE}px)`);
  }

  #show(line: number): void {
    const index = this.#first + line;
    const row = this.#store.shown[index];
    if (row) this.#lines[line]?.show(row, index, this.#context());
  }

  #context(): RowContext {
    const { start, selected, turns } = this.#store;
    return {
      strings: this.#strings,
      scale: this.#scale,
      start,
      selected,
      now: Date.now(),
      turnNumber: (turn) => turns.get(turn)?.number,
    };
  }

  #showEmpty(): void {
    const { shown, total } = this.#store;
    const strings = this.#strings;
    this.node.classList.toggle('is-empty', shown.length === 0);
    if (shown.length > 0) return;
    if (total > 0)
      this.#empty.replaceChildren(
        element('p', {}, strings.emptyFiltered),
        textButton(strings.emptyFilteredAction, () => this.#actions.clearFilter()),
      );
    else
      this.#empty.replaceChildren(
        element('p', { class: 'big' }, strings.emptyList),
        element('p', {}, fill(strings.emptyListHint)),
      );
  }
}
