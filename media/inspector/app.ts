import type { InspectorView, PageState, ToPage } from '../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { isFault, type Row } from '../../src/wire/row.ts';
import { Announcer } from './announcer.ts';
import { Detail } from './detail.ts';
import { Details } from './details.ts';
import { element, setAttributes } from './dom.ts';
import { fill } from '../../src/wire/format.ts';
import type { Host } from './host.ts';
import { List } from './list.ts';
import { openMenu } from './menu.ts';
import { rowMenu } from './rowMenu.ts';
import { SequenceView } from './sequenceView.ts';
import { SizesView } from './sizesView.ts';
import { Splitter } from './splitter.ts';
import { Store } from './store.ts';
import { Toolbar } from './toolbar.ts';

/** The whole page: what is known, the three views of it, the details, and the keys that move between them. */
export class App {
  readonly #host: Host;
  readonly #strings: InspectorStrings;
  readonly #store = new Store();
  readonly #details: Details;
  readonly #announcer = new Announcer();
  readonly #toolbar: Toolbar;
  readonly #list: List;
  readonly #sequence: SequenceView;
  readonly #sizes: SizesView;
  readonly #detail: Detail;
  readonly #splitter: Splitter;
  readonly #main: HTMLElement;
  readonly #stage: HTMLElement;
  readonly #banner: HTMLElement;
  #view: InspectorView = 'list';
  #split: 'bottom' | 'right';
  #comparing: string | undefined;

