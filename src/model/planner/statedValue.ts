/** Values that the text states outright for a field: JSON, `key=value`, "type person", an option's own word. */
import { isRecord, parseJson } from '../../base/json.ts';
import { coerce, spend, spendRange, unspent, type Evidence } from './evidence.ts';
import { kindOf } from './fieldKind.ts';
import { unquote, type Mention } from './findMentions.ts';
import type { Field } from './schemaFields.ts';
import { chinese, stem } from './vocabulary.ts';
import { plainKey, wordsOf } from './words.ts';

/** The value stated for `field`; undefined where the text states none. Takes what it uses. */
export function statedValue(field: Field, evidence: Evidence): unknown {
  return fromJson(field, evidence) ?? fromAssignment(field, evidence) ?? fromCue(field, evidence);
}

function fromJson(field: Field, evidence: Evidence): unknown {
  for (const mention of evidence.mentions) {
    if (mention.kind !== 'json') continue;
    const parsed = parseJson(mention.value);
    if (!parsed.ok) continue;
    const value = pick(parsed.value, field);
    if (value === undefined || (Array.isArray(parsed.value) && evidence.spent.has(mention))) continue;
    evidence.spent.add(mention);
    return value;
  }
  return undefined;
}

function pick(value: unknown, field: Field): unknown {
  if (Array.isArray(value)) return field.isList ? value : undefined;
  if (!isRecord(value)) return undefined;
  const deep = field.path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
  if (deep !== undefined) return deep;
  const found = Object.entries(value).find(([key]) => plainKey(key) === plainKey(field.key));
  if (found !== undefined) return found[1];
  return kindOf(field) === 'object' && !field.isList && field.itemFields === undefined ? value : undefined;
}

function fromAssignment(field: Field, evidence: Evidence): unknown {
  const wanted = [plainKey(field.key), plainKey(field.path.join(''))];
  const found = evidence.assignments.find(
    ({ key }) => wanted.includes(key) || wordsOf(key).join('') === field.words.join(''),
  );
  if (found === undefined) return undefined;
  const whole = evidence.mentions.find((each) => each.start === found.end - found.value.length && each.kind === 'sql');
  if (whole !== undefined && !field.isList) return coerce(field, spend(evidence, [whole])[0] ?? '');
  const value = field.isList
    ? listFrom(field, evidence, { start: found.end - found.value.length, first: found.value })
    : coerce(field, found.value);
  if (value !== undefined) spendRange(evidence, found.start, found.end);
  return value;
}

/** "tags: a, b and c": the list goes on to the next assignment or the end. */
function listFrom(
  field: Field,
  evidence: Evidence,
  { start, first }: { readonly start: number; readonly first: string },
): unknown {
  const parsed = parseJson(first);
  if (parsed.ok && Array.isArray(parsed.value)) return parsed.value;
  const next = evidence.assignments.find((other) => other.start > start)?.start ?? evidence.action.length;
  const at = Math.max(0, evidence.action.lastIndexOf(first, start + 2));
  return splitList(evidence.action.slice(at, next)).flatMap((each) => coerce(field, each) ?? []);
}

/** "a, b and c", 甲、乙和丙 → its entries without quotes. */
export function splitList(text: string): string[] {
  return text
    .split(/\s*(?:[,，、;；]|\band\b|&|和|与|以及)\s*/)
    .map((each) => unquote(each.trim()).replace(/[.。]$/, ''))
    .filter((each) => each !== '');
}

const fillers = String.raw`(?:\s*(?:\b(?:is|are|of|as|to|named|called|should be|set to)\b|是|为|叫|设为|[:：=]))*\s*`;
const articles = String.raw`(?:\b(?:the|a|an)\b\s+)?`;
const ends =
  /\s*(?:[,，;；。、)]|\.(?:\s|$)|\b(?:and|with|to|from|in|on|at|for|of|by|that|which|whose|as|using|into|under|have|has|does|is|are|exists?)\b|的|并|和|到|$)/iu;

/** A list goes on over commas and "and". */
const listEnds = /\s*(?:[;；。)]|\.(?:\s|$)|\b(?:with|to|from|in|on|at|for|of|by|that|using)\b|$)/iu;

