/** Characters that are kept of large results in all, the newest ones; beyond that the oldest go. */
const mostCharacters = 32_000_000;

/** Large results in full, so that a model that was shown a part can read on. */
export class ResultStore {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** Keeps `text` under the id of its call. */
  keep(callId: string, text: string): void {
    this.#texts.set(callId, text);
    this.#characters += text.length;
    for (const [id, { length }] of this.#texts) {
      if (this.#characters <= mostCharacters || id === callId) return;
      this.#texts.delete(id);
      this.#characters -= length;
    }
  }

  find(callId: string): string | undefined {
    return this.#texts.get(callId);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }
}
