/** What kind of value a field wants, by its name, its type and its format. */
import type { Field } from './schemaFields.ts';

/** What kind of value a field takes. */
export type FieldKind =
  | 'number'
  | 'boolean'
  | 'object'
  | 'email'
  | 'url'
  | 'path'
  | 'time'
  | 'sql'
  | 'pattern'
  | 'id'
  | 'text'
  | 'name';

const byWord: readonly (readonly [FieldKind, RegExp])[] = [
  ['email', /^(?:e?mails?|emailaddress(?:es)?)$/],
  ['url', /^(?:urls?|uris?|href|links?|website)$/],
  ['sql', /^(?:sql|statement)$/],
  ['pattern', /^(?:patterns?|glob|globs|regex|regexp)$/],
  ['path', /^(?:paths?|files?|filename|filepath|dir|directory|folder|source|destination|src|dest|cwd)$/],
  ['time', /^(?:date|time|datetime|day|when|start|end|due|deadline|from|until|since|timestamp)$/],
  ['id', /^(?:ids?|uuid|key|identifier)$/],
  [
    'text',
    /^(?:messages?|contents?|text|texts|body|query|q|search|prompt|question|description|notes?|comments?|input|data|command|code|expression|observations?|summary|subject|topic|keywords?|term|content|reason|args|value)$/,
  ],
];

/** The kind of a field's value (of one entry, for a list). */
export function kindOf(field: Field): FieldKind {
  const { types, format } = field;
  if (types.includes('number') || types.includes('integer'))
    return types.includes('string') && format === '' ? named(field) : 'number';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('object')) return 'object';
  if (format === 'email') return 'email';
  if (format === 'uri' || format === 'url') return 'url';
  if (format.startsWith('date') || format === 'time') return 'time';
  return named(field);
}

function named(field: Field): FieldKind {
  const last = field.words.at(-1) ?? '';
  const found = byWord.find(([, pattern]) => pattern.test(last) || pattern.test(field.key.toLowerCase()));
  if (found !== undefined) return timeOrName(found[0], field, last);
  if (/\be-?mail\b/i.test(field.description)) return 'email';
  return /^(?:arg|param|p|value|input|str|s)\d*$/.test(field.words.join('')) && field.description !== ''
    ? byDescription(field.description)
    : 'name';
}

/** "from" and "start" may be names as well as dates: the description tells. */
function timeOrName(kind: FieldKind, field: Field, last: string): FieldKind {
  if (kind !== 'time' || !/^(?:from|start|end|until|since|when|due)$/.test(last)) return kind;
  return /\b(?:date|time|day|iso)/i.test(field.description) || last !== 'from' ? 'time' : 'name';
}

/** Java servers call parameters arg0, arg1 …; then the description speaks. */
function byDescription(description: string): FieldKind {
  const words = description.toLowerCase().match(/[a-z]+/g) ?? [];
  return byWord.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? 'name';
}