/** The word of the field itself and what stands behind it. */
function fromCue(field: Field, evidence: Evidence): unknown {
  const isShared = !field.isRequired && field.words.some((word) => evidence.shared.has(word));
  const text = evidence.action.toLowerCase();
  for (const cue of cuesOf(field)) {
    if ((cue.isShort && isShared) || !cue.roots.some((root) => text.includes(root))) continue;
    cue.pattern ??= cuePattern(cue);
    for (const match of evidence.action.matchAll(cue.pattern)) {
      const value = valueAt(field, evidence, { at: match.index + match[0].length, cue: match[0] });
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

interface Cue {
  readonly words: readonly string[];
  /** True where it is a part of the field's name that other fields may share. */
  readonly isShort: boolean;
  readonly chinese: readonly string[];
  /** One of these stands in any text that the pattern matches. */
  readonly roots: readonly string[];
  /** Made when a text first holds a root: most fields are never spoken of. */
  pattern?: RegExp;
}

const cues = new WeakMap<Field, readonly Cue[]>();

/** "entityType" is spoken of as "entity type" and "type"; "userId" as "user id", "id" and "user". */
function cuesOf(field: Field): readonly Cue[] {
  const known = cues.get(field);
  if (known !== undefined) return known;
  const { words } = field;
  const last = words.at(-1) ?? '';
  const inChinese = chineseByStem.get(stem(last)) ?? [];
  const short: (readonly string[])[] =
    words.length > 1
      ? [[last], ...(/^(?:name|id|path|title|key|number)s?$/.test(last) ? [words.slice(0, -1)] : [])]
      : [];
  const origin = words.some((word) => /^(?:base|source|origin|sender)$/.test(word)) ? [['from']] : [];
  const found = [words, ...short, ...origin]
    .filter((cue) => cue.length > 0 && !/^(?:.?|arg)$/.test(cue[0] ?? ''))
    .map((cue): Cue => ({
      words: cue,
      isShort: short.includes(cue),
      chinese: inChinese,
      roots: [rootOf(cue.at(-1) ?? ''), ...inChinese],
    }));
  cues.set(field, found);
  return found;
}

function rootOf(word: string): string {
  return word.replace(/s$/, '');
}

function cuePattern({ words, chinese }: Cue): RegExp {
  const cue = words.map((word) => `${escape(rootOf(word))}(?:e?[sd])?`).join(String.raw`[\s_-]*`);
  const own = String.raw`(?<![\p{L}\d])${cue}(?![\p{L}\d])${fillers}${articles}`;
  return new RegExp(chinese.length === 0 ? own : `${own}|(?:${chinese.join('|')})${fillers}`, 'giu');
}

const chineseByStem = new Map<string, string[]>();
for (const [word, english] of chinese) {
  const key = stem(english[0] ?? '');
  if (english.length === 1) chineseByStem.set(key, [...(chineseByStem.get(key) ?? []), word]);
}

function escape(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

function valueAt(
  field: Field,
  evidence: Evidence,
  { at, cue }: { readonly at: number; readonly cue: string },
): unknown {
  if (evidence.used.some(({ start, end }) => at >= start && at < end)) return undefined;
  const isExplicit = /[:：=]\s*$/.test(cue);
  const mention = evidence.mentions.find(
    (each) => each.start >= at && each.start - at <= 1 && !evidence.spent.has(each),
  );
  const kind = kindOf(field);
  if (mention?.kind === 'number' && kind === 'name' && /\bto\s+$/i.test(cue)) return undefined;
  if (mention !== undefined && suits(mention, field)) return fromMention(field, evidence, mention);
  if (mention !== undefined || !['name', 'text', 'id'].includes(kind)) return undefined;
  const rest = evidence.action.slice(at);
  const end = isExplicit && kind === 'text' ? rest.length : rest.search(field.isList ? listEnds : ends);
  const words = rest.slice(0, end).trim();
  if (words === '' || words.split(/\s+/).length > (kind === 'text' || field.isList ? 40 : 3) || isNoValue(words))
    return undefined;
  spendRange(evidence, at, at + end);
  const value = coerce(field, words);
  return field.isList ? splitList(words).flatMap((each) => coerce(field, each) ?? []) : value;
}

function isNoValue(words: string): boolean {
  return /^(?:is|are|exists?|list|in|it|again|the|all|first|last|him|her|does|do|not|was|with|by|to)\b|^[的里中是否]/i.test(
    words,
  );
}

function fromMention(field: Field, evidence: Evidence, mention: Mention): unknown {
  if (!field.isList) return coerce(field, spend(evidence, [mention])[0] ?? '');
  const run = evidence.mentions.filter(
    (each) => each.start >= mention.start && each.kind === mention.kind && !evidence.spent.has(each),
  );
  return spend(evidence, run).flatMap((each) => coerce(field, each) ?? []);
}

/** True where a mention may be a value of the field. */
export function suits(mention: Mention, field: Field): boolean {
  const kind = kindOf(field);
  if (mention.kind === 'json') return false;
  if (kind === 'number') return mention.kind === 'number';
  if (kind === 'boolean' || kind === 'object') return false;
  if (kind === 'email' || kind === 'url' || kind === 'sql') return mention.kind === kind || mention.kind === 'quoted';
  return kind !== 'path' || mention.kind !== 'number';
}

/** An option named in the text. A short or optional one has to be meant: "by size", "turn off". */
export function optionIn(field: Field, evidence: Evidence): unknown {
  const words = wordsOf(evidence.action);
  return field.options.find((option) => {
    const parts = typeof option === 'string' ? wordsOf(option) : [String(option)];
    const at = words.findIndex((_, index) => parts.every((part, offset) => words[index + offset] === part));
    if (at < 0 || parts.length === 0) return false;
    const before = words[at - 1] ?? '';
    if (
      field.isRequired &&
      (parts.join('').length > 2 || /^(?:turn|switch|set|to|is|power)$/.test(before) || words.at(-1) === parts[0])
    )
      return true;
    return (
      /^(?:by|as|to|type|level|mode|format)$/.test(before) ||
      field.words.includes(before) ||
      field.words.includes(words[at + parts.length] ?? '') ||
      !evidence.toolStems.has(stem(parts[0] ?? ''))
    );
  });
}

/** A boolean that the text gives by its name ("include the image", "without children") or by on/off. */
export function booleanIn(field: Field, evidence: Evidence): boolean | undefined {
  const words = wordsOf(evidence.action);
  const stems = words.map(stem);
  const subject = field.words
    .filter((word) => !/^(?:is|has|should|with|enable|enabled|include|show|use|allow)$/.test(word))
    .map(stem);
  const at =
    subject.length === 0
      ? -1
      : stems.findIndex((_, index) => subject.every((part, offset) => stems[index + offset] === part));
  if (at >= 0 && !subject.every((part) => evidence.toolStems.has(part)))
    return !words
      .slice(Math.max(0, at - 3), at)
      .some((word) => /^(?:no|not|without|dont|exclude|skip|disable)$/.test(word));
  if (!field.isRequired && !/^(?:on|enabled?|state|power|active)$/.test(field.words.at(-1) ?? '')) return undefined;
  if (words.some((word) => /^(?:off|disable|false|deactivate|stop|lock|close)$/.test(word)))
    return /^(?:locked|closed)$/.test(field.key);
  return words.some((word) => /^(?:on|enable|true|activate|start|unlock|open)$/.test(word))
    ? !/^(?:locked|closed)$/.test(field.key)
    : undefined;
}

/** Unspent numbers by the words beside them: "first 5 lines", "10 seconds", "id 7". */
export function numberIn(field: Field, evidence: Evidence): unknown {
  const free = unspent(evidence, 'number');
  const scored = free
    .map((mention) => ({ mention, score: closeness(field, mention) }))
    .sort((left, right) => right.score - left.score);
  const best = scored[0];
  if (best === undefined || (best.score === 0 && !field.isRequired)) return undefined;
  const chosen = best.score > 0 ? best.mention : free[0];
  return chosen === undefined ? undefined : coerce(field, spend(evidence, [chosen])[0] ?? '');
}

function closeness(field: Field, mention: Mention): number {
  const near = [mention.before, mention.after].flatMap(wordsOf).map(stem);
  const names = field.words.map(stem);
  const inName = near.filter((word) => names.includes(word)).length;
  const described = new RegExp(
    String.raw`\b${escape(mention.before || '-')}\s+N\s+${escape(mention.after || '-')}`,
    'i',
  ).test(field.description);
  const isLimit =
    field.words.some((word) => /^(?:count|limit|max|num|number|top|size|amount|n)$/.test(word)) &&
    /^(?:first|last|top|latest|next|recent|only|max|limit|.*(?:前|最近))$/.test(mention.before)
      ? 1
      : 0;
  const side = /^(?:first|top|head|.*前)$/.test(mention.before)
    ? 'head'
    : /^(?:last|tail|bottom|.*最后)$/.test(mention.before)
      ? 'tail'
      : '';
  const isSide = side !== '' && names.includes(side) ? 1 : 0;
  const unit = wordsOf(field.description).map(stem);
  const inUnit =
    mention.after !== '' && !mention.before.startsWith('first') && unit.includes(stem(wordsOf(mention.after)[0] ?? ''))
      ? 0.5
      : 0;
  return (
    isSide +
    isLimit +
    inName * 2 +
    (described ? 2 : 0) +
    (described || inName > 0 ? 0 : /\bN\b/.test(field.description) ? 0 : inUnit)
  );
}
