/** Values that fit a field by their kind: the one e-mail address, the path after "to", the name, the rest of the words. */
import { coerce, spend, spendRange, unspent, type Evidence } from './evidence.ts';
import { kindOf, type FieldKind } from './fieldKind.ts';
import { blank, type Mention } from './findMentions.ts';
import type { Field } from './schemaFields.ts';
import { splitList } from './statedValue.ts';
import { knownAt, wordsOf } from './words.ts';
import { chineseEdges, stem, stopWords, verbs } from './vocabulary.ts';

const roles: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:destination|dest|target|to|new|output|replacement|after)$/, /^(?:to|into|with|by|as|onto|for|.*[到为成给])$/],
  [/^(?:source|src|from|old|origin|original|before)$/, /^(?:from|replace|change|rename|move|copy|.*[从把将])$/],
];

const kindsFor: Readonly<Record<FieldKind, readonly Mention['kind'][]>> = {
  email: ['email'],
  url: ['url'],
  path: ['path'],
  time: ['time'],
  sql: ['sql', 'quoted'],
  pattern: ['quoted', 'path'],
  id: ['token', 'quoted', 'number'],
  text: ['quoted', 'sql'],
  name: ['quoted', 'name', 'token', 'path'],
  number: [],
  boolean: [],
  object: [],
};

/** A value of the field's own kind that nothing else has taken. */
export function typedValue(field: Field, evidence: Evidence): unknown {
  const kind = kindOf(field);
  let found = unspent(evidence, ...kindsFor[kind]);
  if (kind === 'pattern' && found.some(isGlob)) found = found.filter(isGlob);
  if (kind === 'path') found = found.some((each) => !isGlob(each)) ? found.filter((each) => !isGlob(each)) : found;
  if (kind === 'name') found = byPreference(found, kindsFor.name);
  if (!field.isRequired && !isOwnKind(kind))
    found = found.filter(
      (each) => isNamed(each, evidence.action) && /^(?:name|title|username)$/.test(field.words.at(-1) ?? ''),
    );
  if (field.isList) return listOf(field, evidence, found);
  const chosen = byRole(field, found);
  return chosen === undefined ? undefined : coerce(field, spend(evidence, [chosen])[0] ?? '');
}

function isNamed(mention: Mention, action: string): boolean {
  return /(?:\b(?:[Nn]amed|called|titled|name it|call it|save it as|as)\b|叫|名为|命名为)\s*["'`“]?$/i.test(
    action.slice(0, mention.start),
  );
}

function isGlob(mention: Mention): boolean {
  return mention.value.includes('*');
}

function isOwnKind(kind: FieldKind): boolean {
  return kind === 'email' || kind === 'url' || kind === 'path' || kind === 'time' || kind === 'sql';
}

function byPreference(found: readonly Mention[], kinds: readonly Mention['kind'][]): Mention[] {
  return kinds.flatMap((kind) => found.filter((each) => each.kind === kind));
}

/** Where several fit, the small word in front of each decides; else the first. */
function byRole(field: Field, found: readonly Mention[]): Mention | undefined {
  const own = roles.findIndex(([key]) => field.words.some((word) => key.test(word)));
  if (own < 0) return found[0];
  const mine = found.find((each) => roles[own]?.[1].test(each.before));
  return (
    mine ?? found.find((each) => !roles[1 - own]?.[1].test(each.before)) ?? found[own === 0 ? found.length - 1 : 0]
  );
}

function listOf(field: Field, evidence: Evidence, found: readonly Mention[]): unknown {
  const first = found[0];
  if (first === undefined) return undefined;
  const same = found.filter((each) => each.kind === first.kind);
  return spend(evidence, same).flatMap((each) => coerce(field, each) ?? []);
}

/** For a required text or name: the words that are left when the instruction itself is taken away. */
export function remainingWords(field: Field, evidence: Evidence): unknown {
  const kind = kindOf(field);
  if (!['name', 'text', 'id', 'pattern'].includes(kind)) return undefined;
  const name = askedName(field, evidence, kind);
  if (name !== undefined) return name;
  const led = placeOf(field, evidence, kind);
  const places = led ?? edges(evidence, field);
  if (places === undefined) return undefined;
  const words = withoutLead(evidence.action.slice(places.start, places.end).trim(), evidence, field);
  if (kind !== 'text' && (words.split(/\s+/).length > 4 || /^\d+ /.test(words))) return undefined;
  spendRange(evidence, places.start, places.end);
  if (kind !== 'name') evidence.weak.add(field);
  const values = field.isList ? splitList(words).flatMap((each) => coerce(field, each) ?? []) : coerce(field, words);
  return values;
}

