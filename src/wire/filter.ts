import { isFault, type Row } from './row.ts';

/** The tokens that a filter knows, as `key:value`. */
export const FILTER_KEYS = [
  'kind',
  'server',
  'method',
  'status',
  'dir',
  'turn',
  'tool',
  'id',
  'larger',
  'slower',
  'has',
] as const;
/** The keys that a term may have. */
export type FilterKey = (typeof FILTER_KEYS)[number];

/** One term: a token, or free text where there is no key. */
export interface FilterTerm {
  readonly key: FilterKey | 'text';
  readonly values: readonly string[];
  readonly exclude: boolean;
}

/** What some keys need to know besides a row. */
export interface FilterContext {
  /** The number of a turn, from 1. */
  turnNumber(turn: string): number | undefined;
  /** Milliseconds since 1970, for rows that still last. */
  readonly now: number;
}

function isKey(value: string): value is FilterKey {
  return FILTER_KEYS.some((key) => key === value);
}

/** Splits at blanks, except inside double quotes. */
function words(text: string): string[] {
  return text.match(/-?[A-Za-z]+:"[^"]*"?|-?"[^"]*"?|\S+/g) ?? [];
}

function unquote(text: string): string {
  return text.replace(/^"/, '').replace(/"$/, '');
}

/** Reads a filter. A colon after an unknown word is free text: addresses have colons too. */
export function parseFilter(text: string): FilterTerm[] {
  return words(text).flatMap((word): FilterTerm[] => {
    const exclude = word.startsWith('-') && word.length > 1;
    const rest = exclude ? word.slice(1) : word;
    const colon = rest.indexOf(':');
    const key = rest.slice(0, colon).toLowerCase();
    if (colon < 1 || !isKey(key)) return [{ key: 'text', values: [unquote(rest).toLowerCase()], exclude }];
    const values = unquote(rest.slice(colon + 1))
      .toLowerCase()
      .split(',')
      .filter((value) => value !== '');
    return values.length === 0 ? [] : [{ key, values, exclude }];
  });
}

/** 10k, 1.5M, 200: bytes. */
export function parseSize(value: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(k|m)?b?$/i.exec(value);
  if (!match) return undefined;
  const unit = match[2]?.toLowerCase();
  return Number(match[1]) * (unit === 'k' ? 1000 : unit === 'm' ? 1_000_000 : 1);
}

/** 200, 200ms, 1.5s: milliseconds. */
export function parseDuration(value: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m)?$/i.exec(value);
  if (!match) return undefined;
  const unit = match[2]?.toLowerCase();
  return Number(match[1]) * (unit === 's' ? 1000 : unit === 'm' ? 60_000 : 1);
}

function contains(text: string | undefined, value: string): boolean {
  return text !== undefined && text.toLowerCase().includes(value);
}

function hasStatus(row: Row, value: string): boolean {
  if (value === 'fault' || value === 'failed') return isFault(row);
  if (/^[1-5]xx$/.test(value)) return /^\d{3}$/.test(row.status) && row.status[0] === value[0];
  return row.status.toLowerCase() === value || row.state === value || (value === 'error' && isFault(row));
}

function has(row: Row, value: string): boolean {
  switch (value) {
    case 'error':
      return isFault(row);
    case 'note':
      return row.note !== undefined;
    case 'pin':
      return row.pinned === true;
    case 'frames':
      return (row.frames ?? 0) > 0;
    case 'replay':
      return row.replayOf !== undefined;
    case 'tool':
      return row.tool !== undefined || row.calls !== undefined;
    case 'answer':
      return row.end !== undefined;
    case 'turn':
      return row.turn !== undefined;
    default:
      return false;
  }
}

function matchesValue(row: Row, key: FilterTerm['key'], value: string, context: FilterContext): boolean {
  switch (key) {
    case 'kind':
      return row.kind === value;
    case 'server':
      return contains(row.server, value) || contains(row.model, value);
    case 'method':
      return contains(row.method, value);
    case 'status':
      return hasStatus(row, value);
    case 'dir':
      return row.direction === value || (row.direction === 'both' && (value === 'in' || value === 'out'));
    case 'turn':
      return (
        row.turn !== undefined && (row.turn.toLowerCase() === value || String(context.turnNumber(row.turn)) === value)
      );
    case 'tool':
      return contains(row.tool, value) || (row.calls ?? []).some((call) => contains(call, value));
    case 'id':
      return row.id === value || row.id === `"${value}"` || contains(row.callId, value);
    case 'larger':
      return Math.max(row.up, row.down) >= (parseSize(value) ?? Number.POSITIVE_INFINITY);
    case 'slower':
      return (row.end ?? context.now) - row.at >= (parseDuration(value) ?? Number.POSITIVE_INFINITY);
    case 'has':
      return has(row, value);
    case 'text':
      return [row.what, row.server, row.model, row.status, row.method, row.tool, row.note, row.id].some((text) =>
        contains(text, value),
      );
  }
}

/** True where the row is shown: every key has a value that fits, no excluded one does. Values of one key are alternatives. */
export function matchesFilter(row: Row, terms: readonly FilterTerm[], context: FilterContext): boolean {
  const alternatives = new Map<FilterKey, boolean>();
  for (const { key, values, exclude } of terms) {
    const fits = values.some((value) => matchesValue(row, key, value, context));
    if (exclude || key === 'text') {
      if (fits === exclude) return false;
    } else alternatives.set(key, (alternatives.get(key) ?? false) || fits);
  }
  for (const fits of alternatives.values()) if (!fits) return false;
  return true;
}
