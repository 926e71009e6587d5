import { createHash } from 'node:crypto';
import { STATELESS_REVISION } from './schema.ts';
import type { Client } from './client.ts';

/** What was found out about a server: how it is reached, and whether by a session or without. */
export interface Verdict {
  readonly transport: 'sse' | 'http' | 'stdio';
  readonly era: 'session' | 'stateless';
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** A memory of verdicts, so that the next connect sends only what is needed. It may forget, and be wrong: that is noticed. */
export interface Verdicts {
  get(address: string): Verdict | undefined;
  /** Undefined: what was known turned out to be wrong. */
  set(address: string, verdict: Verdict | undefined): void;
}

/** A server that was found to need a session is looked at anew after so many milliseconds: it may speak more by then. */
const SESSION_LASTS_MS = 24 * 3600 * 1000;
const REMEMBERED = 1000;

/** A memory that lasts as long as the process. */
export function memoryVerdicts(): Verdicts {
  const known = new Map<string, Verdict>();
  return {
    get: (address) => known.get(address),
    set: (address, verdict) => {
      known.delete(address);
      if (!verdict) return;
      known.set(address, verdict);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** The memory of this process, for whoever brings none. */
export const processVerdicts: Verdicts = memoryVerdicts();

/** Origin and path, and a hash of the query: that may say which server is meant, and hold what is secret. */
export function addressOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) return '';
  const { origin, pathname, search } = parsed;
  return search === '' ? `${origin}${pathname}` : `${origin}${pathname}?${hash(search)}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** One server's place in a memory. */
export class ServerVerdict {
  readonly #verdicts: Verdicts;
  readonly #address: string;

  constructor(verdicts: Verdicts, address: string) {
    this.#verdicts = verdicts;
    this.#address = address;
  }

  /** What is known and not too old. */
  get known(): Verdict | undefined {
    const verdict = this.#verdicts.get(this.#address);
    if (verdict?.era === 'session' && Date.now() - verdict.at > SESSION_LASTS_MS) return undefined;
    return verdict;
  }

  learn({ transport, protocolVersion }: Pick<Client, 'transport' | 'protocolVersion'>): void {
    const era = protocolVersion === STATELESS_REVISION ? 'stateless' : 'session';
    this.#verdicts.set(this.#address, { transport, era, at: Date.now() });
  }

  forget(): void {
    this.#verdicts.set(this.#address, undefined);
  }
}
