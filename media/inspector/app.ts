import type { InspectorView, PageState, ToPage } from '../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { isFault, type Row } from '../../src/wire/row.ts';
import { Announcer } from './announcer.ts';
import { Comparison } from './comparison.ts';
import { Detail } from './detail.ts';
import { Details } from './details.ts';
import { element } from './dom.ts';
import { fill } from '../../src/wire/format.ts';
import type { Host } from './host.ts';
import { openMenu } from './menu.ts';
import { listenForKeys, type Pane } from './paneKeys.ts';
import { hasExchange, rowMenu } from './rowMenu.ts';
import { Splitter } from './splitter.ts';
import { Stage } from './stage.ts';
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
  readonly #stage: Stage;
  readonly #detail: Detail;
  readonly #splitter: Splitter;
  readonly #main: HTMLElement;
  readonly #comparison: Comparison;
  #split: 'bottom' | 'right';

  constructor(host: Host, strings: InspectorStrings) {
    this.#host = host;
    this.#strings = strings;
    const { state } = host;
    this.#details = new Details(host);
    this.#toolbar = this.#makeToolbar();
    this.#stage = new Stage(this.#store, strings, {
      openDetail: (focus) => this.#openDetail(focus),
      openMenu: (key, x, y) => this.#menu(key, x, y),
      clearFilter: () => this.#clearFilter(),
      copyMermaid: () => this.#copyMermaid(),
    });
    this.#main = element('main', { class: 'main' });
    this.#splitter = new Splitter(this.#main, strings.detail, state.size ?? 42, (size) => host.remember({ size }));
    this.#store.setToggles(state.toggles ?? {});
    this.#detail = this.#makeDetail(state.tab);
    this.#main.append(this.#stage.node, this.#splitter.node, this.#detail.node);
    this.#comparison = new Comparison(host, strings, this.#announcer);
    document.body.append(this.#toolbar.node, this.#comparison.node, this.#main, this.#announcer.node);
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
      if (change.rows) this.#stage.refresh();
      if (change.rows || change.session) this.#toolbar.refresh();
      if (change.selection) this.#selected();
    });
    this.#details.onDidArrive(() => this.#detail.redraw());
    listenForKeys({
      panes: this.#panes(),
      focusFilter: () => this.#toolbar.filter.focus(),
      escape: (target) => this.#escape(target),
      copy: () => this.#copySelected(),
    });
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
    this.#toolbar.showView(view);
    this.#host.remember({ view });
    this.#stage.show(view);
  }

  #selected(): void {
    const key = this.#store.selected?.key;
    if (key !== undefined) this.#comparison.select(key);
    if (key !== undefined) this.#main.classList.add('with-detail');
    this.#stage.select();
    this.#detail.refresh();
    if (key !== undefined && key !== this.#host.state.selected) this.#host.remember({ selected: key });
  }

  #go(key: string): void {
    if (!this.#store.row(key)) return this.#announcer.say(this.#strings.goneRow);
    this.#store.select(key);
    if (this.#store.shownIndex(this.#store.selected) < 0) this.#showHidden();
    this.#stage.reveal();
  }

  /** A row that the filter hides is wanted: the filter gives way. */
  #showHidden(): void {
    if (this.#store.selected?.kind === 'sse') this.#store.setToggle('frames', true);
    if (this.#store.shownIndex(this.#store.selected) < 0) this.#clearFilter();
  }

  #openDetail(focus: boolean): void {
    if (!this.#store.selected) return;
    this.#main.classList.add('with-detail');
    this.#detail.refresh();
    if (focus) this.#detail.focus();
  }

  #closeDetail(): void {
    this.#main.classList.remove('with-detail');
    this.#stage.focus();
  }

  #setSplit(split: 'bottom' | 'right'): void {
    this.#split = split;
    this.#splitter.side = split;
    this.#main.classList.toggle('split-right', split === 'right');
    this.#host.remember({ split });
    this.#stage.refresh();
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
    const items = rowMenu(row, {
      strings: this.#strings,
      live: this.#store.session.live,
      hasExchange: hasExchange(row, this.#store),
      send: (message) => this.#host.send(message),
      compare: (left) => this.#comparison.start(left),
    });
    openMenu(items, x, y);
  }

  #escape(target: EventTarget | null): void {
    if (this.#comparison.isWaiting) return this.#comparison.stop();
    if (target instanceof Node && this.#stage.node.contains(target)) this.#closeDetail();
    else this.#stage.focus();
  }

  #copySelected(): void {
    const key = this.#store.selected?.key;
    if (key !== undefined) this.#host.send({ kind: 'copy', key, form: 'value' });
  }

  #panes(): readonly Pane[] {
    const always = (): boolean => true;
    return [
      { node: this.#toolbar.node, isShown: always, focus: () => this.#toolbar.filter.focus() },
      { node: this.#stage.node, isShown: always, focus: () => this.#stage.focus() },
      {
        node: this.#detail.node,
        isShown: () => this.#main.classList.contains('with-detail'),
        focus: () => this.#detail.focus(),
      },
    ];
  }
}
