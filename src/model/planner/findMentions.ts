/** The values that a step's words hold: addresses, paths, numbers, names, `key=value`. */
import { knownAt, languageOf, plainKey } from './words.ts';
import { findSpans, type Span } from './spans.ts';
import { remember } from './remember.ts';
import { stopWords, verbs } from './vocabulary.ts';

/** A value in a text. `before` is the word in front of it, `after` the word behind it, lower case. */
export interface Mention {
  readonly kind: Span['kind'] | 'number' | 'name';
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly before: string;
  readonly after: string;
}

/** `key=value` and `key: value` as written. */
export interface Assignment {
  readonly key: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The values of a text in order; names are what follows "named", 叫, or stands before an e-mail address, and capitalised words. */
export const findMentions = remember((text: string): readonly Mention[] => {
  const spans = findSpans(text);
  const free = blank(text, spans);
  const found = [...spans, ...numbers(free)];
  const names = findNames(blank(free, found), text, spans);
  return [...found, ...names]
    .sort((left, right) => left.start - right.start)
    .map((mention) => ({ ...mention, before: wordBefore(text, mention.start), after: wordAfter(text, mention.end) }));
}, 100);

interface Found {
  readonly kind: Mention['kind'];
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The text with some parts as spaces, so that positions stay. */
export function blank(text: string, parts: readonly { readonly start: number; readonly end: number }[]): string {
  let out = text;
  for (const { start, end } of parts) out = out.slice(0, start) + ' '.repeat(end - start) + out.slice(end);
  return out;
}

const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};

function numbers(text: string): Found[] {
  return [
    ...text.matchAll(
      /(?<![A-Za-z_\d.-])[-−]?\d[\d,]*(?:\.\d+)?(?![\w@])|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b/gi,
    ),
  ].map((match) => {
    const word = match[0].toLowerCase();
    const value = String(
      numberWords[word] ??
        word
          .replace(/,(?=\d{3}\b)/g, '')
          .replace(/,.*$/, '')
          .replace('−', '-'),
    );
    return { kind: 'number', start: match.index, end: match.index + match[0].length, value };
  });
}

/** The first number of a text, digits or words in English or Chinese. */
export function numberIn(text: string): number | undefined {
  const match =
    /-?\d+(?:\.\d+)?|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)\b|[零一二两三四五六七八九十](?=个|条|项|名|位|次|度)/i.exec(
      text,
    );
  if (match === null) return undefined;
  return numberWords[match[0].toLowerCase()] ?? Number(match[0]);
}

const called =
  /\b(?:[Nn]amed|[Cc]alled|[Nn]ame(?:d as)?(?: is|:)?|[Kk]nown as)\s+((?:[\p{L}\p{M}\d'’_-]+)(?:\s+\p{Lu}[\p{L}\p{M}\d'’_-]*){0,3})|(?:名叫|叫做|叫作|名为|名字是|名字为|名字叫|姓名为|姓名是|称为|叫)\s*([A-Za-z][\w'-]*(?:\s[A-Z][\w'-]*)*|\p{Script=Han}{1,6}?(?=[的，。,；、\s]|并|和|邮|$))/gu;
