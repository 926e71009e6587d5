import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { InspectorView, Toggle } from '../../src/wire/inspectorProtocol.ts';
import { element, icon, iconButton, setAttributes, setText } from './dom.ts';
import { FilterBox } from './filterBox.ts';
import { fill, formatBytes, formatNumber, shorten } from '../../src/wire/format.ts';
import type { Store } from './store.ts';

/** What the toolbar asks of the page. */
export interface ToolbarActions {
  view(view: InspectorView): void;
  filter(filter: string): void;
  toggle(name: Toggle, on: boolean): void;
  turn(turn: string): void;
  record(on: boolean): void;
  clear(): void;
  import(): void;
  export(): void;
  help(): void;
  split(): void;
}

const views: readonly (readonly [InspectorView, string])[] = [
  ['list', 'list-flat'],
  ['sequence', 'type-hierarchy'],
  ['sizes', 'graph'],
];

/** The two lines above the views: recording, views, filter, toggles, turn and counts. */
export class Toolbar {
  readonly node: HTMLElement;
  readonly filter: FilterBox;
  readonly #store: Store;
  readonly #strings: InspectorStrings;
  readonly #actions: ToolbarActions;
  readonly #record: HTMLButtonElement;
  readonly #views = new Map<InspectorView, HTMLElement>();
  readonly #toggles = new Map<Toggle, HTMLElement>();
  readonly #turns: HTMLSelectElement;
  readonly #counts = element('span', { class: 'counts' });
  readonly #file = element('span', { class: 'file' });

  constructor(store: Store, strings: InspectorStrings, actions: ToolbarActions) {
    this.#store = store;
    this.#strings = strings;
    this.#actions = actions;
    this.filter = new FilterBox(store, strings, (filter) => actions.filter(filter));
    this.#record = iconButton('record', strings.record, () => actions.record(!store.session.recording));
    this.#record.classList.add('record');
    this.#turns = element('select', { class: 'turns', 'aria-label': strings.turnSelect });
    this.#turns.addEventListener('change', () => actions.turn(this.#turns.value));
    this.node = element('header', { class: 'toolbar' }, this.#topLine(), this.#bottomLine());
    this.refresh();
  }

  /** Shows counts, turns and what is on. */
  refresh(): void {
    const { session, shown, total, turns } = this.#store;
    const strings = this.#strings;
    const live = session.file === '';
    this.#record.hidden = !live;
    setAttributes(this.#record, {
      'aria-pressed': String(session.recording),
      title: session.recording ? strings.pause : strings.record,
      'aria-label': session.recording ? strings.pause : strings.record,
    });
    this.#record.replaceChildren(
      icon(session.recording ? 'record' : 'debug-pause'),
      element('span', { class: 'record-text' }, session.recording ? strings.recording : strings.paused),
    );
    const rows =
      shown.length === total
        ? fill(strings.rows, formatNumber(total))
        : fill(strings.rowsOf, formatNumber(shown.length), formatNumber(total));
    setText(this.#counts, session.bytes > 0 ? `${rows} · ${formatBytes(session.bytes)}` : rows);
    setText(this.#file, live ? '' : fill(strings.file, decodeURIComponent(session.file.split('/').at(-1) ?? '')));
    for (const [name, node] of this.#toggles) setAttributes(node, { 'aria-pressed': String(this.#store.toggle(name)) });
    if (this.#turns.childElementCount !== turns.size + 1) this.#drawTurns();
    this.#turns.value = this.#store.turn;
  }

  showView(view: InspectorView): void {
    for (const [name, node] of this.#views)
      setAttributes(node, { 'aria-selected': String(name === view), tabindex: name === view ? 0 : -1 });
  }

  #topLine(): HTMLElement {
    const strings = this.#strings;
    const actions = this.#actions;
    const tabs = element('div', { class: 'views', role: 'tablist', 'aria-label': strings.views });
    for (const [name, iconName] of views) {
      const tab = element(
        'button',
        {
          class: 'view-tab',
          type: 'button',
          role: 'tab',
          id: `view-${name}`,
          'aria-controls': 'view-panel',
          title: strings[name],
        },
        icon(iconName),
        element('span', { class: 'label' }, strings[name]),
      );
      tab.addEventListener('click', () => actions.view(name));
      this.#views.set(name, tab);
      tabs.append(tab);
    }
    tabs.addEventListener('keydown', (event) => this.#key(event));
    return element(
      'div',
      { class: 'line' },
      tabs,
      element('span', { class: 'gap' }),
      this.#file,
      this.#record,
      iconButton('clear-all', strings.clear, () => actions.clear()),
      iconButton('folder-opened', strings.import, () => actions.import()),
      iconButton('save', strings.export, () => actions.export()),
      iconButton('layout-panel', strings.layout, () => actions.split()),
    );
  }

  #bottomLine(): HTMLElement {
    const strings = this.#strings;
    const toggle = (name: Toggle, label: string, iconName: string): HTMLElement => {
      const button = element(
        'button',
        { class: 'toggle', type: 'button', 'aria-pressed': 'false', title: label },
        icon(iconName),
        element('span', { class: 'label' }, label),
      );
      button.addEventListener('click', () => this.#actions.toggle(name, !this.#store.toggle(name)));
      this.#toggles.set(name, button);
      return button;
    };
    return element(
      'div',
      { class: 'line' },
      this.filter.node,
      toggle('faults', strings.onlyErrors, 'error'),
      toggle('frames', strings.showFrames, 'broadcast'),
      toggle('hide-ping', strings.hidePing, 'pulse'),
      toggle('latest-turn', strings.latestTurn, 'comment-discussion'),
      this.#turns,
      this.#counts,
    );
  }

  #drawTurns(): void {
    const options = [element('option', { value: '' }, this.#strings.allTurns)];
    for (const [id, { number, title }] of this.#store.turns)
      options.push(element('option', { value: id }, `${fill(this.#strings.turn, number)}: ${shorten(title, 50)}`));
    this.#turns.replaceChildren(...options);
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const names = views.map(([name]) => name);
    const now = names.findIndex((name) => this.#views.get(name) === document.activeElement);
    const next = names.at((now + step) % names.length);
    if (next === undefined) return;
    this.#actions.view(next);
    this.#views.get(next)?.focus();
  }
}
