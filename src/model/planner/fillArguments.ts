/** The arguments of a call from its schema and the words of a step. Nothing is invented: what is not found is missing. */
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Evidence } from './evidence.ts';
import { unspent } from './evidence.ts';
import { kindOf } from './fieldKind.ts';
import type { Mention } from './findMentions.ts';
import { guessNames } from './guessItems.ts';
import { remainingWords, typedValue } from './guessedValue.ts';
import { referredValue } from './referredValue.ts';
import { ownerAndRepository } from './ownerAndRepository.ts';
import type { Field } from './schemaFields.ts';
import { stem } from './vocabulary.ts';
import { booleanIn, numberIn, optionIn, statedValue } from './statedValue.ts';

/** What became of the fields of a tool. */
export interface Filled {
  readonly arguments: JsonObject;
  /** Required fields without a value. */
  readonly missing: readonly Field[];
  /** Values of the text that found no field. */
  readonly unused: readonly Mention[];
  /** How many values are merely the words that were left over. */
  readonly weak: number;
}

/** Fills what the text gives. Optional fields only where it gives them evidently. */
export function fillArguments(fields: readonly Field[], evidence: Evidence): Filled {
  const values = fillFields(fields, evidence);
  const missing = fields.filter((field) => mustBeGiven(field) && !values.has(field));
  const args: JsonObject = {};
  for (const field of fields) if (values.has(field)) place(args, field.path, values.get(field));
  const kinds: readonly Mention['kind'][] = ['quoted', 'url', 'email', 'path', 'number', 'time', 'sql'];
  return { arguments: args, missing, unused: unspent(evidence, ...kinds), weak: evidence.weak.size };
}

/** The strongest evidence for every field first, so that a weak one takes no other's value. */
function fillFields(
  fields: readonly Field[],
  material: Evidence,
  given: ReadonlyMap<Field, unknown> = new Map(),
): Map<Field, unknown> {
  const values = new Map(given);
  const evidence = {
    ...material,
    shared: sharedWords(fields),
    fieldStems: new Set(fields.flatMap(({ words }) => words.map(stem))),
  };
  const ordered = [...fields.filter((field) => field.isRequired), ...fields.filter((field) => !field.isRequired)];
  for (const [field, value] of ownerAndRepository(fields, evidence)) values.set(field, value);
  for (const { find, isWanted } of passes(fields, evidence)) {
    for (const field of ordered) {
      const value = values.has(field) || isWanted?.(field) === false ? undefined : find(field);
      if (value !== undefined && !(Array.isArray(value) && value.length < field.minItems)) values.set(field, value);
    }
  }
  return values;
}

/** One kind of evidence, and the fields that it is looked for; all where nothing is said. */
interface Pass {
  readonly find: (field: Field) => unknown;
  readonly isWanted?: (field: Field) => boolean;
}

/** The kinds of evidence, the strongest first. */
function passes(fields: readonly Field[], evidence: Evidence): readonly Pass[] {
  const others = fields.filter((field) => !field.isList && mustBeGiven(field)).length;
  return [
    {
      find: (field) => statedValue(field, evidence),
      isWanted: (field) => field.itemFields === undefined || hasJson(evidence),
    },
    { find: (field) => chosenValue(field, evidence) },
    {
      find: (field) => (field.itemFields === undefined ? undefined : guessItems(field.itemFields, evidence)),
      isWanted: mustBeGiven,
    },
    { find: (field) => typedValue(field, evidence), isWanted: (field) => isPlain(field) && kindOf(field) !== 'name' },
    { find: (field) => typedValue(field, evidence), isWanted: isPlain },
    { find: (field) => referredValue(field, evidence), isWanted: mustBeGiven },
    {
      find: (field) => remainingWords(field, evidence),
      isWanted: (field) => mustBeGiven(field) && field.options.length === 0 && !(field.inItem && field.isList),
    },
    { find: (field) => (field.options.length === 1 && mustBeGiven(field) ? field.options[0] : undefined) },
    { find: (field) => (field.inItem && field.isList && mustBeGiven(field) && others > 1 ? [] : undefined) },
  ];
}

function mustBeGiven(field: Field): boolean {
  return field.isRequired && !field.hasDefault;
}

function isPlain(field: Field): boolean {
  return field.itemFields === undefined && field.options.length === 0;
}

function sharedWords(fields: readonly Field[]): ReadonlySet<string> {
  const all = fields.flatMap(({ words }) => [...new Set(words)]);
  return new Set(all.filter((word, index) => all.indexOf(word) !== index));
}

function hasJson(evidence: Evidence): boolean {
  return evidence.mentions.some((mention) => mention.kind === 'json');
}

/** Options, booleans and numbers. */
function chosenValue(field: Field, evidence: Evidence): unknown {
  if (field.options.length > 0) return optionIn(field, evidence);
  const kind = kindOf(field);
  if (kind === 'boolean') return booleanIn(field, evidence);
  if (kind !== 'number') return undefined;
  if (!field.isList) return numberIn(field, evidence);
  const numbers = unspent(evidence, 'number');
  for (const mention of numbers) evidence.spent.add(mention);
  return numbers.length === 0 ? undefined : numbers.map((mention) => Number(mention.value));
}

/** A list of objects: one item, or one a name where the text lists several. */
function guessItems(itemFields: readonly Field[], evidence: Evidence): unknown {
  const names = guessNames(itemFields, evidence);
  const nameField = names.length > 1 ? itemFields[0] : undefined;
  const given = new Map<Field, unknown>();
  if (nameField !== undefined) {
    for (const mention of names) evidence.spent.add(mention);
    given.set(nameField, '');
  }
  const values = fillFields(itemFields, evidence, given);
  if (itemFields.some((each) => mustBeGiven(each) && !values.has(each))) return undefined;
  const itemOf = (name?: string): JsonObject => {
    const item: JsonObject = {};
    for (const each of itemFields)
      if (values.has(each)) place(item, each.path, each === nameField ? name : structuredClone(values.get(each)));
    return item;
  };
  return nameField === undefined ? [itemOf()] : names.map(({ value }) => itemOf(value));
}

function place(target: JsonObject, path: readonly string[], value: unknown): void {
  let at = target;
  for (const key of path.slice(0, -1)) {
    const present = at[key];
    const next = isRecord(present) ? present : {};
    at[key] = next;
    at = next;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}
