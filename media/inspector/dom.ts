type Child = Node | string | number | undefined | false;
type Attribute = string | number | boolean | undefined;

/** Sets attributes; `undefined` and false leave one out. */
export function setAttributes(target: Element, attributes: Readonly<Record<string, Attribute>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(target: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== undefined && child !== false) target.append(child instanceof Node ? child : String(child));
}

/** An HTML element. Texts become text nodes, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

/** One of VS Code's icons. It says nothing to a screen reader: the text beside it does. */
export function icon(name: string, extra = ''): HTMLElement {
  return element('span', { class: `codicon codicon-${name} ${extra}`.trim(), 'aria-hidden': 'true' });
}

/** A button with an icon; `label` is its name and its tooltip. */
export function iconButton(name: string, label: string, press: (event: MouseEvent) => void): HTMLButtonElement {
  const button = element(
    'button',
    { class: 'icon-button', type: 'button', title: label, 'aria-label': label },
    icon(name),
  );
  button.addEventListener('click', press);
  return button;
}

/** A button with a text. */
export function textButton(
  label: string,
  press: (event: MouseEvent) => void,
  className = 'text-button',
): HTMLButtonElement {
  const button = element('button', { class: className, type: 'button' }, label);
  button.addEventListener('click', press);
  return button;
}

/** Sets the text of a node only where it changed. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Runs something with the next frame, once, however often it is asked to. */
export class NextFrame {
  readonly #run: () => void;
  #asked = false;

  constructor(run: () => void) {
    this.#run = run;
  }

  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#run();
    });
  }
}