const capitalised = /(?<![\p{L}\d'’_-])\p{Lu}[\p{L}\p{M}\d'’_-]*(?:\s+\p{Lu}[\p{L}\p{M}\d'’_-]*){0,3}/gu;
const notNames = new Set(
  'i if id url json sql api mcp http https ok the a an to in on at for and or no yes please'.split(' '),
);

function findNames(free: string, text: string, spans: readonly Span[]): Found[] {
  const found: Found[] = [];
  const add = (value: string | undefined, start: number): void => {
    const end = start + (value?.length ?? 0);
    if (value === undefined || value === '' || found.some((other) => other.start < end && start < other.end)) return;
    found.push({ kind: 'name', start, end, value });
  };
  for (const match of free.matchAll(called)) {
    const value = match[1] ?? match[2];
    if (value !== undefined && !stopWords.has(value.toLowerCase()))
      add(value, match.index + match[0].lastIndexOf(value));
  }
  for (const span of spans) if (span.kind === 'email') addBeforeEmail(free, span.start, add);
  for (const match of free.matchAll(capitalised)) addCapitalised(match, text, add);
  for (const match of free.matchAll(
    /(?:用户|联系人|成员|人员|客户|实体|城市)[:：]?\s*(\p{Script=Han}{2,4}?)(?=[，,。；、\s(（]|的|$)/gu,
  )) {
    const value = match[1] ?? '';
    if (knownAt(value, 0) === undefined) add(value, match.index + match[0].lastIndexOf(value));
  }
  return found;
}

/** "Carson Lee carson@example.com", "张三 <z@x.cn>": up to three words that are no vocabulary. */
function addBeforeEmail(free: string, end: number, add: (value: string, start: number) => void): void {
  const match = /([\p{L}\p{M}'’-]+(?:\s[\p{L}\p{M}'’-]+){0,2})[\s(<（,，]*$/u.exec(free.slice(0, end));
  if (match === null) return;
  const words = (match[1] ?? '').split(/\s/);
  while (words.length > 0 && isVocabulary(words[0] ?? '')) words.shift();
  const known = words.findLastIndex(isVocabulary);
  const value = words.slice(known + 1).join(' ');
  const cut = value.replace(/^\p{Script=Han}+(?=[A-Za-z])/u, '');
  if (cut !== '' && !/邮箱|邮件|地址/.test(cut)) add(cut, match.index + (match[1] ?? '').length - cut.length);
}

/** True where a Chinese run consists of words of the vocabulary alone. */
function isKnownChinese(run: string): boolean {
  for (let at = 0; at < run.length;) {
    const word = knownAt(run, at);
    if (word === undefined) return false;
    at += word.length;
  }
  return true;
}

function isVocabulary(word: string): boolean {
  if (/^\p{Script=Han}/u.test(word)) return isKnownChinese(word);
  const lower = word.toLowerCase();
  if (/^\p{Lu}/u.test(word) && !verbs.has(lower)) return notNames.has(lower);
  return (
    stopWords.has(lower) ||
    verbs.has(lower) ||
    /^(?:user|person|people|member|account|contact|email|mail|address|customer|employee)s?$/.test(lower)
  );
}

function addCapitalised(match: RegExpExecArray, text: string, add: (value: string, start: number) => void): void {
  let value = match[0];
  let start = match.index;
  const first = value.split(/\s/)[0] ?? '';
  const opens = text.slice(0, start).trim() === '' || /[.!?:]\s*$/.test(text.slice(0, start));
  if (
    languageOf(text) === 'en' &&
    opens &&
    (verbs.has(first.toLowerCase()) || stopWords.has(first.toLowerCase()) || start === 0)
  ) {
    const rest = value.slice(first.length).trimStart();
    start += value.length - rest.length;
    value = rest;
  }
  if (value === '' || notNames.has(value.toLowerCase())) return;
  add(value, start);
}

function wordBefore(text: string, start: number): string {
  const head = text.slice(0, start).replace(/[\s"'`(“‘:：=]+$/u, '');
  const match = /[\p{L}\d_]+$/u.exec(head);
  return match === null ? '' : match[0].toLowerCase().slice(-12);
}

function wordAfter(text: string, end: number): string {
  return (/^[\s"'`)”’]*([\p{L}\d_]+)/u.exec(text.slice(end))?.[1] ?? '').toLowerCase().slice(0, 12);
}

/** Every `key=value`, `key: value`, `--key value` of a text. */
export const findAssignments = remember((text: string): readonly Assignment[] => {
  const value =
    /```[\s\S]*?```|"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|“[^”]*”|「[^」]*」|\{[^{}]*\}|\[[^\]]*\]|[^\s,，;；。、]+/u
      .source;
  const pattern = new RegExp(
    String.raw`(?:--)?(?<![\p{L}\w/.])([\p{L}_][\p{L}\p{M}\d_.-]{0,40})\s*(?:[=＝]|[:：](?!//))\s*(${value})|--([a-z][\w-]*)\s+(${value})`,
    'giu',
  );
  return [...text.matchAll(pattern)].map((match) => ({
    key: plainKey(match[1] ?? match[3] ?? ''),
    value: unquote((match[2] ?? match[4] ?? '').replace(/[.)]+$/, '')),
    start: match.index,
    end: match.index + match[0].length,
  }));
}, 100);

/** A value without the quotation marks around it. */
export function unquote(text: string): string {
  return text.replace(/^["'`“「](.*)["'`”」]$/su, '$1');
}
