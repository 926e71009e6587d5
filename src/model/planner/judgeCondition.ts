/** Whether a condition holds, by the last result that bears on it. What cannot be judged is told, never guessed. */
import { isRecord } from '../../base/json.ts';
import { findMentions, numberIn } from './findMentions.ts';
import { isEmpty, mentions, saysAbsent, type Result } from './readResult.ts';
import { stem, stopWords, verbs } from './vocabulary.ts';
import { agreement, knownAt, wordsOf } from './words.ts';

/** `holds` undefined: the result does not tell. `subject` is what was looked for, `count` what was counted. */
export interface Verdict {
  readonly holds: boolean | undefined;
  readonly why: 'present' | 'absent' | 'empty' | 'filled' | 'failed' | 'succeeded' | 'count' | 'words' | 'unknown';
  readonly subject?: string;
  readonly count?: number;
  /** For `words`: whether the result speaks of the subject. */
  readonly isSaid?: boolean;
}

const negation =
  /\b(?:no|not|none|never|without|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|wasn['’]?t|hasn['’]?t|missing|absent|nobody|nothing|lacks?)\b|没|不(?!少于|多于|大于|小于|超过)|无(?!论)|未|缺/gi;
const evenOr = /是否|有没有|有无|是不是|能否|whether/g;
const failure = /\b(?:fails?|failed|errors?|goes wrong|unsuccessful(?:ly)?|denied|refused)\b|失败|出错|报错|错误/i;
const success =
  /\b(?:succeeds?|succeeded|successful(?:ly)?|works?|worked|was (?:added|created|deleted|removed|updated|saved|written))\b|成功|已(?:添加|创建|删除|更新|写入)/i;
const emptiness =
  /\b(?:empty|nothing|no (?:results?|entries|items|matches|files|records|rows))\b|为空|是空|空的|没有(?:结果|内容|文件|记录|数据)/i;

const pointing = /\b(?:he|she|it|they|him|her|them|that|this|new|one|was|were|been)\b|他|她|它|该|这|新|已|成功/i;

/** Judges `text` ("there is no user named Carson") by `result`. `names` are the names that "he", "it" and 该用户 may stand for. */
export function judgeCondition(text: string, result: Result | undefined, names: readonly string[] = []): Verdict {
  if (result === undefined) return { holds: undefined, why: 'unknown' };
  const plain = text.replace(evenOr, '有');
  const isNegated = (plain.match(negation)?.length ?? 0) % 2 === 1;
  if (failure.test(plain))
    return turn({ holds: result.isError, why: result.isError ? 'failed' : 'succeeded' }, isNegated);
  const compared = compare(plain, result);
  if (compared !== undefined) return compared;
  const subject = subjectOf(plain) ?? (pointing.test(plain) || contentWords(plain).length === 0 ? names[0] : undefined);
  const isMissing = result.isError && saysAbsent(result.text) && speaksOfExistence(plain);
  const missing = subject ?? names[0];
  if (isMissing)
    return {
      ...turn({ holds: false, why: 'absent' }, isNegated),
      ...(missing === undefined ? {} : { subject: missing }),
    };
  if (result.isError) return failed(plain, isNegated);
  const isNamed = subjectOf(plain) !== undefined || speaksOfExistence(plain);
  if (subject !== undefined && isNamed && !isPlace(subject, plain, result))
    return existence(subject, result, isNegated);
  if (success.test(plain)) return turn({ holds: true, why: 'succeeded' }, isNegated);
  if (emptiness.test(plain)) return emptyVerdict(result, /没有|\bno\b|nothing/i.test(plain) ? false : isNegated);
  if (
    /\b(?:any|some|anything|at least one|exists?|there (?:is|are))\b|有|存在/i.test(plain) &&
    otherWords(plain, result).length === 0
  ) {
    return turn({ holds: !isEmpty(result), why: isEmpty(result) ? 'empty' : 'filled' }, isNegated);
  }
  const rest = subject !== undefined && isGiven(subject, result) ? plain.replace(subject, ' ') : plain;
  return byWords(rest, result, isNegated);
}

/** The opposite verdict ("if not", "otherwise"). */
export function opposite(verdict: Verdict): Verdict {
  return turn(verdict, true);
}

function turn(verdict: Verdict, isNegated: boolean): Verdict {
  return { ...verdict, holds: verdict.holds === undefined ? undefined : verdict.holds !== isNegated };
}

function failed(text: string, isNegated: boolean): Verdict {
  if (success.test(text)) return turn({ holds: false, why: 'failed' }, isNegated);
  return { holds: undefined, why: 'failed' };
}

