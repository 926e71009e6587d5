/** Values that a step only points at: "its id", "the first file", "write the result to …", "delete him". */
import { isRecord } from '../../base/json.ts';
import { coerce, type Evidence } from './evidence.ts';
import { kindOf } from './fieldKind.ts';
import type { Field } from './schemaFields.ts';
import { mentions, type Result } from './readResult.ts';
import { plainKey } from './words.ts';

const pointing =
  /\b(?:it|its|him|his|her|them|their|he|she|they|that|those|this|these|same|found|new|created|first|second|third|last|result|results|output|answer|contents?)\b|它|他|她|该|这|那|此|其|第[一二三四五\d]|最后一|刚才|结果|内容|上面|新/i;
const wholeResult = /\b(?:results?|output|answer|contents?|it|that|this|them)\b|结果|内容|输出|它/i;

/** The value of `field` in what was said, taken or given before; undefined where the step points at nothing that holds it. */
export function referredValue(field: Field, evidence: Evidence): unknown {
  const good = evidence.results.filter((result) => !result.isError).toReversed();
  const named = byMention(field, evidence, good);
  if (named !== undefined) return named;
  return pointedAt(field, evidence, good) ?? carriedOver(field, evidence, good);
}

function pointedAt(field: Field, evidence: Evidence, good: readonly Result[]): unknown {
  if (!pointing.test(evidence.action)) return undefined;
  const spoken = spokenValue(field, evidence);
  if (spoken !== undefined) return spoken;
  for (const result of good) {
    const value =
      fromEntry(field, evidence.action, result) ?? (kindOf(field) === 'text' ? undefined : fromCall(field, result));
    if (value !== undefined) return value;
  }
  const latest = good[0];
  if (kindOf(field) !== 'text' || latest === undefined || latest.text === '' || !wholeResult.test(evidence.action))
    return undefined;
  return field.isList ? undefined : coerce(field, latest.text);
}

/** "Add him": the name that was spoken of last. */
function spokenValue(field: Field, evidence: Evidence): unknown {
  const kind = kindOf(field);
  if (!personal.test(evidence.action) || (kind !== 'name' && kind !== 'email' && kind !== 'path' && kind !== 'url'))
    return undefined;
  const wanted = evidence.spoken.findLast((mention) => mention.kind === kind);
  const value = wanted === undefined ? undefined : coerce(field, wanted.value);
  return field.isList && value !== undefined ? [value] : value;
}

const personal = /\b(?:it|its|him|his|her|them|he|she|they|that|this|one|same)\b|它|他|她|该|这|那|此|其/i;

/** Where the work goes on: the same place or owner that an earlier call named, unless the step says another. */
function carriedOver(field: Field, evidence: Evidence, results: readonly Result[]): unknown {
  const kind = kindOf(field);
  const isPlace =
    kind === 'path' ||
    kind === 'url' ||
    field.words.some((word) => /^(?:owner|repo|repository|project|workspace|database|account|region)$/.test(word));
  if (!isPlace || field.isList) return undefined;
  for (const result of results) {
    const value = member(field, result.call.arguments, true);
    const isOther = isFileLike(field, evidence.action) && !/\.\w{1,8}$/.test(String(value));
    if (value !== undefined && !isOther) return value;
  }
  return undefined;
}

/** "Delete Carson" where deleting takes an id: the id of the entry that speaks of Carson. */
function byMention(field: Field, evidence: Evidence, results: readonly Result[]): unknown {
  if (kindOf(field) !== 'id' && kindOf(field) !== 'number' && kindOf(field) !== 'email') return undefined;
  for (const mention of evidence.mentions) {
    if (!['name', 'email', 'quoted', 'path'].includes(mention.kind)) continue;
    for (const result of results) {
      const entry = (result.entries ?? []).find(
        (each) => isRecord(each) && mentions({ ...result, value: each, entries: undefined }, mention.value),
      );
      const value = entry === undefined ? undefined : member(field, entry);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function fromEntry(field: Field, action: string, result: Result): unknown {
  const entries = result.entries ?? (isRecord(result.value) ? [result.value] : []);
  const candidates = isFileLike(field, action) ? filesFirst(entries, result) : entries;
  // Of several entries none is meant unless the step counts them off.
  if (candidates.length > 1 && !ordinalPattern.test(action)) return undefined;
  const entry = candidates.at(ordinal(action, candidates.length));
  if (entry === undefined) return undefined;
  if (typeof entry === 'string')
    return kindOf(field) === 'path' && ordinalPattern.test(action) ? join(entry, result) : undefined;
  const value = member(field, entry);
  if (value !== undefined) return value;
  return kindOf(field) === 'path' && isRecord(entry) && typeof entry.name === 'string'
    ? join(entry.name, result)
    : undefined;
}

const ordinalPattern = /\b(?:first|second|third|fourth|last|only)\b|第[一二三四五\d]|最后一|首个/i;

function ordinal(action: string, length: number): number {
  if (/\blast\b|最后一/i.test(action)) return length - 1;
  const found = [/\bsecond\b|第[二2]/i, /\bthird\b|第[三3]/i, /\bfourth\b|第[四4]/i].findIndex((pattern) =>
    pattern.test(action),
  );
  return found + 1;
}

function isFileLike(field: Field, action: string): boolean {
  return kindOf(field) === 'path' && /\bfiles?\b|文件(?!夹)/i.test(action);
}

/** Lines marked as files before others: `[FILE] a.txt`. */
function filesFirst(entries: readonly unknown[], result: Result): unknown[] {
  const marked = [...result.text.matchAll(/^\s*\[FILE\]\s+(.+?)\s*$/gim)].map((match) => match[1]);
  if (marked.length > 0) return marked;
  const files = entries.filter((entry) => isRecord(entry) && entry.type === 'file');
  return files.length > 0 ? files : [...entries];
}

/** A name in a listing lies in the directory that was listed. */
function join(name: string, result: Result): string {
  const directory = Object.entries(result.call.arguments).find(
    ([key, value]) => /path|dir|folder/i.test(key) && typeof value === 'string',
  )?.[1];
  if (typeof directory !== 'string' || /^(?:[/~]|[A-Za-z]:)/.test(name)) return name;
  return `${directory.replace(/[/\\]$/, '')}/${name}`;
}

function fromCall(field: Field, result: Result): unknown {
  return member(field, result.call.arguments, true);
}

/** The member of the same name; `userId` and `user_id` are also the `id` of an entry. */
function member(field: Field, entry: unknown, deep = false): unknown {
  if (!isRecord(entry)) return undefined;
  const wanted = plainKey(field.key);
  for (const [key, value] of Object.entries(entry)) {
    const same = plainKey(key) === wanted || (kindOf(field) === 'id' && /^_?id$/.test(key) && wanted.endsWith('id'));
    if (same && (typeof value === 'string' || typeof value === 'number')) return coerce(field, String(value));
    const inner = deep && isRecord(value) ? member(field, value, true) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
