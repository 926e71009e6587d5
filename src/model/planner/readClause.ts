/** One clause of a request as a step: its condition, what is to be done, what is to be seen from it. */
import { nounLike, verbs } from './vocabulary.ts';

/**
 * When a step is to be done. `if`/`unless` carry their own words; `so`/`not` refer to what was asked before ("if not");
 * `else` is the opposite of the condition before.
 */
export type Condition =
  | { readonly kind: 'if' | 'unless'; readonly text: string }
  | { readonly kind: 'so' | 'not' | 'else' };

/** One thing to do. */
export interface Step {
  /** The clause as the person wrote it. */
  readonly text: string;
  /** What is to be done, without condition and question; "" where it is a question alone. */
  readonly action: string;
  readonly condition?: Condition;
  /** What is to be found out: "there is a user named Carson". */
  readonly question?: string;
  /** True for "again", 再次. */
  readonly again: boolean;
  /** True where it shares the condition of the step before ("and greet him"). */
  readonly joined: boolean;
}

const leadIn =
  /^(?:(?:and|but|so|now|then|also|next|please|kindly|just|first(?:ly)?(?: of all)?|second(?:ly)?|third(?:ly)?|to begin with|hi|hey|hello|ok(?:ay)?|great|thanks?|yes)\b(?!\s+(?:\d|file|one|item|user|line|entry|event|to\b))[\s,:]*|(?:can|could|would|will) you (?:please )?|(?:i(?:'d| would) like (?:you )?to|i (?:want|need) (?:you )?to|i want|help me(?: to)?|let'?s|let me|go ahead and|you (?:should|must|can)|i need) )/i;
const leadInChinese =
  /^(?:请问?|麻烦|帮我|帮忙|帮|你|您|能不能|能否|可以|可否|我想要?|我要|我需要|先|再(?!次|度)|就|则|那么?|然后|接着|最后|首先|并且?|也|给我|现在|用|[，,：:、\s])(?=.)/;
const againPattern =
  /\bagain\b|\bonce more\b|\bre-?(?:check|read|list)|再次|再度|重新|再(?:查|看|检|列|读|获取|确认|来|试)|[查看检列读]\S{0,4}一[次遍]/i;

/** Reads one masked clause; undefined where nothing is left of it. */
export function readClause(clause: string, joined: boolean, restore: (part: string) => string): Step | undefined {
  const bare = stripLeadIn(clause);
  // So long a clause is pasted text, no sentence with a condition.
  if (clause.length > 1000) return { text: restore(bare), action: restore(bare), again: false, joined };
  const { condition, rest } = readCondition(bare);
  const { action, question } = readQuestion(stripLeadIn(rest));
  const done = restore(action).trim();
  if (done === '' && question === undefined) return undefined;
  return {
    text: restore(stripLeadIn(rest)).trim(),
    action: done,
    ...(condition === undefined
      ? {}
      : { condition: 'text' in condition ? { ...condition, text: restore(condition.text) } : condition }),
    ...(question === undefined ? {} : { question: restore(question) }),
    again: againPattern.test(clause),
    joined,
  };
}

function stripLeadIn(text: string): string {
  let bare = text.trim();
  for (;;) {
    const next = bare.replace(leadIn, '').replace(leadInChinese, '').trim();
    if (next === bare || next === '') return bare;
    bare = next;
  }
}

interface Conditional {
  readonly condition?: Condition;
  readonly rest: string;
}

const negated =
  /^(?:if (?:not|no|none|it (?:is not|isn't|does not|doesn't)(?: exist)?|there (?:is|are) (?:none|no one)|there (?:isn't|aren't)(?: one| any)?|(?:he|she|they) (?:is|are|do|does)(?:n't| not)(?: exist)?)|如果?(?:还?没有|没|不是|不在|不存在|无|否)(?:的话)?|若(?:还?没有|无|不存在|否|不在)(?:的话)?|要是没有(?:的话)?|没有的话|不存在的话|(?:没有|不存在)(?=就|则))\s*[,，:]?\s*(?:then|就|则|那么)?\s*/i;
const affirmed =
  /^(?:if (?:so|yes|it (?:is|does)|it exists|there is(?: one)?|he does|she does|(?:he|she|they) (?:is|are|exists?))|如果(?:有|是|存在|在)(?:的话)?|若(?:有|是|存在)|要是有(?:的话)?|有的话|存在的话)\s*(?:[,，:]|then|就|则|那么)\s*/i;
const opposite =
  /^(?:otherwise|or else|else|if not so|否则(?:的话)?|不然(?:的话)?|反之)\s*[,，:]?\s*(?:then|就|则)?\s*/i;
const leading =
  /^(if|when|whenever|in case|provided that|unless|as long as)\s+(.+?)\s*(?:,\s*then\s+|,\s*|\s+then\s+|:\s+)(.+)$/is;
const leadingChinese =
  /^(?:如果|若|要是|假如|倘若|当)(.+?)(?:的话|的时候|时)?(?:[，,]\s*(?:就|则|那么|那)?|就|则|那么)(.+)$/s;
const trailing = /^(.+?),?\s+(?:but\s+)?(?:only\s+)?(if|unless|in case|as long as)\s+(.+)$/is;
const trailingChinese = /^(.+?)[，,]?[（(]?(?:如果|若|要是)(.+?)(?:的话)?[）)]?$/s;

function readCondition(text: string): Conditional {
  const not = negated.exec(text);
  if (not !== null && startsAction(text.slice(not[0].length), not[0]))
    return { condition: { kind: 'not' }, rest: text.slice(not[0].length) };
  const so = affirmed.exec(text);
  if (so !== null) return { condition: { kind: 'so' }, rest: text.slice(so[0].length) };
  const other = opposite.exec(text);
  if (other !== null) return { condition: { kind: 'else' }, rest: text.slice(other[0].length) };
  return readLeading(text) ?? readTrailing(text) ?? { rest: text };
}

/** "If no user is named Carson, …" is no bare "if no": what follows has to be an instruction. */
function startsAction(rest: string, matched: string): boolean {
  if (/[,，:]\s*(?:then|就|则|那么)?\s*$|(?:then|就|则|那么|的话)\s*$/.test(matched)) return true;
  if (/\p{Script=Han}/u.test(matched)) return false;
  return verbs.has(/^(?:please )?([a-z]+)/i.exec(rest)?.[1]?.toLowerCase() ?? '');
}

function readLeading(text: string): Conditional | undefined {
  const match = leading.exec(text);
  if (match !== null)
    return { condition: { kind: conditionKind(match[1] ?? ''), text: match[2] ?? '' }, rest: match[3] ?? '' };
  const inChinese = leadingChinese.exec(text);
  if (inChinese !== null) return { condition: { kind: 'if', text: inChinese[1] ?? '' }, rest: inChinese[2] ?? '' };
  return readUnpunctuated(text);
}

/** "if there is no user named Carson add him": the instruction begins at the last clear verb. */
function readUnpunctuated(text: string): Conditional | undefined {
  const match = /^(if|when|unless)\s+(.+)$/is.exec(text);
  if (match === null) return undefined;
  const words = (match[2] ?? '').split(/\s+/);
  const at = words.findIndex(
    (word, index) =>
      index > 1 &&
      verbs.has(word) &&
      (!nounLike.has(word) || /^(?:the|a|an|on|off|all|it)$/.test(words[index + 1] ?? '')),
  );
  if (at < 0 || at === words.length - 1) return undefined;
  return {
    condition: { kind: conditionKind(match[1] ?? ''), text: words.slice(0, at).join(' ') },
    rest: words.slice(at).join(' '),
  };
}

function readTrailing(text: string): Conditional | undefined {
  const match = trailing.exec(text);
  if (match !== null && !asksBefore.test(match[1] ?? '')) {
    return { condition: { kind: conditionKind(match[2] ?? ''), text: match[3] ?? '' }, rest: match[1] ?? '' };
  }
  const inChinese = trailingChinese.exec(text);
  return inChinese === null
    ? undefined
    : { condition: { kind: 'if', text: inChinese[2] ?? '' }, rest: inChinese[1] ?? '' };
}

function conditionKind(word: string): 'if' | 'unless' {
  return word.toLowerCase() === 'unless' ? 'unless' : 'if';
}

const asksBefore = /\b(?:see|check|find out|know|verify|tell me|confirm|determine|ask|sure|look|wonder)$/i;
const asks =
  /^(.*?)[\s,]*\b(?:(?:in order )?to\s+|and\s+)?(?:see|check|find out|verify|confirm|determine|know|tell me|let me know|make sure|ensure|double-check)\s+(?:if|whether|that)\s+(.+)$/is;
const confirmsChinese = /^(.*?)[，,]?\s*(?:来|并|以|以便)?(?:确认|验证|确保|看看|检查)(?:一下)?(.*(?:成功|已经?).*)$/s;
const direct = /^(?:is|are|does|do|has|have|was|were|will)\s+(.+?)\??$/is;

function readQuestion(text: string): { action: string; question?: string } {
  const match = asks.exec(text) ?? asksInChinese(text) ?? confirmsChinese.exec(text);
  if (match !== null) return { action: trimEnd(match[1] ?? ''), question: (match[2] ?? '').trim() };
  const asked = direct.exec(text);
  if (asked !== null) return { action: text.replace(/\?$/, ''), question: asked[1] ?? '' };
  return { action: trimEnd(text).replace(/[?？]$/, '') };
}

/** 检查用户列表里是否有… : what stands before 是否 is looked at, the rest is what is to be seen. */
function asksInChinese(text: string): RegExpExecArray | null {
  const match = /^(.*?)((?:是否|有没有|有无|是不是).*)$/s.exec(text);
  if (match === null) return null;
  const before = (match[1] ?? '').replace(
    /[，,]?\s*(?:来|并|以便?)?(?:看一看|看看|看一下|看|确认一下|确认|判断|验证|检查一下)\s*$/,
    '',
  );
  const cut = /^(.*)[，,]\s*((?:看|确认|检查|验证|判断).*)$/s.exec(before);
  match[1] = cut?.[1] ?? before;
  match[2] = `${cut?.[2] ?? ''}${match[2] ?? ''}`;
  return match;
}

function trimEnd(text: string): string {
  return text.replace(/[\s,，:：]+$/, '').trim();
}
