import { createHash } from 'node:crypto';

import { isRecord } from '../base/json.ts';
import type { Verdict, Verdicts } from '../mcp/verdicts.ts';

/** Key-value storage, such as the Memento of all windows. */
export interface VerdictStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'mcpAgent.verdicts';
/** So many servers are remembered; the one that was found out about longest ago gives way. */
const REMEMBERED = 200;
/** What is found again within so many milliseconds is not written anew. */
const FRESH_MS = 3600 * 1000;

/**
 * How servers speak, remembered across restarts of the editor, so that the first connection of the day sends only what is
 * needed. Stored by a hash of the address, since a path may be as secret as a query. Windows share it: nothing is kept
 * beside the storage. Pure; storage is passed in.
 */
export class RememberedVerdicts implements Verdicts {
  readonly #storage: VerdictStorage;

  constructor(storage: VerdictStorage) {
    this.#storage = storage;
  }

  get(address: string): Verdict | undefined {
    return readVerdict(this.#read()[keyOf(address)]);
  }

  set(address: string, verdict: Verdict | undefined): void {
    const key = keyOf(address);
    const { [key]: stored, ...others } = this.#read();
    const before = readVerdict(stored);
    if (verdict === undefined ? stored === undefined : before !== undefined && isFresh(before, verdict)) return;
    const kept = Object.entries(others).slice(-REMEMBERED + 1);
    const written = verdict && { transport: verdict.transport, era: verdict.era, at: verdict.at };
    // A memory may forget: what could not be written is found out again.
    this.#storage.update(storageKey, Object.fromEntries(written ? [...kept, [key, written]] : kept)).then(
      () => undefined,
      () => undefined,
    );
  }

  #read(): Readonly<Record<string, unknown>> {
    const stored = this.#storage.get(storageKey);
    return isRecord(stored) ? stored : {};
  }
}

function keyOf(address: string): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 32);
}

function isFresh(before: Verdict, now: Verdict): boolean {
  return before.transport === now.transport && before.era === now.era && now.at - before.at < FRESH_MS;
}

/** What is not of our shape counts as nothing. */
function readVerdict(value: unknown): Verdict | undefined {
  if (!isRecord(value)) return undefined;
  const { transport, era, at } = value;
  const isKnown =
    (transport === 'sse' || transport === 'http' || transport === 'stdio') &&
    (era === 'session' || era === 'stateless');
  return isKnown && typeof at === 'number' ? { transport, era, at } : undefined;
}
