/** Characters that are held of large results in all, the newest ones; beyond that the oldest go. */
const mostCharacters = 32_000_000;

/** Where large results outlive the conversation object: a folder of the editor. */
export interface ResultKeeper {
  /** Keeps a text and gives the key it is found by. Never throws; a text that could not be kept is not found later. */
  keep(text: string): string;
  /** The text of a key; undefined where it is gone. Never rejects. */
  read(key: string): Promise<string | undefined>;
}

/** Large results in full, so that a model that was shown a part can read on. */
export class ResultStore {
  readonly #keeper: ResultKeeper | undefined;
  readonly #texts = new Map<string, string>();
  /** By call id: the keeper's keys. */
  readonly #keys = new Map<string, string>();
  #characters = 0;

  /** `keys` are those of an earlier object of the same conversation. */
  constructor(keeper?: ResultKeeper, keys: Readonly<Record<string, string>> = {}) {
    this.#keeper = keeper;
    if (keeper) for (const [id, key] of Object.entries(keys)) this.#keys.set(id, key);
  }

  /** Keeps `text` under the id of its call. */
  keep(callId: string, text: string): void {
    if (this.#keeper) this.#keys.set(callId, this.#keeper.keep(text));
    this.#texts.set(callId, text);
    this.#characters += text.length;
    for (const [id, { length }] of this.#texts) {
      if (this.#characters <= mostCharacters || id === callId) return;
      this.#texts.delete(id);
      this.#characters -= length;
    }
  }

  has(callId: string): boolean {
    return this.#texts.has(callId) || this.#keys.has(callId);
  }

  /** The whole text; undefined where it is not kept, or not any more. */
  async read(callId: string): Promise<string | undefined> {
    const key = this.#keys.get(callId);
    return this.#texts.get(callId) ?? (key === undefined ? undefined : await this.#keeper?.read(key));
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0 && this.#keys.size === 0;
  }

  /** The keys by call id, for the next object of the same conversation. */
  get keys(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#keys);
  }
}
