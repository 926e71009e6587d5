/** Key-value storage, such as the Memento of a workspace. */
export interface StoppedStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'mcpAgent.stoppedServers';

/** The servers that the person has stopped, by identity: they stay so until they are started again. Pure; storage is passed in. */
export class StoppedServers {
  readonly #storage: StoppedStorage;
  #identities: Set<string> | undefined;

  constructor(storage: StoppedStorage) {
    this.#storage = storage;
  }

  has(identity: string): boolean {
    return this.#read().has(identity);
  }

  /** In force at once; resolves when it is stored. */
  async set(identity: string, isStopped: boolean): Promise<void> {
    const identities = this.#read();
    if (isStopped === identities.has(identity)) return;
    if (isStopped) identities.add(identity);
    else identities.delete(identity);
    await this.#storage.update(storageKey, [...identities]);
  }

  /** Read when it is first asked for; what is not of our shape counts as nothing. */
  #read(): Set<string> {
    const stored = this.#identities === undefined ? this.#storage.get(storageKey) : undefined;
    this.#identities ??= new Set(Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : []);
    return this.#identities;
  }
}
