import type { InspectorStrings } from '../../src/wire/inspectorStrings.ts';
import type { Announcer } from './announcer.ts';
import { element } from './dom.ts';
import type { Host } from './host.ts';

/** Two rows side by side: the first is remembered, and a banner asks for the second, until it is selected or Escape is pressed. */
export class Comparison {
  readonly node: HTMLElement;
  readonly #host: Host;
  readonly #strings: InspectorStrings;
  readonly #announcer: Announcer;
  #left: string | undefined;

  constructor(host: Host, strings: InspectorStrings, announcer: Announcer) {
    this.#host = host;
    this.#strings = strings;
    this.#announcer = announcer;
    this.node = element('div', { class: 'compare-banner', hidden: true }, strings.comparePick);
  }

  /** A first row waits for its second. */
  get isWaiting(): boolean {
    return this.#left !== undefined;
  }

  start(key: string): void {
    this.#wait(key);
    this.#announcer.say(this.#strings.comparePick);
  }

  stop(): void {
    this.#wait(undefined);
  }

  /** Compares with the row that was selected, where one waits for it. */
  select(right: string): void {
    const left = this.#left;
    if (left === undefined || left === right) return;
    this.stop();
    this.#host.send({ kind: 'compare', left, right });
  }

  #wait(key: string | undefined): void {
    this.#left = key;
    this.node.hidden = key === undefined;
  }
}
