import type { InspectorView } from '../../src/wire/inspectorProtocol.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { element, setAttributes } from './dom.ts';
import { List } from './list.ts';
import { SequenceView } from './sequenceView.ts';
import { SizesView } from './sizesView.ts';
import type { Store } from './store.ts';

/** What the views ask of the page. */
export interface StageActions {
  /** `focus` moves the keyboard there, too. */
  readonly openDetail: (focus: boolean) => void;
  readonly openMenu: (key: string, x: number, y: number) => void;
  readonly clearFilter: () => void;
  readonly copyMermaid: () => void;
}

/** The three views of what is known, of which one is shown. */
export class Stage {
  readonly node: HTMLElement;
  readonly #list: List;
  readonly #sequence: SequenceView;
  readonly #sizes: SizesView;
  #view: InspectorView = 'list';

  constructor(store: Store, strings: InspectorStrings, actions: StageActions) {
    const { openMenu, clearFilter, copyMermaid } = actions;
    const openDetail = (): void => actions.openDetail(false);
    this.#list = new List(store, strings, { openDetail: () => actions.openDetail(true), openMenu, clearFilter });
    this.#sequence = new SequenceView(store, strings, { openDetail, copyMermaid });
    this.#sizes = new SizesView(store, strings, { openDetail });
    this.node = element(
      'div',
      { class: 'stage', id: 'view-panel', role: 'tabpanel', 'aria-labelledby': 'view-list' },
      this.#list.node,
      this.#sequence.node,
      this.#sizes.node,
    );
  }

  show(view: InspectorView): void {
    this.#view = view;
    this.#list.node.hidden = view !== 'list';
    this.#sequence.node.hidden = view !== 'sequence';
    this.#sizes.node.hidden = view !== 'sizes';
    setAttributes(this.node, { 'aria-labelledby': `view-${view}` });
    this.refresh();
  }

  /** Draws anew what is shown. */
  refresh(): void {
    this.#list.refresh();
    this.#sequence.refresh();
    this.#sizes.refresh();
  }

  /** Marks what is selected. */
  select(): void {
    this.#list.refresh();
    this.#sequence.select();
    this.#sizes.select();
  }

  /** Scrolls the list to what is selected. */
  reveal(): void {
    this.#list.reveal();
  }

  focus(): void {
    if (this.#view === 'list') this.#list.focus();
    else if (this.#view === 'sequence') this.#sequence.focus();
    else this.#sizes.focus();
  }
}
