import { completions, type Completion } from '../../src/wire/filterCompletion.ts';
import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { element, icon, iconButton, setAttributes } from './dom.ts';
import type { Store } from './store.ts';

/** The filter with its suggestions (the pattern of a combo box with a list box). */
export class FilterBox {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  #offers: readonly Completion[] = [];
  #active = -1;

  constructor(store: Store, strings: InspectorStrings, change: (filter: string) => void) {
    this.#store = store;
    this.#input = element('input', {
      class: 'filter-input',
      type: 'text',
      role: 'combobox',
      placeholder: strings.filterHint,
      'aria-label': strings.filter,
      'aria-autocomplete': 'list',
      'aria-expanded': 'false',
      'aria-controls': 'filter-offers',
      spellcheck: 'false',
    });
    this.#list = element('div', {
      class: 'offers',
      id: 'filter-offers',
      role: 'listbox',
      'aria-label': strings.filterSuggestions,
      hidden: true,
    });
    const clear = iconButton('close', strings.emptyFilteredAction, () => {
      this.value = '';
      change('');
      this.focus();
    });
    this.node = element('div', { class: 'filter' }, icon('filter', 'filter-icon'), this.#input, clear, this.#list);
    this.#input.addEventListener('input', () => {
      change(this.#input.value);
      this.#offer();
    });
    this.#input.addEventListener('focus', () => this.#offer());
    this.#input.addEventListener('blur', () => this.#close());
    this.#input.addEventListener('keydown', (event) => this.#key(event, change));
    this.#list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = event.target instanceof Element ? event.target.closest('[data-index]') : null;
      if (option) this.#take(Number(option.getAttribute('data-index')), change);
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  set value(filter: string) {
    this.#input.value = filter;
    this.node.classList.toggle('has-value', filter !== '');
  }

  /** The word before the cursor, and where it begins. */
  #word(): { readonly text: string; readonly start: number } {
    const end = this.#input.selectionStart ?? this.#input.value.length;
    const before = this.#input.value.slice(0, end);
    const start = before.lastIndexOf(' ') + 1;
    return { text: before.slice(start), start };
  }

  #offer(): void {
    this.node.classList.toggle('has-value', this.#input.value !== '');
    this.#offers = completions(this.#word().text, this.#store.rows(), this.#store.turns.size).slice(0, 12);
    this.#active = -1;
    this.#list.replaceChildren(
      ...this.#offers.map(({ label }, index) =>
        element(
          'div',
          { class: 'offer', role: 'option', id: `offer-${index}`, 'data-index': index, 'aria-selected': 'false' },
          label,
        ),
      ),
    );
    this.#show(this.#offers.length > 0);
  }

  #show(open: boolean): void {
    this.#list.hidden = !open;
    setAttributes(this.#input, { 'aria-expanded': open ? 'true' : 'false', 'aria-activedescendant': undefined });
  }

  #close(): void {
    this.#offers = [];
    this.#show(false);
  }

  #key(event: KeyboardEvent, change: (filter: string) => void): void {
    const count = this.#offers.length;
    if (event.key === 'ArrowDown' && count > 0) this.#activate((this.#active + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) this.#activate((this.#active + count - 1) % count);
    else if ((event.key === 'Enter' || event.key === 'Tab') && this.#active >= 0) this.#take(this.#active, change);
    else if (event.key === 'Escape' && count > 0) this.#close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [place, option] of [...this.#list.children].entries())
      setAttributes(option, { 'aria-selected': place === index ? 'true' : 'false' });
    setAttributes(this.#input, { 'aria-activedescendant': `offer-${index}` });
    this.#list.children[index]?.scrollIntoView({ block: 'nearest' });
  }

  #take(index: number, change: (filter: string) => void): void {
    const offer = this.#offers[index];
    if (!offer) return;
    const { text, start } = this.#word();
    const { value } = this.#input;
    const inserted = offer.open ? offer.insert : `${offer.insert} `;
    this.#input.value = value.slice(0, start) + inserted + value.slice(start + text.length);
    this.#input.setSelectionRange(start + inserted.length, start + inserted.length);
    change(this.#input.value);
    this.#offer();
  }
}
