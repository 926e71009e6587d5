import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { element, icon, textButton } from './dom.ts';
import { fill, formatBytes } from '../../src/wire/format.ts';

/** Members of one object or list that are shown at first. */
const ITEMS = 100;
/** Characters of one string that are shown at first. */
const CHARACTERS = 2000;
/** Objects and lists below this depth are folded at first. */
const OPEN_DEPTH = 6;

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value of a string that is JSON itself: an object or a list. */
function nested(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isContainer(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Draws JSON as a tree that can be folded. JSON inside strings is opened up. */
export class JsonView {
  readonly #strings: InspectorStrings;

  constructor(strings: InspectorStrings) {
    this.#strings = strings;
  }

  draw(value: unknown): HTMLElement {
    return element('div', { class: 'json' }, this.#value(value, undefined, 0, false));
  }

  #value(value: unknown, name: string | undefined, depth: number, comma: boolean): HTMLElement {
    if (isContainer(value)) return this.#container(value, name, depth, comma, false);
    const inner = typeof value === 'string' ? nested(value) : undefined;
    if (inner) return this.#container(inner, name, depth, comma, true);
    return element('div', { class: 'json-line' }, ...this.#name(name), this.#scalar(value), comma ? ',' : '');
  }

  #name(name: string | undefined): (HTMLElement | string)[] {
    return name === undefined ? [] : [element('span', { class: 'json-name' }, JSON.stringify(name)), ': '];
  }

  #scalar(value: unknown): HTMLElement {
    if (typeof value !== 'string')
      return element('span', { class: `json-${value === null ? 'null' : typeof value}` }, JSON.stringify(value) ?? '');
    const text = JSON.stringify(value);
    if (text.length <= CHARACTERS) return element('span', { class: 'json-string' }, text);
    const shown = element('span', { class: 'json-string' }, `${text.slice(0, CHARACTERS)}…`);
    const more = textButton(
      fill(this.#strings.moreText, formatBytes(text.length)),
      () => {
        shown.textContent = text;
        more.remove();
      },
      'inline-button',
    );
    return element('span', {}, shown, ' ', more);
  }

  #container(value: object, name: string | undefined, depth: number, comma: boolean, inText: boolean): HTMLElement {
    const list = Array.isArray(value);
    const [opening, closing] = list ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(value);
    const end = `${closing}${comma ? ',' : ''}`;
    const tag = inText ? [element('span', { class: 'json-tag' }, this.#strings.jsonInText)] : [];
    if (entries.length === 0)
      return element('div', { class: 'json-line' }, ...this.#name(name), ...tag, `${opening}${end}`);
    const children = element('div', { class: 'json-children' });
    const count = element('span', { class: 'json-count' }, `${entries.length}`);
    const toggle = element(
      'button',
      { class: 'json-toggle', type: 'button', 'aria-label': this.#strings.fold },
      icon('chevron-down'),
    );
    const head = element('div', { class: 'json-line' }, toggle, ...this.#name(name), ...tag, opening, count);
    const node = element(
      'div',
      { class: 'json-node' },
      head,
      children,
      element('div', { class: 'json-line json-end' }, end),
    );
    const setOpen = (open: boolean): void => {
      if (open && children.childElementCount === 0) this.#fill(children, entries, list, depth, 0);
      node.classList.toggle('folded', !open);
      toggle.setAttribute('aria-expanded', String(open));
    };
    toggle.addEventListener('click', () => setOpen(node.classList.contains('folded')));
    setOpen(depth < OPEN_DEPTH);
    return node;
  }

  #fill(
    target: HTMLElement,
    entries: readonly (readonly [string, unknown])[],
    list: boolean,
    depth: number,
    from: number,
  ): void {
    const to = Math.min(entries.length, from + ITEMS);
    for (let index = from; index < to; index += 1) {
      const [key, value] = entries[index] ?? ['', undefined];
      target.append(this.#value(value, list ? undefined : key, depth + 1, index < entries.length - 1));
    }
    if (to === entries.length) return;
    const more = textButton(
      fill(this.#strings.moreItems, entries.length - to),
      () => {
        more.remove();
        this.#fill(target, entries, list, depth, to);
      },
      'inline-button',
    );
    target.append(more);
  }
}
