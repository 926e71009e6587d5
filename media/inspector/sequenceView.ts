import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import { sequenceOf, type Lane, type SequenceItem } from '../../src/wire/sequence.ts';
import { AGENT, YOU, type Arrow, type SequenceWords } from '../../src/wire/sequenceArrows.ts';
import { element, icon, setAttributes, svg, textButton, NextFrame } from './dom.ts';
import { fill, formatBytes, formatDuration, shorten } from '../../src/wire/format.ts';
import { stateName } from './rowLook.ts';
import type { Store } from './store.ts';

/** Heights of the lines of the drawing, in CSS pixels. */
const ARROW = 34;
const HEADING = 30;
/** Room between lifelines, and beside the outer ones. */
const LANE = 190;
const NARROW_LANE = 140;
const MARGIN = 112;
const NARROW_MARGIN = 60;
const WIDEST_LANE = 360;
const NARROW = 600;

/** What the sequence asks of the page. */
export interface SequenceActions {
  openDetail(): void;
  copyMermaid(): void;
}

interface Placed {
  readonly item: SequenceItem;
  readonly top: number;
  readonly height: number;
}

/** The lifelines and what passes between them. */
export class SequenceView {
  readonly node: HTMLElement;
  readonly #store: Store;
  readonly #strings: InspectorStrings;
  readonly #actions: SequenceActions;
  readonly #words: SequenceWords;
  readonly #scroller: HTMLElement;
  readonly #unfolded = new Set<string>();
  #keys: string[] = [];
  readonly #frame = new NextFrame(() => this.#draw());

