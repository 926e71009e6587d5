import type { TapFact } from '../base/tap.ts';

/** A fact and when it came, in milliseconds since 1970. */
export interface TimedFact {
  readonly fact: TapFact;
  readonly at: number;
}

/** What a fact holds in memory, roughly, in characters. */
function charactersOf(fact: TapFact): number {
  switch (fact.kind) {
    case 'sse-event':
      return fact.data.length;
    case 'http-request':
      return fact.body === undefined ? 0 : fact.body.length;
    case 'http-body':
    case 'stdio-line':
    case 'model-answer':
      return fact.text.length;
    case 'model-request':
      return fact.logical ? fact.bytes : 0;
    default:
      return 0;
  }
}

/**
 * Facts on their way into the record, as they came. Nobody can see them here. When more come than the record could hold,
 * the oldest are let go without having cost more than this; what later facts need to be understood is given out instead.
 */
export class Intake {
  readonly #maxFacts: number;
  readonly #maxCharacters: number;
  readonly #open = new Set<number | string>();
  /** Facts and their times stand beside each other: an object more for each would be felt in every call. */
  #facts: TapFact[] = [];
  #times: number[] = [];
  #characters = 0;

  constructor(maxFacts: number, maxCharacters: number) {
    this.#maxFacts = maxFacts;
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#facts.length;
  }

  /** True when there is more than can be held: then {@link makeRoom}. */
  add(fact: TapFact, at: number): boolean {
    this.#facts.push(fact);
    this.#times.push(at);
    this.#characters += charactersOf(fact);
    if (fact.kind === 'http-request') this.#open.add(fact.exchange);
    else if (fact.kind === 'http-end') this.#open.delete(fact.exchange);
    else if (fact.kind === 'connection-open') this.#open.add(fact.connection);
    else if (fact.kind === 'connection-close') this.#open.delete(fact.connection);
    return this.#facts.length > this.#maxFacts || this.#characters > this.#maxCharacters;
  }

  /** All facts, in order; the intake is empty then. */
  take(): TimedFact[] {
    const [facts, times] = [this.#facts, this.#times];
    this.#facts = [];
    this.#times = [];
    this.#characters = 0;
    return facts.map((fact, index) => ({ fact, at: times[index] ?? 0 }));
  }

  clear(): void {
    this.#facts = [];
    this.#times = [];
    this.#characters = 0;
    this.#open.clear();
  }

  /** Lets the older half go. Gives what must be kept of it: heads of what is still open, and the few facts that teach a secret. */
  makeRoom(): { readonly kept: readonly TimedFact[]; readonly dropped: number } {
    const characters = this.#characters;
    let count = 0;
    while (count < this.#facts.length - 1 && (count < this.#facts.length / 2 || this.#characters > characters / 2)) {
      const fact = this.#facts[count];
      if (fact) this.#characters -= charactersOf(fact);
      count += 1;
    }
    const times = this.#times.splice(0, count);
    const kept = this.#facts
      .splice(0, count)
      .flatMap((fact, index) => (this.#mustStay(fact) ? [{ fact, at: times[index] ?? 0 }] : []));
    return { kept, dropped: count - kept.length };
  }

  #mustStay(fact: TapFact): boolean {
    switch (fact.kind) {
      case 'http-request':
      case 'http-response':
        return this.#open.has(fact.exchange);
      case 'sse-event':
        return fact.event === 'endpoint';
      case 'connection-open':
        return this.#open.has(fact.connection);
      case 'process-start':
        return true;
      default:
        return false;
    }
  }
}