/** "emails about the budget" → "budget" for a tool that searches e-mails. */
function withoutLead(words: string, evidence: Evidence, field: Field): string {
  const parts = words.split(/\s+/);
  const about = parts.findIndex((part) => /^(?:about|containing|matching|regarding)$/i.test(part));
  const isLead = about >= 0 && parts.slice(0, about).every((part) => isInstruction(part, evidence, field));
  return isLead
    ? parts
        .slice(about + 1)
        .join(' ')
        .replace(/^the\s+/i, '') || words
    : words;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** "weather in Paris", "search for cats", "about tea": a small word leads to the value. */
function placeOf(field: Field, evidence: Evidence, kind: FieldKind): Place | undefined {
  const lead =
    kind === 'text'
      ? /\b(?:for|about|saying|that says|matching|containing|contains|on)\s+(?:the (?:word|term|text|phrase)s?\s+)?|[:：]\s*|关于/giu
      : /\b(?:in|at|for|of|on|to|from|about)\s+(?:the\s+)?/giu;
  const free = blank(evidence.action, evidence.used);
  for (const match of free.matchAll(lead)) {
    const start = match.index + match[0].length;
    const rest = free.slice(start);
    const length =
      kind === 'text'
        ? rest.length
        : rest.search(/[,，;；。?:：]|\s(?:in|at|for|of|on|to|from|with|and|by)\b|\s{2}|$/i);
    const words = rest
      .slice(0, length)
      .trim()
      .replace(/[.。?？!！]$/, '');
    if (words !== '' && !words.split(/\s+/).every((word) => isInstruction(word, evidence, field)))
      return { start, end: start + rest.indexOf(words) + words.length };
  }
  return undefined;
}

/** Cuts verbs, small words and the tool's own words from both ends; a Chinese name is the first run between such words. */
function edges(evidence: Evidence, field: Field): Place | undefined {
  const free = blank(evidence.action, evidence.used);
  const tokens = [...free.matchAll(/\p{Script=Han}+|[^\s\p{Script=Han}]+/gu)].flatMap((match) =>
    pieces(match[0], match.index),
  );
  while (tokens.length > 0 && isInstruction(tokens[0]?.text ?? '', evidence, field)) tokens.shift();
  const isName = kindOf(field) !== 'text' && /\p{Script=Han}/u.test(free);
  const stop = isName ? tokens.findIndex(({ text }) => isInstruction(text, evidence, field)) : -1;
  if (stop > 0) tokens.length = stop;
  while (
    tokens.length > 0 &&
    (/^[里中上下内的]$/.test(tokens.at(-1)?.text ?? '') || isInstruction(tokens.at(-1)?.text ?? '', evidence, field))
  )
    tokens.pop();
  const first = tokens[0];
  const last = tokens.at(-1);
  return first === undefined || last === undefined
    ? undefined
    : { start: first.start, end: last.start + last.text.length };
}

/** A Chinese run as known words and what lies between them. */
function pieces(text: string, start: number): { text: string; start: number }[] {
  if (!/^\p{Script=Han}/u.test(text)) return [{ text, start }];
  const found: { text: string; start: number }[] = [];
  for (let at = 0; at < text.length;) {
    const piece = knownAt(text, at) ?? text.charAt(at);
    found.push({ text: piece, start: start + at });
    at += piece.length;
  }
  return found;
}

function isInstruction(token: string, evidence: Evidence, field: Field): boolean {
  const bare = token.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '');
  if (bare === '') return true;
  if (/^\p{Script=Han}/u.test(bare) && knownAt(bare, 0) !== bare) return chineseEdges.test(bare);
  return wordsOf(bare).every((word) => {
    if (
      stopWords.has(word) ||
      verbs.has(word) ||
      /^(?:back|thing|something|out|list|data|status|how|future|today|now|current|recent|day)$/.test(word)
    )
      return true;
    return (
      evidence.toolStems.has(stem(word)) ||
      evidence.fieldStems.has(stem(word)) ||
      field.words.map(stem).includes(stem(word))
    );
  });
}

/** A search looks for the name that the step calls by "named", or else that its question asks about. */
function askedName(field: Field, evidence: Evidence, kind: FieldKind): unknown {
  const isSearch = field.words.some((word) => /^(?:query|q|search|keywords?|term|filter|text)$/.test(word));
  const named = isSearch
    ? unspent(evidence, 'name', 'quoted').find((each) => isNamed(each, evidence.action))
    : undefined;
  const asked = evidence.asked.find((each) => each.kind === 'name' || each.kind === 'quoted' || each.kind === 'email');
  const name = named ?? (isSearch || kind === 'name' ? asked : undefined);
  if (name === undefined) return undefined;
  const value = coerce(field, name.value);
  return field.isList && value !== undefined ? [value] : value;
}
