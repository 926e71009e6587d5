/** Which of the offered tools fits a step, by words alone. */
import type { ModelTool } from '../chatModel.ts';
import { gather, type Evidence } from './evidence.ts';
import { fillArguments, type Filled } from './fillArguments.ts';
import { findMentions } from './findMentions.ts';
import { blank } from './findMentions.ts';
import { findSpans } from './spans.ts';
import type { Result } from './readResult.ts';
import { fieldsOf, type Field } from './schemaFields.ts';
import { chinese, nounLike, stem, verbs, type Intent } from './vocabulary.ts';
import { agreement, termsOf, wordsOf, type Term } from './words.ts';

/** A tool taken apart once. */
interface IndexedTool {
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

/** By schema, which stays the server's own object however often a tool is wrapped. */
const indexed = new WeakMap<object, IndexedTool>();

/** A name without the three hexadecimal characters that tell servers apart. */
export function ownName(name: string): string {
  return name.replace(/^[0-9a-f]{3}_(?=.)/, '');
}

function indexTool(tool: ModelTool): IndexedTool {
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

interface Query {
  readonly terms: readonly (Term & { readonly weight: number })[];
  readonly intent: Intent | undefined;
  readonly verb: Term | undefined;
  /** True where a path with an extension is named. */
  readonly isFile: boolean;
}

function readQuery(action: string, question: string): Query {
  const spans = findSpans(action).filter((span) => !(span.kind === 'quoted' && action.charAt(span.start) === '`'));
  const bare = blank(action, spans).replace(/\bcheck out\b/gi, 'checkout');
  const main = termsOf(bare);
  const implied = spans.flatMap((span) => impliedBy(span.kind, span.value));
  const verb = main.find(({ intent }) => intent !== undefined);
  const asking =
    /^(?:is|are|does|do|has|have|was|were|what|who|which|where|when|how)\b|[?？]$|多少|几个|什么|哪些|谁|怎么样|如何/i.test(
      action,
    );
  const names = new Set(
    findMentions(bare)
      .filter(({ kind }) => kind === 'name' || kind === 'number')
      .flatMap(({ value }) => wordsOf(value)),
  );
  const terms = main
    .filter(({ word }) => !/^\d+$/.test(word))
    .map(asNoun)
    .map((term, index) => ({ ...term, weight: weightOf(term, names.has(term.word), index) }));
  const asked = termsOf(blank(question, findSpans(question))).map((term) => ({ ...term, weight: 0.35 }));
  const sums = isSum(bare) ? termsOf('sum add numbers').map((term) => ({ ...term, weight: 1 })) : [];
  const intent =
    isSum(bare) || (asking && verb?.intent !== 'other')
      ? 'read'
      : (clearIntent([verb, ...implied]) ?? (action === '' || question !== '' ? 'read' : undefined));
  return {
    terms: [...terms, ...implied, ...asked, ...sums],
    intent: sums.length > 0 ? undefined : intent,
    verb,
    isFile: spans.some(({ kind, value }) => kind === 'path' && /\.\w{1,8}$/.test(value)),
  };
}

/** After the first word a verb that is as often a noun is one ("show the last commits"). */
function asNoun(term: Term, index: number): Term {
  const isNoun = index > 0 && term.stem !== 'list' && (nounLike.has(term.stem) || nounLike.has(term.word));
  return isNoun ? { word: term.word, stem: term.stem } : term;
}

/** The first intent that tells; "run" and its like give way to what is run. */
function clearIntent(terms: readonly (Term | undefined)[]): Intent | undefined {
  const intents = terms.flatMap((term) => term?.intent ?? []);
  return intents.find((intent) => intent !== 'other') ?? intents[0];
}

/** The subjects spoken of before, for a step that names none. */
function contextTerms(context: string): (Term & { weight: number })[] {
  const spans = findSpans(context);
  const names = new Set(
    findMentions(context)
      .filter(({ kind }) => kind === 'name')
      .flatMap(({ value }) => wordsOf(value)),
  );
  return termsOf(blank(context, spans))
    .filter(({ word, intent }) => intent === undefined && !names.has(word) && !/^\d+$/.test(word))
    .map((term) => ({ ...term, weight: 0.5 }));
}

function weightOf(term: Term, isName: boolean, index: number): number {
  if (isName) return 0.3;
  return term.intent === undefined ? 1.5 : index === 0 ? 1 : 0.8;
}

function isSum(text: string): boolean {
  const numbers = text.match(/\d+(?:\.\d+)?/g)?.length ?? 0;
  return numbers >= 2 && /\b(?:add|sum|plus|total)\b|[+＋]|加|求和|总和|之和|的和/i.test(text);
}

function impliedBy(kind: string, value: string): (Term & { weight: number })[] {
  if (kind === 'sql') return termsOf(`sql ${value.split(/\s+/)[0] ?? ''}`).map((term) => ({ ...term, weight: 0.8 }));
  const word =
    kind === 'path'
      ? /\.\w{1,8}$/.test(value)
        ? 'file'
        : 'directory'
      : kind === 'email' || kind === 'url'
        ? kind
        : '';
  return termsOf(word).map((term) => ({ ...term, weight: 0.5 }));
}

function rarityOf(entries: readonly IndexedTool[], terms: readonly Term[]): ReadonlyMap<string, number> {
  return new Map(
    terms.map(({ stem }) => {
      const holders = entries.filter((entry) => find(entry, stem) > 0).length;
      return [stem, Math.log(1 + (entries.length + 1) / (holders + 0.5))];
    }),
  );
}

/** Words that most names share tell nothing ("git_status", "git_log"). */
function commonWords(entries: readonly IndexedTool[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { name } of entries) for (const { stem } of new Set(name)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Set([...counts].flatMap(([stem, count]) => (count > 2 && count * 2 > entries.length ? [stem] : [])));
}

interface Match {
  readonly score: number;
  readonly fits: boolean;
  /** True where the step has a verb of the tool's name and no subject at all ("read it"). */
  readonly isVerb: boolean;
}

function match(
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

/** The weight with which a tool knows a term; a synonym counts less than the word. */
function find(entry: IndexedTool, stem: string): number {
  const known = entry.known.get(stem);
  if (known !== undefined) return known;
  let best = entry.weights.get(stem) ?? 0;
  for (const other of entry.name) best = Math.max(best, agreement(stem, other.stem) * 3);
  if (entry.known.size > 1000) entry.known.clear();
  entry.known.set(stem, best);
  return best;
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

/** Tools whose name the text spells out: whole, in backquotes, after a slash, or as "the … tool". */
function namedTools(action: string, entries: readonly IndexedTool[]): ReadonlySet<IndexedTool> {
  const text = action.toLowerCase();
  const named = entries.filter(({ tool }) => {
    const full = tool.name.toLowerCase();
    const own = ownName(tool.name);
    return spells(text, full, /[_\d-]/.test(full)) || spells(text, own.toLowerCase(), /[_-]|\p{Ll}\p{Lu}/u.test(own));
  });
  return new Set(named);
}

function spells(text: string, name: string, isDistinct: boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.slice(at + name.length);
    if (/[a-z\d_]/.test(before) || /^[a-z\d_]/.test(after)) continue;
    if (isDistinct || before === '`' || before === '/' || /^\s+tool\b|^\s*工具/.test(after)) return true;
    if (
      /\b(?:use|call|run|invoke)\s+(?:the\s+)?$|(?:用|调用)\s*$/.test(text.slice(0, at)) &&
      /^\s*(?:$|with|on|for|to|来)/.test(after)
    )
      return true;
  }
  return false;
}

/** True where any word of the text is known as a verb. */
export function hasVerb(text: string): boolean {
  return (
    termsOf(text).some(({ intent }) => intent !== undefined) || [...chinese.keys()].some((word) => text.includes(word))
  );
}
