/** Text as terms that can be compared across languages and spellings. */
import { remember } from './remember.ts';
import { chinese, chineseStops, groupsOf, longestChinese, stem, stopWords, verbs, type Intent } from './vocabulary.ts';

/** A word of a text: as it stands (lower case, Chinese in English), its stem, and its intent where it is a verb. */
export interface Term {
  readonly word: string;
  readonly stem: string;
  readonly intent?: Intent;
}

const han = /\p{Script=Han}/u;
const piecePattern = /\p{Script=Han}+|[\p{L}\p{M}]+|\d+/gu;

/** The language to answer in: Chinese where it has more Chinese characters than other words. */
export function languageOf(text: string): 'en' | 'zh' {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others = text.match(/[a-z]+(?:[@.][a-z.]+)*/gi)?.length ?? 0;
  return characters > others ? 'zh' : 'en';
}

/** The words of a text in order, lower case: camelCase and snake_case taken apart, Chinese words in English. */
export const wordsOf = remember((text: string): readonly string[] => {
  // Most names and descriptions are ASCII, for which the rules of Unicode would take several times as long.
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return asciiWords(text);
  const spaced = text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})['’](?=\p{L})/gu, '$1');
  return (spaced.match(piecePattern) ?? []).flatMap((piece) =>
    han.test(piece) ? chineseWords(piece) : [piece.toLowerCase()],
  );
});

function asciiWords(text: string): readonly string[] {
  const spaced = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])'(?=[A-Za-z])/g, '$1');
  return (spaced.match(/[A-Za-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** The terms of a text, stop words left out. */
export const termsOf = remember((text: string): readonly Term[] => {
  return wordsOf(text)
    .filter((word) => !stopWords.has(word))
    .map(termOf);
});

function termOf(word: string): Term {
  const intent = verbs.get(word) ?? verbs.get(stem(word)) ?? verbs.get(`${stem(word)}e`);
  return { word, stem: stem(word), ...(intent === undefined ? {} : { intent }) };
}

/** The longest known words first; what is unknown becomes pairs of characters. */
function chineseWords(run: string): string[] {
  const found: string[] = [];
  let unknown = '';
  const flush = (): void => {
    found.push(...pairs(unknown));
    unknown = '';
  };
  for (let at = 0; at < run.length;) {
    const word = knownAt(run, at);
    if (word !== undefined) {
      flush();
      found.push(...(chinese.get(word) ?? []));
      at += word.length;
      continue;
    }
    const character = run.charAt(at);
    if (chineseStops.test(character)) flush();
    else unknown += character;
    at += 1;
  }
  flush();
  return found;
}

/** The longest Chinese word of the vocabulary that begins at `at`. */
export function knownAt(text: string, at: number): string | undefined {
  for (let length = longestChinese; length > 0; length -= 1) {
    const word = text.slice(at, at + length);
    if (word.length === length && chinese.has(word)) return word;
  }
  return undefined;
}

function pairs(run: string): string[] {
  if (run.length < 3) return run === '' ? [] : [run];
  return Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2));
}

/** How well two stems agree: 1 the same, 0.6 through a group of synonyms, 0 not at all. */
export function agreement(left: string, right: string): number {
  if (left === right) return 1;
  const others = groupsOf(right);
  return groupsOf(left).some((group) => others.includes(group)) ? 0.6 : 0;
}

/** A key without its spelling: `entityType`, `entity_type` and "entity type" are one. */
export function plainKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}
