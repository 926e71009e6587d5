import { createHash } from 'node:crypto';

/** What tells a server from all others for good: where it was written and its configured name. */
export function serverIdentity(source: string, name: string): string {
  return `${source}/${name}`;
}

/** A server that needs a prefix. `own` is what its entry asks for. */
export interface PrefixWish {
  readonly identity: string;
  readonly source: string;
  readonly own?: string;
}

/** Which prefix each identity has had so far: plain JSON, to be kept between sessions. */
export type PrefixRecord = Readonly<Record<string, string>>;

/** Prefixes longer than this would leave no room for the names of tools. */
const longestOwn = 24;

/**
 * Gives every server one prefix of its own. A server keeps the prefix it is remembered with, whatever is added, removed or reordered
 * around it, and a prefix that somebody else is remembered with is not given away. An entry's own prefix wins over a window; two
 * servers with the same own prefix are told apart by a short hash of the later one's identity.
 * Returns the record to remember, which holds `remembered` and every wish.
 */
export function assignPrefixes(wishes: readonly PrefixWish[], remembered: PrefixRecord = {}): PrefixRecord {
  const record = new Map(Object.entries(remembered));
  const windows = new Map<string, Iterator<string>>();
  for (const wish of wishes) if (wish.own !== undefined) giveOwn(record, wish);
  const used = new Set(record.values());
  for (const wish of wishes) {
    if (isSettled(record, wish)) continue;
    const source = windows.get(wish.source) ?? prefixWindows(wish.source);
    windows.set(wish.source, source);
    const prefix = firstFree(source, used);
    used.add(prefix);
    record.set(wish.identity, prefix);
  }
  return Object.fromEntries(record);
}

/**
 * The prefixes of a source, in order: windows of three characters over the SHA-1 of its id in hex, the first beginning at the first letter
 * and each further one sliding on by one. When the hash is used up, the same over the hash of the id with a number behind it.
 */
export function* prefixWindows(source: string): Generator<string> {
  for (let round = 1; ; round++) {
    const id = `mcp.config.${source}`;
    const hash = sha1(round === 1 ? id : `${id}#${round}`);
    // Beyond some thousand servers three characters no longer tell them apart.
    const width = 3 + Math.floor(round / 400);
    const first = Math.max(0, hash.search(/[a-f]/));
    for (let at = first; at + width <= hash.length; at++) yield hash.slice(at, at + width);
  }
}

/** An own prefix as it can stand in a tool's name; undefined where nothing of it can. */
export function cleanPrefix(own: string): string | undefined {
  const cleaned = own
    .replaceAll(/[^a-zA-Z0-9_-]/gu, '_')
    .slice(0, longestOwn)
    .replace(/_+$/, '');
  return /[a-zA-Z0-9]/.test(cleaned) ? cleaned : undefined;
}

function giveOwn(record: Map<string, string>, wish: PrefixWish): void {
  const own = cleanPrefix(wish.own ?? '');
  if (own === undefined) return;
  const present = record.get(wish.identity);
  const apart = `${own}_${sha1(wish.identity).slice(0, 4)}`;
  if (present === own || present === apart) return;
  const isTaken = [...record].some(([identity, prefix]) => prefix === own && identity !== wish.identity);
  record.set(wish.identity, isTaken ? apart : own);
}

/** True when the record already says what the wish may have. */
function isSettled(record: ReadonlyMap<string, string>, wish: PrefixWish): boolean {
  const present = record.get(wish.identity);
  if (present === undefined) return false;
  // An own prefix that was taken back gives way to a window.
  return cleanPrefix(wish.own ?? '') !== undefined || /^[0-9a-f]{3,5}$/.test(present);
}

function firstFree(windows: Iterator<string>, used: ReadonlySet<string>): string {
  for (;;) {
    const { value } = windows.next();
    if (!used.has(value)) return value;
  }
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
