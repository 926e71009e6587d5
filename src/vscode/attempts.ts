import { Attempt } from '../agent/attempt.ts';

/** Turns that are remembered for being repeated. */
const mostTurns = 12;
/** Characters that the results of all remembered turns may hold. */
const mostCharacters = 16_000_000;

/** What tells a turn from all others: repeated, it is the same chat, the same place in it and the same words. */
export interface TurnPlaceInChat {
  /** The chat's address; undefined where the editor does not tell it: nothing is taken for a repetition then. */
  readonly chat: string | undefined;
  /** How many turns stand before it. */
  readonly place: number;
  readonly words: string;
}

/** The latest turns of all chats with the calls that they made, while the window is open. Pure. */
export class Attempts {
  readonly #turns = new Map<string, Attempt>();

  /** Begins a turn: as a repetition where one of the same chat, place and words was begun before. */
  begin({ chat, place, words }: TurnPlaceInChat): Attempt {
    if (chat === undefined) return new Attempt();
    const key = JSON.stringify([chat, place, words]);
    const attempt = new Attempt(this.#turns.get(key));
    this.#turns.delete(key);
    this.#turns.set(key, attempt);
    this.#makeRoom();
    return attempt;
  }

  /** Forgets the turns of a chat, so that a repetition runs everything anew. */
  forget(chat: string): void {
    const start = `[${JSON.stringify(chat)},`;
    for (const key of this.#turns.keys()) if (key.startsWith(start)) this.#turns.delete(key);
  }

  #makeRoom(): void {
    let characters = [...this.#turns.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of this.#turns) {
      if (this.#turns.size <= 1 || (this.#turns.size <= mostTurns && characters <= mostCharacters)) return;
      characters -= size;
      this.#turns.delete(key);
    }
  }
}
