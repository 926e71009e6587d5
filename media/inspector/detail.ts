import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Row } from '../../src/wire/row.ts';
import { partsOf } from './detailParts.ts';
import type { Details } from './details.ts';
import { bodies, frames } from './bodyTabs.ts';
import { headers, overview } from './detailTabs.ts';
import { pair, timing } from './pairTabs.ts';
import type { TabContext } from './tabContext.ts';
import { diff } from './diffTab.ts';
import { element, icon, iconButton, setAttributes, textButton } from './dom.ts';
import { fill } from '../../src/wire/format.ts';
import { kindIcon, kindName, whatOf } from './rowLook.ts';
import type { Store } from './store.ts';

/** A tab of the details. */
export type Tab = 'overview' | 'headers' | 'body' | 'frames' | 'pair' | 'timing' | 'diff';

/** What the details ask of the page. */
export interface DetailActions {
  readonly go: (key: string) => void;
  readonly copy: (text: string) => void;
  openEditor(key: string): void;
  menu(key: string, x: number, y: number): void;
  close(): void;
  remember(tab: Tab): void;
}

const tabs: readonly Tab[] = ['overview', 'headers', 'body', 'frames', 'pair', 'timing', 'diff'];

function isTab(value: string | undefined): value is Tab {
  return tabs.some((tab) => tab === value);
}

/** The pane with the details of the selected row. */
export class Detail {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #strings: InspectorStrings;
  readonly #details: Details;
  readonly #actions: DetailActions;
  readonly #title = element('div', { class: 'detail-title' });
  readonly #tabs: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #raw: HTMLButtonElement;
  #tab: Tab;
  #shown = '';
  #isRaw: boolean;

