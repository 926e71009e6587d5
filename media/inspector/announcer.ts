import { element } from './dom.ts';

/** Often enough for news, rarely enough to be heard out. */
const PAUSE_MS = 2000;

/** Says things to a screen reader, at most one every two seconds; the latest one wins. */
export class Announcer {
  readonly node = element('div', { class: 'unseen', role: 'status' });
  #waiting: string | undefined;
  #quiet = false;

  say(text: string): void {
    this.#waiting = text;
    if (!this.#quiet) this.#speak();
  }

  #speak(): void {
    if (this.#waiting === undefined) return;
    this.node.textContent = this.#waiting;
    this.#waiting = undefined;
    this.#quiet = true;
    setTimeout(() => {
      this.#quiet = false;
      this.#speak();
    }, PAUSE_MS);
  }
}
