/** An offered tool taken apart once: its words by weight, its fields, what it does to the world. */
import type { ModelTool } from '../chatModel.ts';
import { fieldsOf, type Field } from './schemaFields.ts';
import { verbs, type Intent } from './vocabulary.ts';
import { agreement, termsOf, wordsOf, type Term } from './words.ts';

/** A tool taken apart once. */
export interface IndexedTool {
  readonly tool: ModelTool;
  readonly fields: readonly Field[];
  /** The own name's words without a prefix. */
  readonly name: readonly Term[];
  /** Stem → weight of the place where it stands. */
  readonly weights: ReadonlyMap<string, number>;
  readonly intent: Intent;
  readonly isDeprecated: boolean;
  /** How well the tool knows a stem, once asked. */
  readonly known: Map<string, number>;
}

/** By schema, which stays the server's own object however often a tool is wrapped. */
const indexed = new WeakMap<object, IndexedTool>();

/** A name without the three hexadecimal characters that tell servers apart. */
export function ownName(name: string): string {
  return name.replace(/^[0-9a-f]{3}_(?=.)/, '');
}

/** A tool with the words that it is found by; made once for each schema. */
export function indexTool(tool: ModelTool): IndexedTool {
  const known = indexed.get(tool.inputSchema);
  if (known?.tool.name === tool.name && known.tool.description === tool.description) return known;
  const fields = fieldsOf(tool.inputSchema);
  const name = nameTerms(ownName(tool.name));
  const weights = new Map<string, number>();
  const put = (terms: readonly Term[], weight: number): void => {
    for (const { stem } of terms) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  };
  const [first = '', ...rest] = tool.description.slice(0, 600).split(/(?<=[.。])\s+/);
  put(termsOf(rest.join(' ')), 0.4);
  put(
    fields.flatMap((field) =>
      termsOf(
        `${field.key} ${field.description.slice(0, 120)} ${(field.itemFields ?? []).map(({ key }) => key).join(' ')}`,
      ),
    ),
    0.5,
  );
  put(termsOf(first), 1.2);
  put(termsOf(tool.name), 3);
  put(name, 3);
  const entry = {
    tool,
    fields,
    name,
    weights,
    intent: intentOf(name, termsOf(first)),
    known: new Map<string, number>(),
    isDeprecated: /\bdeprecated\b|已弃用|已废弃/i.test(tool.description),
  };
  indexed.set(tool.inputSchema, entry);
  return entry;
}

/** A name's words; "get" and its like count as verbs though they are small words elsewhere. */
function nameTerms(name: string): Term[] {
  return wordsOf(name).flatMap((word) => {
    const [term] = termsOf(word);
    return term === undefined ? [] : [term];
  });
}

function intentOf(name: readonly Term[], description: readonly Term[]): Intent {
  const clear = [...name.filter(({ word }) => verbs.has(word)), ...name].find(
    ({ intent }) => intent !== undefined && intent !== 'other',
  );
  if (clear?.intent !== undefined) return clear.intent;
  return description[0]?.intent ?? 'other';
}

/** The weight with which a tool knows a term; a synonym counts less than the word. */
export function find(entry: IndexedTool, stem: string): number {
  const known = entry.known.get(stem);
  if (known !== undefined) return known;
  let best = entry.weights.get(stem) ?? 0;
  for (const other of entry.name) best = Math.max(best, agreement(stem, other.stem) * 3);
  if (entry.known.size > 1000) entry.known.clear();
  entry.known.set(stem, best);
  return best;
}

/** Words that most names share tell nothing ("git_status", "git_log"). */
export function commonWords(entries: readonly IndexedTool[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of entries) for (const { stem } of new Set(name)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Set([...counts].flatMap(([stem, count]) => (count > 2 && count * 2 > entries.length ? [stem] : [])));
}
