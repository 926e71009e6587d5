/** A request as steps in order, each with its condition. English and Chinese. */
import { readClause, type Step } from './readClause.ts';
import { knownAt } from './words.ts';
import { mask, standIn } from './spans.ts';
import { chinese, nounLike, verbs } from './vocabulary.ts';

/** Between clauses: a full stop, a looser boundary, an "and". */
const hard = '\u2028';
const soft = '\u2029';
const bound = '\u200b';

const openCondition = /^\s*(?:and\s+|but\s+|then\s+|so\s+)?(?:if|when|unless|in case|otherwise|else|or else)\b[^,]*$/i;
const openChinese = /^\s*(?:那么?|但|而)?(?:如果|若|要是|假如|倘若|当)[^，,]*$/;
/** What may follow "and <verb>" where the verb is often a noun. */
const objectAhead = new RegExp(
  `^\\s+(?:the|a|an|all|any|my|its?|him|her|them|me|us|this|that|these|those|each|every|to|for|up|on|off|if|whether|how|again|\\d|\\p{Lu}|${standIn})`,
  'u',
);

/**
 * Splits a request into steps: sentences, list items, semicolons, "then", "after that", "finally", "and <verb>", 然后, 再, 最后 …
 * Quotations, JSON, addresses, URLs and paths are never taken apart.
 */
export function splitSteps(request: string): Step[] {
  const { masked, restore } = mask(request.replace(/[\u2024\u2028\u2029\u200b]/g, ' '));
  const clauses = joinOpenConditions(cut(masked));
  return clauses
    .map(({ text, joined }) => readClause(text, joined, restore))
    .filter((step): step is Step => step !== undefined);
}

interface Clause {
  readonly text: string;
  /** True where "and" binds it to the clause before. */
  readonly joined: boolean;
}

function cut(masked: string): Clause[] {
  const marked = markVerbs(markWords(masked));
  const clauses: Clause[] = [];
  let joined = false;
  for (const piece of marked.split(/([\u2028\u2029\u200b])/)) {
    if (piece === hard || piece === soft) joined = false;
    else if (piece === bound) joined = true;
    else if (piece.trim() !== '') clauses.push({ text: piece.trim(), joined });
  }
  return clauses;
}