/** The name, address, path or quotation that a text is about. */
function subjectOf(text: string): string | undefined {
  // A first word is a name here, not the capital of a sentence.
  const found = findMentions(`that ${text}`).filter(
    ({ kind }) => kind !== 'number' && kind !== 'json' && kind !== 'time',
  );
  return (found.find(({ kind }) => kind === 'name' || kind === 'quoted') ?? found[0])?.value ?? unknownChinese(text);
}

/** 用户列表中无张三 → 张三: what the vocabulary does not know. */
function unknownChinese(text: string): string | undefined {
  const found =
    /(?:没有|有|无|存在|叫)(?:叫|名为|名叫)?(?!的|了|成|效|结|任|其|新)(\p{Script=Han}{2,3})(?=$|的|这|用户|[，。])/u.exec(
      text,
    )?.[1];
  return found === undefined || /^(?:没有|任何)/.test(found) || knownAt(found, 0) !== undefined ? undefined : found;
}

function speaksOfExistence(text: string): boolean {
  return (
    /\b(?:exists?|there|found|present|in (?:it|the list|there)|is|was (?:added|created|found)|(?:was|been) \w+ed)\b|存在|有|在|找到|成功|添加|创建/i.test(
      text,
    ) || text === ''
  );
}

/** "It is raining in Madrid", where Madrid was asked about: the rest of the words is what is judged. */
function isPlace(subject: string, text: string, result: Result): boolean {
  return isGiven(subject, result) && otherWords(text.replace(subject, ' '), result).length > 0;
}

function isGiven(subject: string, result: Result): boolean {
  return JSON.stringify(result.call.arguments).toLowerCase().includes(subject.toLowerCase());
}

function existence(subject: string, result: Result, isNegated: boolean): Verdict {
  const isFound =
    mentions(result, subject) || (isGiven(subject, result) && !isEmpty(result) && !saysAbsent(result.text));
  const isPresent = !result.isError && !saysNo(result.value) && isFound;
  return { ...turn({ holds: isPresent, why: isPresent ? 'present' : 'absent' }, isNegated), subject };
}

/** `{"exists": false}` and its like. */
function saysNo(value: unknown): boolean {
  return (
    isRecord(value) && ['exists', 'found', 'exist', 'present', 'success', 'ok'].some((key) => value[key] === false)
  );
}

function emptyVerdict(result: Result, isNegated: boolean): Verdict {
  const nothing = isEmpty(result);
  return turn({ holds: nothing, why: nothing ? 'empty' : 'filled' }, isNegated);
}

const comparisons: readonly (readonly [RegExp, (left: number, right: number) => boolean])[] = [
  [
    /\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than)\b|>=|≥|至少|不少于|不低于|大于等于/i,
    (left, right) => left >= right,
  ],
  [
    /\b(?:at most|no more than|not more than|up to)\b|<=|≤|至多|最多|不超过|不多于|不高于|小于等于/i,
    (left, right) => left <= right,
  ],
  [
    /\b(?:more|greater|higher|larger|bigger|warmer|hotter|longer) than\b|\b(?:over|above|exceeds?|exceeding)\b|>|超过|多于|大于|高于|以上/i,
    (left, right) => left > right,
  ],
  [
    /\b(?:fewer|less|lower|smaller|colder|cooler|shorter) than\b|\b(?:under|below)\b|<|少于|小于|低于|不足|不到|以下/i,
    (left, right) => left < right,
  ],
  [
    /\b(?:exactly|equals?(?: to)?|is)\s+(?=-?\d)|={1,3}|恰好|正好|等于|只有(?=\d|[一二两三])/i,
    (left, right) => left === right,
  ],
];

function compare(text: string, result: Result): Verdict | undefined {
  const found = comparisons.find(([pattern]) => pattern.test(text));
  const match = found?.[0].exec(text);
  const limit = match ? (numberIn(text.slice(match.index + match[0].length)) ?? numberIn(text)) : undefined;
  if (found === undefined || limit === undefined || result.isError) return undefined;
  const count = quantity(
    text.slice(0, match?.index ?? 0) + text.slice((match?.index ?? 0) + (match?.[0].length ?? 0)),
    result,
  );
  return count === undefined
    ? { holds: undefined, why: 'unknown' }
    : { holds: found[1](count, limit), why: 'count', count };
}

/** The number a condition is about: the member of that name, the number of entries, the only number. */
function quantity(text: string, result: Result): number | undefined {
  const subjects = contentWords(text);
  const member = numberAt(result.value, subjects, 3);
  if (member !== undefined) return member;
  for (const subject of subjects) {
    const named = new RegExp(String.raw`\b${subject}\w*\b[^\d\n-]{0,20}(-?\d+(?:\.\d+)?)`, 'i').exec(result.text);
    if (result.value === undefined && named !== null) return Number(named[1]);
  }
  if (result.entries !== undefined) return isEmpty(result) ? 0 : countOf(text, result);
  if (typeof result.value === 'number') return result.value;
  return isEmpty(result) ? 0 : numberIn(result.text.replace(/\d{4}-\d\d-\d\d\S*/g, ''));
}

