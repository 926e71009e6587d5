import { FILTER_KEYS, type FilterKey } from './filter.ts';
import type { Row } from './row.ts';

/** One proposal for the word at the cursor. */
export interface Completion {
  /** What the word at the cursor becomes. */
  readonly insert: string;
  readonly label: string;
  /** It is a key, after which a value is expected. */
  readonly open: boolean;
}

const fixedValues: Partial<Record<FilterKey, readonly string[]>> = {
  kind: ['http', 'sse', 'rpc', 'model', 'line', 'session', 'note'],
  dir: ['out', 'in'],
  status: ['fault', 'ok', 'pending', 'open', 'cancelled', 'timeout', 'lost', '2xx', '4xx', '5xx'],
  larger: ['1k', '10k', '100k', '1M'],
  slower: ['100ms', '500ms', '1s', '5s'],
  has: ['error', 'note', 'pin', 'tool', 'frames', 'replay', 'turn', 'answer'],
};

function valuesIn(rows: readonly Row[], key: FilterKey): readonly string[] {
  const found = new Set<string>();
  for (const row of rows) {
    if (key === 'server')
      [row.server, row.model].forEach((value) => value !== undefined && value !== '' && found.add(value));
    else if (key === 'method' && row.method !== undefined) found.add(row.method);
    else if (key === 'tool' && row.tool !== undefined) found.add(row.tool);
    if (found.size >= 50) break;
  }
  return [...found].sort((a, b) => a.localeCompare(b));
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

/** What may stand at the cursor: `word` is the part of the filter's word before it. Turns are counted from 1 to `turns`. */
export function completions(word: string, rows: readonly Row[], turns: number): Completion[] {
  const exclude = word.startsWith('-') ? '-' : '';
  const rest = word.slice(exclude.length);
  const colon = rest.indexOf(':');
  if (colon < 0) {
    return FILTER_KEYS.filter((key) => key.startsWith(rest.toLowerCase()) && key !== rest).map((key) => {
      return { insert: `${exclude}${key}:`, label: `${exclude}${key}:`, open: true };
    });
  }
  const key = FILTER_KEYS.find((one) => one === rest.slice(0, colon).toLowerCase());
  if (key === undefined) return [];
  const started = rest.slice(colon + 1).toLowerCase();
  const numbers = Array.from({ length: Math.min(turns, 30) }, (_, index) => String(index + 1));
  const values = fixedValues[key] ?? (key === 'turn' ? numbers : valuesIn(rows, key));
  return values
    .filter((value) => value.toLowerCase().includes(started.replace(/^"/, '')) && value.toLowerCase() !== started)
    .map((value) => ({ insert: `${exclude}${key}:${quoted(value)}`, label: value, open: false }));
}
