import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { sizeStory, type SizeBar, type SizePart, type SizeSegment, type SizeStory } from '../../src/wire/sizes.ts';
import { element, svg, NextFrame } from './dom.ts';
import { fill, formatBytes, formatNumber } from '../../src/wire/format.ts';
import { partClass, partName, segmentNode } from './sizeBars.ts';
import type { Store } from './store.ts';

/** The order of the legend, which is that of the bars. */
const PARTS: readonly SizePart[] = ['instructions', 'tools', 'history', 'results', 'user', 'other'];

/** What the sizes ask of the page. */
export interface SizesActions {
  openDetail(): void;
}

/** How the requests to the model grow, and by what. */
export class SizesView {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #strings: InspectorStrings;
  readonly #actions: SizesActions;
  readonly #frame = new NextFrame(() => this.#draw());

  constructor(store: Store, strings: InspectorStrings, actions: SizesActions) {
    this.#store = store;
    this.#strings = strings;
    this.#actions = actions;
    this.node = element('div', {
      class: 'sizes',
      tabindex: 0,
      role: 'region',
      'aria-label': strings.sizes,
      hidden: true,
    });
  }

  focus(): void {
    this.node.focus({ preventScroll: true });
  }

  refresh(): void {
    if (this.node.hidden) return;
    this.#frame.ask();
  }

  select(): void {
    const key = this.#store.selected?.key;
    for (const bar of this.node.querySelectorAll('[data-key]'))
      bar.classList.toggle('selected', bar.getAttribute('data-key') === key);
  }

  #draw(): void {
    const story = sizeStory(this.#store.shown);
    if (story.bars.length === 0)
      return this.node.replaceChildren(element('p', { class: 'quiet centred' }, this.#strings.emptySizes));
    this.node.replaceChildren(this.#legend(story), this.#bars(story), this.#tables(story));
    this.select();
  }

  #legend({ bars }: SizeStory): HTMLElement {
    const found = new Map<string, SizeSegment>();
    for (const bar of bars)
      for (const segment of bar.segments) found.set(`${segment.part} ${segment.server ?? ''}`, segment);
    const segments = [...found.values()].sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
    const items = segments.map((segment) =>
      element(
        'span',
        { class: 'legend-item' },
        element('span', { class: `${partClass(segment, segments)} swatch` }),
        partName(segment, this.#strings),
      ),
    );
    return element('div', { class: 'legend' }, ...items);
  }

  #bars({ bars }: SizeStory): HTMLElement {
    const largest = Math.max(...bars.map(({ bytes }) => bytes));
    const limit = bars.find((bar) => bar.limit !== undefined)?.limit;
    const showLimit = limit !== undefined && limit.bytes < largest * 4;
    const full = showLimit ? Math.max(largest, limit.bytes) * 1.02 : largest;
    const list = element('div', { class: 'bars', role: 'list', 'aria-label': this.#strings.bars });
    for (const bar of bars)
      list.append(this.#bar(bar, full, showLimit && bar.limit ? bar.limit.bytes / full : undefined));
    if (limit) {
      const tokens = formatNumber(limit.tokens);
      const text = limit.estimated
        ? fill(this.#strings.limitEstimated, tokens, formatBytes(limit.bytes))
        : fill(this.#strings.limit, tokens);
      return element('div', {}, list, element('p', { class: 'quiet' }, text));
    }
    return element('div', {}, list);
  }

  #bar(bar: SizeBar, full: number, limit: number | undefined): HTMLElement {
    const number = this.#store.turns.get(bar.turn)?.number ?? 0;
    const label = `${fill(this.#strings.turn, number)} · ${fill(this.#strings.step, bar.step)}`;
    const track = element('span', { class: 'track' }, segmentNode(bar.segments, bar.bytes, full, this.#strings));
    if (limit !== undefined) {
      const line = element('span', { class: 'limit' });
      line.style.setProperty('left', `${limit * 100}%`);
      track.append(line);
    }
    const total =
      bar.tokens === undefined
        ? formatBytes(bar.bytes)
        : `${formatBytes(bar.bytes)} · ${fill(this.#strings.tokens, formatNumber(bar.tokens))}`;
    const growth = bar.growth
      .slice(0, 3)
      .map(({ label: name, part, bytes }) => `+${formatBytes(bytes)} ${name || partName({ part }, this.#strings)}`);
    const button = element(
      'button',
      { class: 'size-bar', type: 'button', 'data-key': bar.key },
      element('span', { class: 'size-label' }, label),
      track,
      element('span', { class: 'size-total' }, total),
      element('span', { class: 'size-growth quiet' }, growth.join('   ')),
    );
    button.addEventListener('click', () => {
      this.#store.select(bar.key);
      this.#actions.openDetail();
    });
    return element('div', { role: 'listitem' }, button);
  }

  #tables({ largestTools, largestResults }: SizeStory): HTMLElement {
    const strings = this.#strings;
    const tools = this.#table(
      strings.largestTools,
      largestTools.map(({ name, server, bytes }) => ({ name, detail: server, bytes })),
    );
    const results = this.#table(
      strings.largestResults,
      largestResults.map(({ name, callId, bytes }) => ({ name, detail: callId, bytes })),
    );
    return element('div', { class: 'tables' }, tools, results);
  }

  #table(
    title: string,
    rows: readonly { readonly name: string; readonly detail: string; readonly bytes: number }[],
  ): HTMLElement {
    const most = Math.max(1, ...rows.map(({ bytes }) => bytes));
    const body = element('tbody', {});
    for (const { name, detail, bytes } of rows) {
      const share = svg(
        'svg',
        { class: 'share', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        svg('rect', { width: (bytes / most) * 100, height: 6, rx: 1 }),
      );
      body.append(
        element(
          'tr',
          {},
          element('td', { class: 'mono' }, name, element('span', { class: 'quiet' }, detail)),
          element('td', { class: 'share-cell' }, share),
          element('td', { class: 'number' }, formatBytes(bytes)),
        ),
      );
    }
    const heads = [this.#strings.tableName, this.#strings.tableShare, this.#strings.tableBytes].map((text) =>
      element('th', { scope: 'col' }, text),
    );
    return element(
      'table',
      { class: 'table' },
      element('caption', {}, title),
      element('thead', {}, element('tr', {}, ...heads)),
      body,
    );
  }
}