/** Entries; files or directories alone where the listing marks them. */
function countOf(text: string, result: Result): number {
  const mark = /\bfiles?\b|文件(?!夹)/i.test(text)
    ? 'FILE'
    : /\b(?:director(?:y|ies)|folders?)\b|目录|文件夹/i.test(text)
      ? 'DIR'
      : undefined;
  const marked =
    /^\[(?:FILE|DIR)\]/m.test(result.text) && mark !== undefined
      ? result.text.split('\n').filter((line) => line.startsWith(`[${mark}]`))
      : undefined;
  return marked?.length ?? result.entries?.length ?? 0;
}

function numberAt(value: unknown, subjects: readonly string[], depth: number): number | undefined {
  if (!isRecord(value) || depth === 0) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const isMeant = wordsOf(key).some((word) =>
      subjects.some(
        (subject) => stem(word) === subject || agreement(stem(word), subject) > 0 || word.startsWith(subject),
      ),
    );
    if (isMeant && typeof each === 'number') return each;
    if (isMeant && typeof each === 'string' && /^-?\d+(?:\.\d+)?\D{0,6}$/.test(each)) return Number.parseFloat(each);
    const inner = numberAt(each, subjects, depth - 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function contentWords(text: string): string[] {
  return wordsOf(text)
    .filter(
      (word) =>
        !stopWords.has(word) &&
        !/^\d+$|^(?:more|less|fewer|greater|higher|lower|above|below|least|most|there|missing|absent|found|nobody|none|anyone|anybody|someone|somebody|exist|exists|list|result|s|has|empty|any)$/.test(
          word,
        ),
    )
    .map(stem);
}

function otherWords(text: string, result: Result): string[] {
  const known = wordsOf(result.call.name).map(stem);
  return contentWords(text).filter((word) => !known.some((other) => agreement(word, other) > 0));
}

const contrary: Readonly<Record<string, string>> = {
  off: 'on',
  closed: 'open',
  unlocked: 'locked',
  disabled: 'enabled',
  inactive: 'active',
  offline: 'online',
  unavailable: 'available',
};

/** "it is raining", "the light is off", "the status is open": by the members and words of the result. */
function byWords(text: string, result: Result, isNegated: boolean): Verdict {
  const flag = flagOf(text, result.value);
  if (flag !== undefined) return turn({ holds: flag, why: 'words' }, isNegated);
  const words = wordsOf(text).filter((word) => !stopWords.has(word) || word === 'on' || word === 'off');
  const wanted = words.filter((word) => !verbs.has(word) || Object.hasOwn(contrary, word)).at(-1) ?? words.at(-1);
  const known = new Set(wordsOf(result.text).map(root));
  if (wanted === undefined || result.text === '') return { holds: undefined, why: 'unknown' };
  const holds =
    known.has(root(wanted)) ||
    (verbs.has(wanted) && wordsOf(result.text).some((word) => agreement(stem(word), stem(wanted)) > 0));
  const says =
    holds ||
    Object.entries(contrary).some(
      ([left, right]) => (wanted === left && known.has(root(right))) || (wanted === right && known.has(root(left))),
    ) ||
    isWeatherlike(result);
  return says
    ? { ...turn({ holds, why: 'words' }, isNegated), subject: wanted, isSaid: holds }
    : { holds: undefined, why: 'unknown' };
}

/** "raining", "rainy" and "rain" are one. */
function root(word: string): string {
  return stem(word).replace(/([a-z]{3,})(?:y|i|ly)$/, '$1');
}

/** A JSON object or a short text describes a state; a word that it lacks is not the case. */
function isWeatherlike(result: Result): boolean {
  return (
    isRecord(result.value) || (result.value === undefined && result.entries === undefined && result.text.length < 400)
  );
}

/** A boolean member of that name: `{"locked": true}` for "the door is unlocked". */
function flagOf(text: string, value: unknown): boolean | undefined {
  if (!isRecord(value)) return typeof value === 'boolean' ? value : undefined;
  const words = wordsOf(text);
  for (const [key, each] of Object.entries(value)) {
    if (typeof each !== 'boolean') continue;
    const name = wordsOf(key).at(-1) ?? '';
    if (words.some((word) => stem(word) === stem(name))) return each;
    const other = words.find((word) => contrary[word] === name || contrary[name] === word);
    if (other !== undefined) return !each;
  }
  return undefined;
}
