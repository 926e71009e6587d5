import type { TapFact } from '../../../src/base/tap.ts';

/** A fact and when it happened, in milliseconds after the first. */
export interface TimedFact {
  readonly at: number;
  readonly fact: TapFact;
}

/** Tells facts in order, some milliseconds apart. */
export class Story {
  readonly facts: TimedFact[] = [];
  at = 0;
  #exchange = 0;

  /** Something happens so many milliseconds after what was told last. */
  after(milliseconds: number, fact: TapFact): void {
    this.at += milliseconds;
    this.facts.push({ at: this.at, fact });
  }

  /** The tap's number of a further exchange. */
  nextExchange(): number {
    this.#exchange += 1;
    return this.#exchange;
  }
}

/** Size as UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