  constructor(
    store: Store,
    details: Details,
    strings: InspectorStrings,
    actions: DetailActions,
    tab: string | undefined,
  ) {
    this.#store = store;
    this.#details = details;
    this.#strings = strings;
    this.#actions = actions;
    this.#tab = isTab(tab) ? tab : 'overview';
    this.#isRaw = store.toggle('raw');
    this.#tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': strings.detail });
    this.#panel = element('div', {
      class: 'panel',
      role: 'tabpanel',
      tabindex: 0,
      id: 'detail-panel',
      'aria-labelledby': 'tab-overview',
    });
    this.#raw = textButton(strings.raw, () => this.#toggleRaw(), 'toggle');
    this.node = element('section', { class: 'detail', 'aria-label': strings.detail }, this.#head(), this.#panel);
    this.#tabs.addEventListener('keydown', (event) => this.#key(event));
    this.refresh();
  }

  focus(): void {
    this.#panel.focus({ preventScroll: true });
  }

  /** Draws the selected row again, where what it shows has changed. */
  refresh(): void {
    const row = this.#store.selected;
    this.node.classList.toggle('has-row', row !== undefined);
    if (!row) return this.#nothing(this.#strings.emptyDetail);
    const entries = this.#details.get(row.key);
    if (!entries) return;
    const parts = partsOf(row.kind, entries);
    this.#drawTabs(row, parts.frames.length);
    this.#drawTitle(row);
    const state = `${row.key} ${this.#tab} ${this.#isRaw} ${entries.length} ${row.state} ${row.note ?? ''} ${row.links.length} ${row.end ?? ''}`;
    if (state === this.#shown) return;
    this.#shown = state;
    const { go, copy } = this.#actions;
    const context: TabContext = { strings: this.#strings, store: this.#store, row, parts, raw: this.#isRaw, go, copy };
    this.#panel.replaceChildren(this.#draw(context));
    this.#panel.scrollTop = 0;
  }

  /** Draws again even if the row did not change. */
  redraw(): void {
    this.#shown = '';
    this.refresh();
  }

  show(tab: Tab): void {
    this.#tab = tab;
    this.#actions.remember(tab);
    this.refresh();
  }

  #draw(context: TabContext): HTMLElement {
    switch (this.#tab) {
      case 'overview':
        return overview(context);
      case 'headers':
        return headers(context);
      case 'body':
        return bodies(context);
      case 'frames':
        return frames(context);
      case 'pair':
        return pair(context);
      case 'timing':
        return timing(context);
      case 'diff':
        return diff(context, this.#details);
    }
  }

  #nothing(text: string): void {
    this.#shown = '';
    this.#title.replaceChildren();
    this.#tabs.replaceChildren();
    this.#panel.replaceChildren(element('p', { class: 'quiet centred' }, text));
  }

  #head(): HTMLElement {
    const strings = this.#strings;
    const withRow =
      (run: (row: Row) => void): (() => void) =>
      () => {
        const row = this.#store.selected;
        if (row) run(row);
      };
    const more = iconButton('ellipsis', strings.more, (event) => {
      const row = this.#store.selected;
      if (row)
        this.#actions.menu(
          row.key,
          event.clientX || more.getBoundingClientRect().left,
          more.getBoundingClientRect().bottom,
        );
    });
    setAttributes(more, { 'aria-haspopup': 'menu' });
    const open = iconButton(
      'go-to-file',
      strings.openEditor,
      withRow(({ key }) => this.#actions.openEditor(key)),
    );
    const close = iconButton('close', strings.closed, () => this.#actions.close());
    setAttributes(close, { 'aria-label': strings.closeDetail, title: strings.closeDetail });
    return element(
      'div',
      { class: 'detail-head' },
      this.#title,
      this.#tabs,
      element('div', { class: 'detail-actions' }, this.#raw, open, more, close),
    );
  }

  #drawTitle(row: Row): void {
    const { strong, rest } = whatOf(row, this.#strings);
    this.#title.replaceChildren(
      icon(kindIcon(row), `kind-${row.kind}`),
      element('span', { class: 'quiet' }, kindName(row, this.#strings)),
      element('span', { class: 'detail-what' }, [strong, rest].filter(Boolean).join(' ')),
    );
  }

  #drawTabs(row: Row, frameCount: number): void {
    const shown = tabs.filter((tab) => isOffered(tab, row, frameCount));
    if (!shown.includes(this.#tab)) this.#tab = shown.includes('body') ? 'body' : 'overview';
    const nodes = shown.map((tab) => {
      const selected = tab === this.#tab;
      const label = tab === 'frames' ? fill(this.#strings.frameCount, frameCount) : this.#strings[tab];
      const node = element(
        'button',
        {
          class: 'tab',
          type: 'button',
          role: 'tab',
          id: `tab-${tab}`,
          'aria-selected': String(selected),
          'aria-controls': 'detail-panel',
          tabindex: selected ? 0 : -1,
        },
        label,
      );
      node.addEventListener('click', () => this.show(tab));
      return node;
    });
    const hadFocus = this.#tabs.contains(document.activeElement);
    this.#tabs.replaceChildren(...nodes);
    setAttributes(this.#panel, { 'aria-labelledby': `tab-${this.#tab}` });
    if (hadFocus) nodes[shown.indexOf(this.#tab)]?.focus();
    this.#raw.hidden = this.#tab !== 'body' && this.#tab !== 'frames';
    setAttributes(this.#raw, { 'aria-pressed': String(this.#isRaw) });
  }

  #toggleRaw(): void {
    this.#isRaw = !this.#isRaw;
    this.#store.setToggle('raw', this.#isRaw);
    this.redraw();
  }

  #key(event: KeyboardEvent): void {
    const names = [...this.#tabs.children].map(({ id }) => id.replace('tab-', ''));
    const now = names.indexOf(this.#tab);
    const targets: Readonly<Record<string, number>> = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const name = names.at(target % names.length);
    if (isTab(name)) this.show(name);
  }
}

function isOffered(tab: Tab, row: Row, frameCount: number): boolean {
  if (tab === 'frames') return row.kind !== 'sse' && frameCount > 0;
  if (tab === 'diff') return row.kind === 'model';
  if (tab === 'timing') return row.kind === 'http' || row.kind === 'rpc' || row.kind === 'model';
  if (tab === 'headers') return row.kind === 'http' || row.kind === 'rpc' || row.kind === 'model';
  if (tab === 'pair') return row.links.length > 0;
  return true;
}
