/** Parts of a text that hold values and are never taken apart: quotations, JSON, addresses, paths, SQL, times. */
import { parseJson } from '../../base/json.ts';

/** What a protected part is. `value` is its content without the quotes or fences around it. */
export interface Span {
  readonly kind: 'quoted' | 'json' | 'url' | 'email' | 'sql' | 'path' | 'time' | 'token';
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

type Pattern = readonly [kind: Span['kind'], pattern: RegExp];

const stops = String.raw`\s,;:'"\x60<>|()，。；、（）：！？?!`;
/** A part of a path between slashes: with Chinese characters only where it begins with one. */
const segment = String.raw`(?:[^/${stops}\p{Script=Han}]*[^/.${stops}\p{Script=Han}]|\p{Script=Han}[^/${stops}的下里中和与到并]*?(?:\.[A-Za-z0-9]{1,8}(?![A-Za-z0-9])|(?=[/${stops}的下里中和与到并]|$)))`;
const unixPath = new RegExp(String.raw`(?<![\w/.:@])(?:~|\.{1,2})?/(?:${segment}(?:/${segment})*/?)?`, 'gu');

/** In order of precedence. The first group that matched, where there is one, is the value. */
const patterns: readonly Pattern[] = [
  [
    'sql',
    /(?<!["'`“\w])(?:SELECT\s|INSERT INTO\s|UPDATE\s+\S+\s+SET\s|DELETE FROM\s|(?:CREATE|DROP|ALTER) TABLE\s)(?=\S)[\s\S]*?(?=;|\n|。|，|$|,?\s+(?:and )?then\b|\.\s*$|\.\s+[A-Z])/gu,
  ],
  ['quoted', /```[^\n`]*\n([\s\S]*?)\n?```/gu],
  [
    'quoted',
    /`([^`\n]+)`|"((?:[^"\\\n]|\\.)*)"|“([^”]*)”|「([^」]*)」|『([^』]*)』|‘([^’\n]*)’|«([^»]*)»|《([^》]*)》/gu,
  ],
  ['quoted', /(?<![\p{L}\d])'([^'\n]+)'(?![\p{L}\d])/gu],
  ['url', /\b(?:[a-z][a-z0-9+.-]{0,30}:\/\/|data:[a-z]+\/)[^\s<>"'`，。；、）)]+[^\s<>"'`，。；、）).,;:!?]/giu],
  ['email', /(?<![\w.+%-])[\w.+%-]{0,64}\w@\w[\w-]{0,62}(?:\.\w[\w-]{0,62})+/gu],
  ['path', /(?<![\w/\\])[A-Za-z]:\\[^\s,;'"，。；、]*[^\s,;.'"，。；、?!]/gu],
  ['path', unixPath],
  [
    'path',
    /(?<![\w@/.])(?:[\w.*-]+\/)+(?:[\w*-]+(?:\.[\w*-]+)*)?|(?<![\w@/.])(?:[\w-]+\.)*[\w*-]+\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w@/])|(?<![\w@/.])\*[\w.*]*/gu,
  ],
  [
    'time',
    /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b|\b\d{1,2}\s?[ap]m\b/giu,
  ],
  [
    'token',
    /(?<![\w@#.-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])(?!\d+(?:st|nd|rd|th|[hms]|ms|kg|km|px|gb|mb|kb)\b)\w[\w-]*\w(?![\w@])/giu,
  ],
];

/** Words with a slash or a dot that are no paths. */
const notPaths =
  /^(?:and\/or|he\/she|she\/he|him\/her|his\/her|yes\/no|true\/false|on\/off|either\/or|n\/a|e\.g|i\.e|etc|a\.m|p\.m|vs\.?)$/i;

/** The protected parts of a text, in order, without overlap. */
export function findSpans(text: string): Span[] {
  const found = jsonSpans(text);
  for (const [kind, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const span = { kind, start: match.index, end: match.index + match[0].length, value: valueOf(match) };
      const wrong = kind === 'path' && (notPaths.test(span.value) || /^[\d.]+$/.test(span.value));
      if (match[0] !== '' && !wrong && !found.some((other) => overlap(other, span))) found.push(span);
    }
  }
  return found.sort((left, right) => left.start - right.start);
}

function valueOf(match: RegExpExecArray): string {
  return match.slice(1).find((group) => group !== undefined) ?? match[0];
}

function overlap(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}

/** Balanced `{…}` and `[…]` that are valid JSON. */
function jsonSpans(text: string): Span[] {
  const found: Span[] = [];
  for (let start = 0, tries = 0; start < text.length && tries < 50; start += 1) {
    if (!'{['.includes(text.charAt(start))) continue;
    tries += 1;
    const end = balancedEnd(text, start);
    const value = text.slice(start, end);
    if (end < 0 || !parseJson(value).ok) continue;
    found.push({ kind: 'json', start, end, value });
    start = end - 1;
  }
  return found;
}

/** Where the bracket at `start` is closed, strings respected; -1 where it is not. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if ('{['.includes(character)) depth += 1;
    else if ('}]'.includes(character) && (depth -= 1) === 0) return at + 1;
  }
  return -1;
}

/** Characters of a private area stand for protected parts. */
const first = 0xe000;
const last = 0xf8ff;
/** Matches a stand-in. */
export const standIn = '[\\uE000-\\uF8FF]';

/** The text with each protected part as one stand-in character, and the way back. */
export function mask(text: string): { readonly masked: string; readonly restore: (part: string) => string } {
  const clean = text.replace(/[\uE000-\uF8FF]/g, ' ');
  const originals: string[] = [];
  let masked = '';
  let at = 0;
  for (const span of findSpans(clean).slice(0, last - first)) {
    masked += clean.slice(at, span.start) + String.fromCharCode(first + originals.length);
    originals.push(clean.slice(span.start, span.end));
    at = span.end;
  }
  masked += clean.slice(at);
  const restore = (part: string): string =>
    part.replace(/[\uE000-\uF8FF]/g, (character) => originals[character.charCodeAt(0) - first] ?? '');
  return { masked, restore };
}
