import type { Tool } from '../tools/tool.ts';

/**
 * Ranks tools by the words of a query (Okapi BM25). Our own few lines: a search library builds its whole index anew, which for ten thousand tools
 * takes seconds of the editor's time after every change of a list; here the words of a tool are kept as long as the tool stays the same.
 */

const saturation = 1.2;
const lengthWeight = 0.5;
/** A word in a name says more than one in a description. */
const weights = { name: 4, title: 3, description: 1, parameter: 1, server: 2 } as const;

// oxlint-disable-next-line no-control-regex
const asciiOnly = /^[\x00-\x7f]*$/;
const asciiHump = /([a-z0-9])([A-Z])/g;
const asciiWord = /[a-z0-9]+/g;

/** Words and how much each weighs. */
interface ToolWords {
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

const known = new WeakMap<Tool, ToolWords>();

/** A list of tools by their words. */
interface ToolIndex {
  readonly all: readonly ToolWords[];
  /** Words a tool has, on average. */
  readonly average: number;
  /** By word, the places of the tools that have it. */
  readonly holders: ReadonlyMap<string, readonly number[]>;
}

const indices = new WeakMap<readonly Tool[], ToolIndex>();

/** The best `count` tools for `query`, best first. Tools that share no word with it are not among them. */
export function rankTools(tools: readonly Tool[], query: string, count: number): readonly Tool[] {
  const index = indexOf(tools);
  const scores = new Map<number, number>();
  const holdersOf = (word: string): number => index.holders.get(word)?.length ?? 0;
  const words = [...new Set(splitWords(query))].sort((a, b) => holdersOf(a) - holdersOf(b));
  for (const word of words) {
    // What most tools say tells none from another: it counts where nothing else does.
    if (scores.size > 0 && holdersOf(word) > tools.length / 2) break;
    addScores(scores, index, word);
  }
  return [...scores]
    .sort(([placeA, a], [placeB, b]) => b - a || placeA - placeB)
    .slice(0, count)
    .flatMap(([place]) => tools[place] ?? []);
}

function addScores(scores: Map<number, number>, { all, average, holders }: ToolIndex, word: string): void {
  const places = holders.get(word) ?? [];
  const rarity = Math.log(1 + (all.length - places.length + 0.5) / (places.length + 0.5));
  for (const place of places) {
    const { words, length } = all[place] ?? { words: new Map<string, number>(), length: 0 };
    const weight = words.get(word) ?? 0;
    const relativeLength = 1 - lengthWeight + (lengthWeight * length) / average;
    const score = (rarity * weight * (saturation + 1)) / (weight + saturation * relativeLength);
    scores.set(place, (scores.get(place) ?? 0) + score);
  }
}

/** Made once a list: the same list of thousands comes at each step and each search. */
function indexOf(tools: readonly Tool[]): ToolIndex {
  const present = indices.get(tools);
  if (present) return present;
  const all = tools.map(wordsOf);
  const holders = new Map<string, number[]>();
  for (const [place, { words }] of all.entries()) {
    for (const word of words.keys()) {
      const places = holders.get(word);
      if (places) places.push(place);
      else holders.set(word, [place]);
    }
  }
  const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
  const made = { all, average, holders };
  indices.set(tools, made);
  return made;
}

function wordsOf(tool: Tool): ToolWords {
  const present = known.get(tool);
  if (present) return present;
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of splitWords(text)) words.set(word, (words.get(word) ?? 0) + weight);
  };
  add(tool.tool, weights.name);
  add(tool.title ?? '', weights.title);
  add(tool.description, weights.description);
  add(parameterNames(tool).join(' '), weights.parameter);
  add(tool.server, weights.server);
  const made = { words, length: words.size };
  known.set(tool, made);
  return made;
}

function parameterNames({ inputSchema }: Tool): readonly string[] {
  const { properties } = inputSchema;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** `listUsers of the DB` → list, user, of, the, db. Scripts without blanks are taken in pairs of characters. */
function splitWords(text: string): string[] {
  // Most texts are ASCII, for which the rules of Unicode would take several times as long.
  if (asciiOnly.test(text)) return (text.replaceAll(asciiHump, '$1 $2').toLowerCase().match(asciiWord) ?? []).map(stem);
  const parts = text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+|[\p{L}\p{N}]+/gu);
  return (parts ?? []).flatMap((part) =>
    /^[\p{ASCII}\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]/u.test(part) ? [stem(part)] : pairs(part),
  );
}

/** Plural and singular are one word. */
function stem(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function pairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.length < 2 ? characters : characters.slice(1).map((next, place) => `${characters[place]}${next}`);
}
