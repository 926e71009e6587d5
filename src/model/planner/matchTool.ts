/** How well a tool's words match a step's. */
import { find, type IndexedTool } from './indexTool.ts';
import type { Query } from './readQuery.ts';
import { stem } from './vocabulary.ts';
import { agreement, type Term } from './words.ts';

/** How well a tool suits a step. */
export interface Match {
  readonly score: number;
  readonly fits: boolean;
  /** True where the step has a verb of the tool's name and no subject at all ("read it"). */
  readonly isVerb: boolean;
}

/** Compares a tool with the words of a step; the rarer a word, the more it weighs. `common` are words that the names of most tools have. */
export function match(
  entry: IndexedTool,
  query: Query,
  rarity: ReadonlyMap<string, number>,
  common: ReadonlySet<string>,
): Match {
  let score = 0;
  let subject = 0;
  let best = 0;
  for (const term of query.terms) {
    const found = find(entry, term.stem);
    score += found * term.weight * (rarity.get(term.stem) ?? 1);
    if (term.intent === undefined && term.weight > 0.4) subject = Math.max(subject, found);
    if (term.intent !== undefined) best = Math.max(best, found);
  }
  const subjects = query.terms.filter(({ intent, weight }) => intent === undefined && weight > 1);
  const distinct = entry.name.filter((term) => !common.has(term.stem));
  const verbOnly = best >= 3 && distinct.length === 1 && distinct[0]?.intent !== undefined;
  const matched = query.terms.filter((term) => term.intent !== undefined && find(entry, term.stem) >= 3).length;
  const fits =
    subject >= 1.1 || verbOnly || (subjects.length === 0 && best >= 3 && matched >= Math.min(2, entry.name.length));
  return {
    score: score * agreementOf(query, entry) * coverage(entry, query) * soundness(entry, query),
    fits: fits && agreementOf(query, entry) > 0.4,
    isVerb: subjects.length === 0 && best >= 1.8,
  };
}

/** A step that looks must not change anything, and one that deletes must not create. */
function agreementOf(query: Query, entry: IndexedTool): number {
  const wanted = query.intent;
  const offered = entry.intent;
  if (wanted === undefined || wanted === 'other' || offered === 'other') return 1;
  if (wanted === offered) return 1.3;
  if (query.verb !== undefined && entry.name.some(({ stem }) => stem === query.verb?.stem)) return 1;
  const isClose = (wanted === 'create' && offered === 'update') || (wanted === 'update' && offered === 'create');
  return isClose ? 0.6 : 0.2;
}

/** A tool that its own description calls deprecated, or that is for directories where a file is meant, comes later. */
function soundness(entry: IndexedTool, query: Query): number {
  const names = entry.name.map((term) => term.stem);
  const speaksOfDirectory = query.terms.some((term) => term.stem === stem('directory') || term.stem === stem('folder'));
  const wrongThing = query.isFile && !speaksOfDirectory && names.includes(stem('directory')) && !names.includes('fil');
  return (entry.isDeprecated ? 0.6 : 1) * (wrongThing ? 0.3 : 1);
}

/** Words of the tool's name that the step does not speak of ("read_media_file" for "read the file"). */
function coverage(entry: IndexedTool, query: Query): number {
  if (entry.name.length === 0) return 1;
  const heard = entry.name.filter((word) => query.terms.some((term) => agreement(term.stem, word.stem) > 0)).length;
  return 0.5 + (0.5 * heard) / entry.name.length;
}

/** How much each word tells: the fewer tools have it, the more. */
export function rarityOf(entries: readonly IndexedTool[], terms: readonly Term[]): ReadonlyMap<string, number> {
  return new Map(
    terms.map(({ stem }) => {
      const holders = entries.filter((entry) => find(entry, stem) > 0).length;
      return [stem, Math.log(1 + (entries.length + 1) / (holders + 0.5))];
    }),
  );
}
