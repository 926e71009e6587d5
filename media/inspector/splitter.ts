import { element, setAttributes } from './dom.ts';

/** Least and largest share of the detail pane, in percent. */
const LEAST = 15;
const MOST = 85;
const STEP = 4;

/** The line between the view and the details: dragged, or moved by the arrow keys. */
export class Splitter {
  readonly node: HTMLElement;
  readonly #area: HTMLElement;
  readonly #change: (size: number) => void;
  #size: number;
  #side: 'bottom' | 'right' = 'bottom';

  constructor(area: HTMLElement, label: string, size: number, change: (size: number) => void) {
    this.#area = area;
    this.#change = change;
    this.#size = size;
    this.node = element('div', {
      class: 'splitter',
      role: 'separator',
      tabindex: 0,
      'aria-label': label,
      'aria-valuemin': LEAST,
      'aria-valuemax': MOST,
    });
    this.node.addEventListener('pointerdown', (event) => this.#drag(event));
    this.node.addEventListener('keydown', (event) => this.#key(event));
    this.#set(size);
  }

  set side(side: 'bottom' | 'right') {
    this.#side = side;
    setAttributes(this.node, { 'aria-orientation': side === 'right' ? 'vertical' : 'horizontal' });
  }

  #set(size: number): void {
    this.#size = Math.min(MOST, Math.max(LEAST, size));
    this.#area.style.setProperty('--detail-size', `${this.#size}%`);
    setAttributes(this.node, { 'aria-valuenow': Math.round(this.#size) });
  }

  #drag(event: PointerEvent): void {
    event.preventDefault();
    this.node.setPointerCapture(event.pointerId);
    const move = (at: PointerEvent): void => {
      const box = this.#area.getBoundingClientRect();
      const share =
        this.#side === 'right' ? (box.right - at.clientX) / box.width : (box.bottom - at.clientY) / box.height;
      this.#set(share * 100);
    };
    const end = (): void => {
      this.node.removeEventListener('pointermove', move);
      this.node.removeEventListener('pointerup', end);
      this.#change(this.#size);
    };
    this.node.addEventListener('pointermove', move);
    this.node.addEventListener('pointerup', end);
  }

  #key(event: KeyboardEvent): void {
    const grow = { ArrowUp: STEP, ArrowLeft: STEP, ArrowDown: -STEP, ArrowRight: -STEP }[event.key];
    if (grow === undefined) return;
    event.preventDefault();
    this.#set(this.#size + grow);
    this.#change(this.#size);
  }
}
