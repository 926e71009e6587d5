/** A tool's result as something that can be judged: text, JSON where it is JSON, and its entries. */
import { isRecord, parseJson } from '../../base/json.ts';
import type { ModelPart, ModelToolCall } from '../chatModel.ts';

/** A call of the conversation with what came of it. */
export interface Result {
  readonly call: ModelToolCall;
  readonly text: string;
  readonly images: number;
  readonly isError: boolean;
  /** The JSON value of the text; undefined where it is none. */
  readonly value: unknown;
  /** The entries of a list: of an array, of an object's only array, or the lines of a text; undefined where it is no list. */
  readonly entries: readonly unknown[] | undefined;
}

/** Reads the parts of a tool message. */
export function readResult(call: ModelToolCall, content: readonly ModelPart[], isError: boolean): Result {
  const texts = content.flatMap((part) => (part.kind === 'text' && !isNote(part.text) ? [part.text] : []));
  const text = texts.join('\n').trim();
  const value = firstJson([text, ...texts]);
  const images = content.filter(({ kind }) => kind === 'image').length;
  return { call, text, images, isError, value, entries: entriesOf(value, text, texts) };
}

/** What this client adds to a result is for models that read. */
function isNote(text: string): boolean {
  return text.startsWith('[Note of the client: ') && text.endsWith(']');
}

function firstJson(texts: readonly string[]): unknown {
  for (const text of texts) {
    if (!/^\s*[[{"\d-]|^\s*(?:true|false|null)\s*$/.test(text)) continue;
    const parsed = parseJson(text);
    if (parsed.ok) return parsed.value;
  }
  return undefined;
}

function entriesOf(value: unknown, text: string, texts: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(value))
    return texts.length > 1 && !texts.every((each) => each === texts[0]) ? jsonEach(texts) : value;
  if (isRecord(value)) {
    const lists = Object.values(value).filter(Array.isArray);
    return lists.length === 1 || lists.some((list) => list.length > 0)
      ? (lists.find((list) => list.length > 0) ?? [])
      : undefined;
  }
  if (text === '') return [];
  if (value !== undefined) return undefined;
  const lines = text
    .split('\n')
    .map(bareLine)
    .filter((line) => line !== '');
  return lines.length > 1 || /^\s*(?:[-*•]|\d+[.)]|\[\w+\])\s/.test(text) ? lines : undefined;
}

/** Some servers send each entry as a text of its own. */
function jsonEach(texts: readonly string[]): unknown[] {
  return texts.flatMap((text) => {
    const parsed = parseJson(text);
    if (!parsed.ok) return [text];
    return Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  });
}

/** A line without its bullet, number or `[FILE]` mark. */
function bareLine(line: string): string {
  return line.replace(/^\s*(?:[-*•]\s+|\d+[.)]\s+|\[[A-Z]+\]\s+)?/, '').trim();
}

const emptyText =
  /^(?:\[\s*\]|\{\s*\}|null|none|\(?empty\)?\.?|no (?:results?|matches|entries|items|data|records|rows)\b.*|0 (?:results?|rows?|items?|matches).*|nothing (?:found|to)\b.*|.*\bworking tree clean\b.*|无|空|没有.{0,12}|暂无.*|未找到.*)$/i;

/** True for a result that holds nothing. */
export function isEmpty(result: Result): boolean {
  if (result.images > 0) return false;
  if (result.value === null || emptyText.test(result.text)) return true;
  return result.entries !== undefined && result.entries.length === 0;
}

const absence =
  /\b(?:no|not|none|without|cannot|could ?n[o']t|does ?n[o']t|did ?n[o']t|is ?n[o']t|unknown|missing|nonexistent|non-existent|unable|404|ENOENT)\b|没有|不存在|未找到|找不到|无此|并无|不在/i;

/** True where the words say that something is not there. */
export function saysAbsent(text: string): boolean {
  return absence.test(text);
}

/** True where the result speaks of `name`, as a word, and does not say that it is missing. */
export function mentions(result: Result, name: string): boolean {
  if (result.value !== undefined)
    return result.entries !== undefined && Array.isArray(result.value)
      ? result.entries.some((entry) => holds(entry, name))
      : holds(result.value, name);
  return result.text
    .split(/\n|(?<=[.;])\s+|(?<=[。；])/)
    .some((sentence) => hasWord(sentence, name) && !saysAbsent(sentence));
}

function holds(value: unknown, name: string): boolean {
  if (typeof value === 'string') return hasWord(value, name) && !(value.includes(' ') && saysAbsent(value));
  if (typeof value === 'number') return String(value) === name;
  if (Array.isArray(value)) return value.some((each) => holds(each, name));
  return (
    isRecord(value) &&
    Object.entries(value).some(([key, each]) => holds(each, name) || (key === name && each !== null && each !== false))
  );
}

function hasWord(text: string, name: string): boolean {
  const at = (from: number): number => text.toLowerCase().indexOf(name.toLowerCase(), from);
  const isLetter = (character: string): boolean => /[\p{L}\d_]/u.test(character) && !/\p{Script=Han}/u.test(character);
  for (let start = at(0); start >= 0; start = at(start + 1)) {
    const before = text.charAt(start - 1);
    const after = text.charAt(start + name.length);
    const cutsWord = (isLetter(before) && isLetter(name.charAt(0))) || (isLetter(after) && isLetter(name.slice(-1)));
    // In an address the name is the part of another word.
    if (!cutsWord && after !== '@' && before !== '@') return true;
  }
  return false;
}