  constructor(store: Store, strings: InspectorStrings, actions: SequenceActions) {
    this.#store = store;
    this.#strings = strings;
    this.#actions = actions;
    const { connectionClosed: closed, connectionLost: lost } = strings;
    this.#words = { closed, lost, state: (state) => stateName(state, strings) };
    this.#scroller = element('div', {
      class: 'sequence-scroller',
      tabindex: 0,
      role: 'listbox',
      'aria-label': strings.sequenceLabel,
    });
    const copy = textButton(strings.copyMermaid, () => actions.copyMermaid(), 'text-button floating');
    copy.prepend(icon('copy'), ' ');
    this.node = element('div', { class: 'sequence', hidden: true }, this.#scroller, copy);
    this.#scroller.addEventListener('click', (event) => this.#pick(event));
    this.#scroller.addEventListener('keydown', (event) => this.#key(event));
    new ResizeObserver(() => this.refresh()).observe(this.node);
  }

  focus(): void {
    this.#scroller.focus({ preventScroll: true });
  }

  refresh(): void {
    if (this.node.hidden) return;
    this.#frame.ask();
  }

  /** Marks the selected row without drawing anew. */
  select(): void {
    const key = this.#store.selected?.key;
    let active: string | undefined;
    for (const arrow of this.#scroller.querySelectorAll('[data-key]')) {
      const isSelected = arrow.getAttribute('data-key') === key;
      arrow.classList.toggle('selected', isSelected);
      arrow.setAttribute('aria-selected', String(isSelected));
      if (isSelected) active ??= arrow.id;
    }
    setAttributes(this.#scroller, { 'aria-activedescendant': active });
  }

  #draw(): void {
    const rows = this.#store.shown;
    const { lanes, items } = sequenceOf(rows, {
      frames: this.#store.toggle('frames'),
      unfolded: this.#unfolded,
      words: this.#words,
    });
    this.#keys = items.flatMap((item) => (item.kind === 'arrow' ? [item.key] : []));
    if (items.length === 0)
      return this.#scroller.replaceChildren(element('p', { class: 'quiet centred' }, this.#strings.emptySequence));
    const { clientWidth } = this.#scroller;
    const [least, margin] = clientWidth < NARROW ? [NARROW_LANE, NARROW_MARGIN] : [LANE, MARGIN];
    const even = (clientWidth - 2 * margin - 16) / Math.max(1, lanes.length - 1);
    const room = Math.min(WIDEST_LANE, Math.max(least, even));
    const x = new Map(lanes.map(({ id }, index) => [id, margin + index * room]));
    const width = margin * 2 + (lanes.length - 1) * room;
    this.#scroller.replaceChildren(this.#heads(lanes, x, width), this.#body(lanes, items, x, width));
    this.select();
  }

  #heads(lanes: readonly Lane[], x: ReadonlyMap<string, number>, width: number): HTMLElement {
    const heads = element('div', { class: 'lane-heads', role: 'presentation' });
    heads.style.setProperty('width', `${width}px`);
    for (const { id, name } of lanes) {
      const kind = id === YOU || id === AGENT ? id : id.startsWith('model:') ? 'model' : 'server';
      const icons = { you: 'account', agent: 'robot', model: 'sparkle', server: 'server' };
      const text = this.#laneName(id, name);
      const head = element(
        'div',
        { class: `lane-head lane-${kind}`, title: text },
        icon(icons[kind]),
        element('span', {}, text),
      );
      head.style.setProperty('left', `${x.get(id) ?? 0}px`);
      heads.append(head);
    }
    return heads;
  }

  #laneName(id: string, name = id.replace(/^(?:model|server):/, '')): string {
    return id === YOU ? this.#strings.you : id === AGENT ? this.#strings.agent : name;
  }

  #body(
    lanes: readonly Lane[],
    items: readonly SequenceItem[],
    x: ReadonlyMap<string, number>,
    width: number,
  ): HTMLElement {
    let top = 8;
    const placed = items.map((item): Placed => {
      const height = item.kind === 'arrow' ? ARROW : HEADING;
      const at = { item, top, height };
      top += height;
      return at;
    });
    const drawing = svg('svg', { class: 'lifelines', width, height: top + 24, 'aria-hidden': 'true' });
    drawing.append(arrowHeads());
    for (const { id } of lanes)
      drawing.append(svg('line', { class: 'lifeline', x1: x.get(id), x2: x.get(id), y1: 0, y2: top + 16 }));
    for (const bar of activations(placed, x)) drawing.append(bar);
    const body = element('div', { class: 'sequence-body', role: 'presentation' }, drawing);
    body.style.setProperty('width', `${width}px`);
    body.style.setProperty('height', `${top + 24}px`);
    for (const place of placed)
      body.append(
        place.item.kind === 'arrow'
          ? this.#arrow(place.item, place.top, x, drawing)
          : this.#heading(place.item, place.top),
      );
    return body;
  }

  #arrow(arrow: Arrow, top: number, x: ReadonlyMap<string, number>, drawing: SVGElement): HTMLElement {
    const from = x.get(arrow.from) ?? 0;
    const to = x.get(arrow.to) ?? 0;
    const sign = Math.sign(to - from);
    const y = top + ARROW - 8;
    const classes = ['arrow', arrow.fault ? 'fault' : '', arrow.dashed ? 'dashed' : '', arrow.answer ? 'answer' : '']
      .filter(Boolean)
      .join(' ');
    drawing.append(
      svg('line', {
        class: classes,
        x1: from + 4 * sign,
        x2: to - 6 * sign,
        y1: y,
        y2: y,
        'marker-end': `url(#head${arrow.fault ? '-fault' : ''})`,
      }),
    );
    const facts = [
      arrow.bytes === undefined ? '' : formatBytes(arrow.bytes),
      arrow.milliseconds === undefined ? '' : formatDuration(arrow.milliseconds),
    ]
      .filter(Boolean)
      .join(' · ');
    const label = element(
      'div',
      {
        class: `arrow-label ${classes}`,
        role: 'option',
        'data-key': arrow.key,
        'aria-selected': 'false',
        title: [arrow.label, facts].filter(Boolean).join(' · '),
        id: `arrow-${top}`,
      },
      element('span', { class: 'unseen' }, `${this.#laneName(arrow.from)} → ${this.#laneName(arrow.to)}: `),
      element('span', { class: 'arrow-text' }, shorten(arrow.label, 80)),
      ' ',
      element('span', { class: 'arrow-facts' }, facts),
    );
    label.style.setProperty('left', `${Math.min(from, to) + 8}px`);
    label.style.setProperty('width', `${Math.abs(to - from) - 16}px`);
    label.style.setProperty('top', `${top}px`);
    return label;
  }

  #heading(item: Exclude<SequenceItem, Arrow>, top: number): HTMLElement {
    const node = element('div', { class: `heading heading-${item.kind}`, role: 'presentation' });
    node.style.setProperty('top', `${top}px`);
    if (item.kind === 'phase') {
      const names = {
        connect: this.#strings.phaseConnect,
        initialize: this.#strings.phaseInitialize,
        operate: this.#strings.phaseOperate,
        end: this.#strings.phaseEnd,
      };
      node.append(
        element('span', { class: 'heading-text' }, names[item.phase], element('span', { class: 'quiet' }, item.server)),
      );
    } else if (item.kind === 'turn') {
      node.append(
        element(
          'span',
          { class: 'heading-text' },
          fill(this.#strings.turn, item.number),
          element('span', { class: 'quiet' }, shorten(item.title, 90)),
        ),
      );
    } else {
      node.append(
        textButton(fill(this.#strings.unfold, item.arrows), () => {
          this.#unfolded.add(item.turn);
          this.refresh();
        }),
      );
    }
    return node;
  }

  #pick(event: MouseEvent): void {
    const key =
      event.target instanceof Element ? event.target.closest('[data-key]')?.getAttribute('data-key') : undefined;
    if (key === undefined || key === null) return;
    this.#store.select(key);
    this.#actions.openDetail();
    this.focus();
  }

  #key(event: KeyboardEvent): void {
    const last = this.#keys.length - 1;
    const key = this.#store.selected?.key ?? '';
    const [first, final] = [this.#keys.indexOf(key), this.#keys.lastIndexOf(key)];
    const to = { ArrowDown: Math.min(last, final + 1), ArrowUp: Math.max(0, first - 1), Home: 0, End: last }[event.key];
    if (to === undefined) {
      if (event.key === 'Enter') this.#actions.openDetail();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const next = this.#keys[to];
    this.#store.select(next);
    this.#scroller.querySelector('.selected')?.scrollIntoView({ block: 'nearest' });
  }
}