  constructor(host: Host, strings: InspectorStrings) {
    this.#host = host;
    this.#strings = strings;
    const { state } = host;
    this.#details = new Details(host);
    this.#toolbar = this.#makeToolbar();
    const openDetail = (): void => this.#openDetail(true);
    this.#list = new List(this.#store, strings, {
      openDetail,
      openMenu: (key, x, y) => this.#menu(key, x, y),
      clearFilter: () => this.#clearFilter(),
    });
    this.#sequence = new SequenceView(this.#store, strings, {
      openDetail: () => this.#openDetail(false),
      copyMermaid: () => this.#copyMermaid(),
    });
    this.#sizes = new SizesView(this.#store, strings, { openDetail: () => this.#openDetail(false) });
    this.#stage = element(
      'div',
      { class: 'stage', id: 'view-panel', role: 'tabpanel', 'aria-labelledby': 'view-list' },
      this.#list.node,
      this.#sequence.node,
      this.#sizes.node,
    );
    this.#main = element('main', { class: 'main' });
    this.#splitter = new Splitter(this.#main, strings.detail, state.size ?? 42, (size) => host.remember({ size }));
    this.#store.setToggles(state.toggles ?? {});
    this.#detail = this.#makeDetail(state.tab);
    this.#main.append(this.#stage, this.#splitter.node, this.#detail.node);
    this.#banner = element('div', { class: 'compare-banner', hidden: true }, strings.comparePick);
    document.body.append(this.#toolbar.node, this.#banner, this.#main, this.#announcer.node);
    this.#split = state.split ?? 'bottom';
    this.#restore(state);
    this.#listen();
    host.send({ kind: 'ready' });
  }

  #makeToolbar(): Toolbar {
    const send: Host['send'] = (message) => this.#host.send(message);
    return new Toolbar(this.#store, this.#strings, {
      view: (view) => this.#show(view),
      filter: (filter) => this.#filter(filter),
      toggle: (name, on) => {
        this.#store.setToggle(name, on);
        this.#host.remember({ toggles: this.#store.toggles });
      },
      turn: (turn) => {
        this.#store.setTurn(turn);
        this.#host.remember({ turn });
      },
      record: (on) => send({ kind: 'record', on }),
      clear: () => send({ kind: 'clear' }),
      import: () => send({ kind: 'import' }),
      export: () => send({ kind: 'export' }),
      help: () => send({ kind: 'help' }),
      split: () => this.#setSplit(this.#split === 'bottom' ? 'right' : 'bottom'),
    });
  }

  #makeDetail(tab: string | undefined): Detail {
    const host = this.#host;
    return new Detail(
      this.#store,
      this.#details,
      this.#strings,
      {
        go: (key) => this.#go(key),
        copy: (text) => host.send({ kind: 'copy-text', text }),
        openEditor: (key) => host.send({ kind: 'open', key }),
        menu: (key, x, y) => this.#menu(key, x, y),
        close: () => this.#closeDetail(),
        remember: (name) => host.remember({ tab: name }),
      },
      tab,
    );
  }

  #restore(state: PageState): void {
    this.#setSplit(this.#split);
    this.#store.setFilter(state.filter ?? '');
    this.#store.setTurn(state.turn ?? '');
    this.#toolbar.filter.value = state.filter ?? '';
    this.#show(state.view ?? 'list');
  }

  #listen(): void {
    this.#host.listen((message) => this.#hear(message));
    this.#store.onDidChange((change) => {
      if (change.rows) this.#refreshViews();
      if (change.rows || change.session) this.#toolbar.refresh();
      if (change.selection) this.#selected();
    });
    this.#details.onDidArrive(() => this.#detail.redraw());
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  #hear(message: ToPage): void {
    switch (message.kind) {
      case 'start':
        return this.#start(message);
      case 'rows':
        return this.#rows(message.changed, message.removed, message.bytes);
      case 'cleared':
        this.#details.clear();
        return this.#store.clear();
      case 'session':
        return this.#store.setSession(message.session);
      case 'detail':
        return this.#details.arrived(message.key, message.entries);
      case 'reveal':
        return this.#reveal(message);
      case 'said':
        return this.#announcer.say(message.text);
    }
  }

  #start({ session, rows }: Extract<ToPage, { kind: 'start' }>): void {
    const { selected } = this.#host.state;
    this.#host.remember({ file: session.file });
    this.#details.clear();
    this.#store.clear();
    this.#store.setSession(session);
    this.#store.change(rows, []);
    this.#store.select(selected);
  }

  #rows(changed: readonly Row[], removed: readonly string[], bytes: number): void {
    for (const { key } of changed) this.#details.changed(key);
    const faults = changed.filter((row) => isFault(row) && this.#store.row(row.key)?.state !== row.state).length;
    this.#store.change(changed, removed);
    this.#store.setSession({ ...this.#store.session, bytes });
    if (faults > 0) this.#announcer.say(fill(this.#strings.errors, faults));
  }

  #reveal({ key, view, filter, turn }: Extract<ToPage, { kind: 'reveal' }>): void {
    if (turn !== undefined) this.#store.setTurn(this.#store.turns.has(turn) ? turn : '');
    if (filter !== undefined) {
      this.#toolbar.filter.value = filter;
      this.#filter(filter);
    }
    if (view !== undefined) this.#show(view);
    if (key !== undefined) this.#go(key);
  }

  #show(view: InspectorView): void {
    this.#view = view;
    this.#list.node.hidden = view !== 'list';
    this.#sequence.node.hidden = view !== 'sequence';
    this.#sizes.node.hidden = view !== 'sizes';
    setAttributes(this.#stage, { 'aria-labelledby': `view-${view}` });
    this.#toolbar.showView(view);
    this.#host.remember({ view });
    this.#refreshViews();
  }

  #refreshViews(): void {
    this.#list.refresh();
    this.#sequence.refresh();
    this.#sizes.refresh();
  }

  #selected(): void {
    const key = this.#store.selected?.key;
    if (key !== undefined && this.#comparing !== undefined && key !== this.#comparing) this.#compareWith(key);
    if (key !== undefined) this.#main.classList.add('with-detail');
    this.#list.refresh();
    this.#sequence.select();
    this.#sizes.select();
    this.#detail.refresh();
    if (key !== undefined && key !== this.#host.state.selected) this.#host.remember({ selected: key });
  }

  #go(key: string): void {
    if (!this.#store.row(key)) return this.#announcer.say(this.#strings.goneRow);
    this.#store.select(key);
    if (this.#store.shownIndex(this.#store.selected) < 0) this.#showHidden();
    this.#list.reveal();
  }

  /** A row that the filter hides is wanted: the filter gives way. */
  #showHidden(): void {
    if (this.#store.selected?.kind === 'sse') this.#store.setToggle('frames', true);
    if (this.#store.shownIndex(this.#store.selected) >= 0) return;
    this.#store.setToggles({ frames: this.#store.toggle('frames') });
    this.#store.setTurn('');
    this.#clearFilter();
  }

  #openDetail(focus: boolean): void {
    if (!this.#store.selected) return;
    this.#main.classList.add('with-detail');
    this.#detail.refresh();
    if (focus) this.#detail.focus();
  }

  #closeDetail(): void {
    this.#main.classList.remove('with-detail');
    this.#focusView();
  }

  #setSplit(split: 'bottom' | 'right'): void {
    this.#split = split;
    this.#splitter.side = split;
    this.#main.classList.toggle('split-right', split === 'right');
    this.#host.remember({ split });
    this.#refreshViews();
  }

  #filter(filter: string): void {
    this.#store.setFilter(filter);
    this.#host.remember({ filter });
  }

  #clearFilter(): void {
    this.#toolbar.filter.value = '';
    this.#filter('');
    this.#store.setToggles({ frames: this.#store.toggle('frames') });
    this.#store.setTurn('');
  }

  #copyMermaid(): void {
    const turn = this.#store.turn || [...this.#store.turns.keys()].at(-1);
    this.#host.send({ kind: 'copy-mermaid', ...(turn === undefined ? {} : { turn }) });
  }

  #menu(key: string, x: number, y: number): void {
    const row = this.#store.row(key);
    if (!row) return;
    const hasExchange =
      row.kind === 'http' ||
      row.links.some(({ role, key: other }) => role === 'carrier' && this.#store.row(other)?.kind === 'http');
    const items = rowMenu(row, {
      strings: this.#strings,
      live: this.#store.session.live,
      hasExchange,
      send: (message) => this.#host.send(message),
      compare: (left) => this.#startCompare(left),
    });
    openMenu(items, x, y);
  }

  #startCompare(key: string | undefined): void {
    this.#comparing = key;
    this.#banner.hidden = key === undefined;
    if (key !== undefined) this.#announcer.say(this.#strings.comparePick);
  }

  #compareWith(right: string): void {
    const left = this.#comparing;
    this.#startCompare(undefined);
    if (left !== undefined) this.#host.send({ kind: 'compare', left, right });
  }

  #focusView(): void {
    if (this.#view === 'list') this.#list.focus();
    else if (this.#view === 'sequence') this.#sequence.focus();
    else this.#sizes.focus();
  }

  #key(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'F6') this.#nextPane(event.shiftKey ? -1 : 1);
    else if (event.key === '/' && !typing) this.#toolbar.filter.focus();
    else if (event.key === 'Escape' && this.#comparing !== undefined) this.#startCompare(undefined);
    else if (event.key === 'Escape') this.#escape(event);
    else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && !typing) return this.#copySelected();
    else return;
    event.preventDefault();
  }

  #escape(event: KeyboardEvent): void {
    const inView = event.target instanceof Node && this.#stage.contains(event.target);
    if (inView) this.#closeDetail();
    else this.#focusView();
  }

  /** Nothing is marked as text: the row is meant. */
  #copySelected(): void {
    const key = this.#store.selected?.key;
    if (key !== undefined && (document.getSelection()?.toString() ?? '') === '')
      this.#host.send({ kind: 'copy', key, form: 'value' });
  }

  #nextPane(step: number): void {
    const panes = [
      { node: this.#toolbar.node, focus: () => this.#toolbar.filter.focus() },
      { node: this.#stage, focus: () => this.#focusView() },
      ...(this.#main.classList.contains('with-detail')
        ? [{ node: this.#detail.node, focus: () => this.#detail.focus() }]
        : []),
    ];
    const now = panes.findIndex(({ node }) => node.contains(document.activeElement));
    panes.at((now + step) % panes.length)?.focus();
  }
}
