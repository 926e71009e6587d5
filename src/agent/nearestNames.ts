/** Finds names that somebody may have meant. Pure. */

/** The `count` names nearest to `wanted`, nearest first: the same name behind a prefix, then by shared words and letters. */
export function nearestNames(wanted: string, names: readonly string[], count: number): readonly string[] {
  const target = plain(wanted);
  const words = new Set(wordsOf(wanted));
  const scored = names.map((name) => ({ name, score: score(name, target, words) }));
  scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map(({ name }) => name);
}

function score(name: string, target: string, words: ReadonlySet<string>): number {
  const candidate = plain(name);
  if (candidate === target) return 1000;
  const own = candidate.endsWith(target) || target.endsWith(candidate) ? 100 : 0;
  const shared = wordsOf(name).filter((word) => words.has(word)).length;
  return own + shared * 10 + sharedPairs(candidate, target);
}

/** The share of letter pairs that two words have in common, from 0 to 1. */
function sharedPairs(a: string, b: string): number {
  const pairs = (text: string): Set<string> => new Set(text.split('').map((_, at) => text.slice(at, at + 2)));
  const [left, right] = [pairs(a), pairs(b)];
  const common = [...left].filter((pair) => right.has(pair)).length;
  return common / Math.max(1, left.size, right.size);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** `bb7_getUsers` → bb7, get, users. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