/** Marks the boundaries that punctuation and connecting words make. */
function markWords(text: string): string {
  const isNumbered = /(?:^|\s)\(?1[.)]\s[^]*\s\(?2[.)]\s/.test(text);
  return text
    .replace(
      /(^|\n)[ \t]*(?:[-*•]|\(?\d{1,2}[.)、]|step \d+[:.]?|第[一二三四五六七八九十]+步[:：,，]?|[①-⑩])[ \t]*/gi,
      `$1${hard}`,
    )
    .replace(/\s+\(?\d{1,2}[.)]\s+(?=\p{L})/gu, (mark) => (isNumbered ? hard : mark))
    .replace(/\b(Mr|Mrs|Ms|Dr|Prof|St|No|vs|e\.g|i\.e)\./g, '$1\u2024')
    .replace(/[.!?]+["')\]]*(?=\s|$)|[。！？]+|\n+/g, (mark) => (/[?？]/.test(mark) ? `?${hard}` : hard))
    .replaceAll('\u2024', '.')
    .replace(/\s*[;；]\s*/g, soft)
    .replace(
      /[,\s]*\b(?:and\s+)?(?:after (?:that|this)|afterwards?|subsequently|finally|lastly|thereafter)\b[,:]?\s*/gi,
      soft,
    )
    .replace(/\s*,\s*(?:and\s+|but\s+)?(?=(?:otherwise|else|or else|if not|if so)\b)|\s+(?=otherwise\b)/gi, soft)
    .replace(/[,\s]+(?:and\s+)?then\b[,:]?\s+/gi, soft)
    .replace(/\s*[，,、]?\s*(?:首先|其次|然后|接着|接下来|随后|最后|最终|而后|紧接着)\s*[，,：:]?\s*/g, soft)
    .replace(/\s*[，,]\s*(?:再|之后|完成后|完了|并且?|同时|也)(?!次|度)\s*[，,]?/g, soft)
    .replace(/再(?!次|度)(?=(?:告诉|向|跟|对).)/g, soft);
}

/** Marks "and <verb> …" and ", <verb> …" where a new instruction begins. */
function markVerbs(text: string): string {
  return text
    .split(/([\u2028\u2029])/)
    .map((clause) => markChinese(markEnglish(clause)))
    .join('');
}

function markEnglish(clause: string): string {
  const pattern = /(\s*,\s*and\s+|\s+and\s+|\s*,\s*)(?:also\s+|please\s+)*([a-z]+)\b/giu;
  let marked = '';
  let at = 0;
  for (const match of clause.matchAll(pattern)) {
    const before = clause.slice(at, match.index);
    const rest = clause.slice(match.index + match[0].length);
    if (!beginsInstruction(match[2] ?? '', before, rest)) continue;
    const separator = /and/i.test(match[1] ?? '') ? bound : soft;
    marked += before + separator;
    at = match.index + (match[1] ?? '').length;
  }
  return marked + clause.slice(at);
}

function beginsInstruction(word: string, before: string, rest: string): boolean {
  const verb = word.toLowerCase();
  if (verb !== word && word !== word.toUpperCase() && before.trim() === '') return false;
  if (verb === 'if' || verb === 'otherwise')
    return before.trim() !== '' && !/\b(?:see|check|know|whether)\s*$/i.test(before);
  if (!verbs.has(verb) || openCondition.test(before)) return false;
  if (before.trim().split(/\s+/).length < 2 || rest.trim() === '') return false;
  return nounLike.has(verb) ? objectAhead.test(rest) : !/^\s*[,:]/.test(rest) && !/^\s+(?:and|or)\b/.test(rest);
}

/** In Chinese a comma or 并 before a verb begins a new instruction, unless it ends a condition or asks what is to be seen. */
function markChinese(clause: string): string {
  let marked = '';
  let at = 0;
  for (const match of clause.matchAll(/[，,]\s*(?:请|帮我|就|则|那么|也|并)*|并且?(?=\p{Script=Han})/gu)) {
    const before = clause.slice(at, match.index);
    const rest = clause.slice(match.index + match[0].length);
    if (!/\p{Script=Han}/u.test(before) || openChinese.test(before) || !beginsChinese(rest)) continue;
    marked += before + (match[0].startsWith('并') ? bound : soft);
    at = match.index + match[0].length;
  }
  return marked + clause.slice(at);
}

function beginsChinese(rest: string): boolean {
  if (/^(?:如果|若|要是|假如|否则|不然|没有的话|有的话)/.test(rest)) return true;
  if (
    /^(?:看看?|确认|检查|查看|验证|判断)?(?:一下)?(?:是否|有没有|有无|是不是)|^(?:确认|验证|看看).*(?:成功|已经?)/.test(
      rest,
    )
  )
    return false;
  const word = knownAt(rest, 0);
  const english = word === undefined ? undefined : chinese.get(word)?.[0];
  return (
    (english !== undefined && verbs.has(english) && rest.length > (word?.length ?? 0)) ||
    /^(?:向|对|跟|和|给|把|将|用)\S{1,12}(?:问好|打招呼|说|问候|发|加|删)/.test(rest)
  );
}

/** A clause that is a condition alone ("If there is none" … "then add") belongs to the next one. */
function joinOpenConditions(clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = [];
  let open: string | undefined;
  for (const clause of clauses) {
    const text = open === undefined ? clause.text : `${open}, ${clause.text}`;
    open =
      openCondition.test(text) && !/^\s*(?:if (?:not|so)|otherwise|else)\s+\w/i.test(text) && !hasConsequence(text)
        ? text
        : undefined;
    if (open === undefined) joined.push({ ...clause, text });
  }
  if (open !== undefined) joined.push({ text: open, joined: false });
  return joined;
}

function hasConsequence(text: string): boolean {
  const words = text.split(/\s+/).slice(2);
  return words.some((word, index) => index > 0 && verbs.has(word) && !nounLike.has(word));
}