function arrowHeads(): SVGElement {
  const head = (id: string, name: string): SVGElement =>
    svg(
      'marker',
      { id, viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
      svg('path', { class: name, d: 'M0 0.5 L7 4 L0 7.5 z' }),
    );
  return svg('defs', {}, head('head', 'arrow-head'), head('head-fault', 'arrow-head fault'));
}

/** The time in which somebody works at an answer, as a bar on their lifeline. */
function activations(placed: readonly Placed[], x: ReadonlyMap<string, number>): SVGElement[] {
  const open = new Map<string, { readonly top: number; readonly lane: string }>();
  const bars: SVGElement[] = [];
  for (const { item, top } of placed) {
    if (item.kind !== 'arrow') continue;
    const key = `${item.key} ${item.answer ? item.from : item.to}`;
    const y = top + ARROW - 8;
    const begun = open.get(key);
    if (!item.answer) open.set(key, { top: y, lane: item.to });
    else if (begun) {
      open.delete(key);
      bars.push(
        svg('rect', {
          class: `activation ${item.fault ? 'fault' : ''}`,
          x: (x.get(begun.lane) ?? 0) - 4,
          y: begun.top,
          width: 8,
          height: y - begun.top,
          rx: 2,
        }),
      );
    }
  }
  return bars;
}
