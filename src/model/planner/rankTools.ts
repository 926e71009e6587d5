/** Which of the offered tools fits a step, by words alone. */
import type { ModelTool } from '../chatModel.ts';
import { gather, type Evidence } from './evidence.ts';
import { fillArguments, type Filled } from './fillArguments.ts';
import { commonWords, find, indexTool, ownName, type IndexedTool } from './indexTool.ts';
import { match, rarityOf } from './matchTool.ts';
import { namedTools } from './namedTools.ts';
import { contextTerms, readQuery, type Query } from './readQuery.ts';
import type { Result } from './readResult.ts';
import type { Field } from './schemaFields.ts';
import { stem, type Intent } from './vocabulary.ts';
import { wordsOf } from './words.ts';

/** A tool and how well it suits a step. */
export interface Ranked {
  readonly tool: ModelTool;
  readonly fields: readonly Field[];
  readonly intent: Intent;
  readonly score: number;
  /** True where the words of the step really speak of this tool. */
  readonly fits: boolean;
  readonly filled: Filled;
}

/** What is to be ranked: a step's words, what it asks, and earlier results to fill arguments from. */
export interface Wish {
  readonly action: string;
  readonly question: string;
  readonly results: readonly Result[];
  /** What was said before; it gives the subject to "add one" and the name to "him". */
  readonly context: string;
  /** A tool that the step means by reference ("check again"). */
  readonly favoured?: string;
}

/** All tools, the best first. Names that the text spells out come before everything else. */
export function rankTools(tools: readonly ModelTool[], wish: Wish): Ranked[] {
  const entries = tools.map(indexTool);
  const query = readQuery(wish.action, wish.question);
  const ranked = rank(entries, wish, query);
  if (ranked[0]?.fits !== false) return ranked;
  const isForeign = query.terms.some(
    (term) => term.intent === undefined && term.weight > 1 && !entries.some((entry) => find(entry, term.stem) > 0),
  );
  const subjects = contextTerms(wish.context);
  // A step with a subject that no tool knows is about something else.
  return isForeign || subjects.length === 0
    ? ranked
    : rank(entries, wish, { ...query, terms: [...query.terms, ...subjects] });
}

function rank(entries: readonly IndexedTool[], wish: Wish, query: Query): Ranked[] {
  const rarity = rarityOf(entries, query.terms);
  const common = commonWords(entries);
  const named = namedTools(wish.action, entries);
  const rough = entries
    .map((entry) => ({ entry, match: match(entry, query, rarity, common) }))
    .map(({ entry, match }) => ({
      entry,
      match,
      score: match.score + (named.has(entry) ? 100 : 0) + (entry.tool.name === wish.favoured ? 6 : 0),
    }))
    .sort((left, right) => right.score - left.score);
  const close = rough.slice(0, 8).map(({ entry, match, score }): Ranked => {
    const filled = fillFor(entry, wish);
    const isPointed = match.isVerb && filled.missing.length === 0 && Object.keys(filled.arguments).length > 0;
    const fits = named.has(entry) || entry.tool.name === wish.favoured || match.fits || isPointed;
    return {
      tool: entry.tool,
      fields: entry.fields,
      intent: entry.intent,
      score: score * fitOf(filled) * explained(entry, query, filled),
      fits,
      filled,
    };
  });
  return close.sort((left, right) => Number(right.fits) - Number(left.fits) || right.score - left.score);
}

/** Looking again takes the arguments of the look before where the step gives none. */
function fillFor(entry: IndexedTool, wish: Wish): Filled {
  const filled = fillArguments(entry.fields, evidenceFor(entry.tool, wish));
  if (entry.tool.name !== wish.favoured || (filled.missing.length === 0 && filled.weak === 0)) return filled;
  const before = wish.results.findLast(({ call }) => call.name === wish.favoured);
  return before === undefined ? filled : { ...filled, arguments: { ...before.call.arguments }, missing: [], weak: 0 };
}

/** The material of a step for one tool: what spells out the tool's name is no value. */
export function evidenceFor(tool: ModelTool, wish: Wish): Evidence {
  const action = withoutName(wish.action, tool.name);
  return { ...gather(action, wish), toolStems: new Set(wordsOf(ownName(tool.name)).map(stem)) };
}

function withoutName(action: string, name: string): string {
  const own = ownName(name).replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return action.replace(
    new RegExp(String.raw`[/\x60"']?\b(?:[0-9a-f]{3}_)?${own}\b[\x60"']?(?:\s+tool\b)?`, 'i'),
    (found) => (/[_\d`/]|\p{Ll}\p{Lu}|-/u.test(found) ? ' ' : found),
  );
}

/** Missing arguments speak against a tool, and so do values of the text that it has no place for. */
function fitOf(filled: Filled): number {
  return (
    0.75 ** Math.min(2, filled.weak) *
    0.65 ** Math.min(3, filled.missing.length) *
    0.75 ** Math.min(3, filled.unused.length)
  );
}

/** How much of what the step speaks of the tool accounts for, by its words or by the arguments it takes. */
function explained(entry: IndexedTool, query: Query, filled: Filled): number {
  const values = new Set(wordsOf(JSON.stringify(filled.arguments)));
  const subjects = query.terms.filter(({ intent, weight }) => intent === undefined && weight > 0.4);
  const total = subjects.reduce((sum, { weight }) => sum + weight, 0);
  const known = subjects
    .filter((term) => find(entry, term.stem) > 0 || values.has(term.word))
    .reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 1 : 0.5 + (0.5 * known) / total;
}
