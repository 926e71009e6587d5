import { isRecord, type JsonObject } from '../../../base/json.ts';
import { completeSchema, listOf, typesOf } from './completeSchema.ts';

/** The schema that nothing satisfies. */
export const never: JsonObject = Object.freeze({ not: Object.freeze({}) });

/** Keywords that describe and do not restrict: the later one wins. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

/** Keywords of which the larger, or the smaller, value is the stricter. */
const lowerBounds: ReadonlySet<string> = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
]);
const upperBounds: ReadonlySet<string> = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
]);

/** A schema that holds where both hold. What cannot be put into one keyword goes into `allOf`. */
export function intersect(one: JsonObject, other: JsonObject): JsonObject {
  if (one === never || other === never || areDisjoint(one['type'], other['type'])) return never;
  const both: JsonObject = { ...one };
  const rest: JsonObject[] = [];
  for (const [keyword, value] of Object.entries(other)) {
    if (!(keyword in both) || annotations.has(keyword) || isEqual(both[keyword], value)) both[keyword] = value;
    else if (!mergeKeyword(both, keyword, value)) rest.push({ [keyword]: value });
  }
  if (rest.length > 0) both['allOf'] = [...listOf(both['allOf']), ...rest];
  return completeSchema(both);
}

function areDisjoint(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && commonTypes(one, other) === undefined;
}

/** Puts both values of a keyword into one, if that can be done. */
function mergeKeyword(both: JsonObject, keyword: string, value: unknown): boolean {
  const merged = mergedValue(keyword, both[keyword], value);
  if (merged === undefined) return false;
  both[keyword] = merged;
  return true;
}

function mergedValue(keyword: string, one: unknown, other: unknown): unknown {
  if (keyword === 'required') return [...new Set([...listOf(one), ...listOf(other)])];
  if (keyword === 'allOf') return [...listOf(one), ...listOf(other)];
  if (keyword === 'properties' && isRecord(one) && isRecord(other)) return mergeProperties(one, other);
  if (keyword === 'items' && isRecord(one) && isRecord(other)) return intersect(one, other);
  if (keyword === 'additionalProperties' && (one === false || other === false)) return false;
  if (keyword === 'type') return commonTypes(one, other);
  if (keyword === 'enum') return commonValues(one, other);
  if (typeof one === 'number' && typeof other === 'number') {
    if (lowerBounds.has(keyword)) return Math.max(one, other);
    if (upperBounds.has(keyword)) return Math.min(one, other);
  }
  return undefined;
}

function mergeProperties(one: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...one };
  for (const [name, schema] of Object.entries(other)) {
    const present = Object.hasOwn(merged, name) ? merged[name] : undefined;
    merged[name] = isRecord(present) && isRecord(schema) ? intersect(present, schema) : schema;
  }
  return merged;
}

function commonTypes(one: unknown, other: unknown): unknown {
  const types = typesOf(one).flatMap((type) => {
    if (typesOf(other).includes(type)) return [type];
    if (type === 'number' && typesOf(other).includes('integer')) return ['integer'];
    return type === 'integer' && typesOf(other).includes('number') ? ['integer'] : [];
  });
  if (types.length === 0) return undefined;
  return types.length === 1 ? types[0] : types;
}

function commonValues(one: unknown, other: unknown): unknown {
  const wanted = new Set(listOf(other).map((value) => JSON.stringify(value)));
  const common = listOf(one).filter((value) => wanted.has(JSON.stringify(value)));
  return common.length === 0 ? undefined : common;
}

/**
 * One object schema that accepts whatever `base` together with any of `branches` accepts. It accepts more: which arguments belong
 * together is said in its description.
 */
export function unite(base: JsonObject, branches: readonly JsonObject[]): JsonObject {
  const united: JsonObject = { ...base, properties: uniteProperties(base, branches) };
  const always = listOf(branches[0]?.['required']).filter((name) =>
    branches.every((branch) => listOf(branch['required']).includes(name)),
  );
  const required = [...new Set([...listOf(base['required']), ...always])];
  if (required.length > 0) united['required'] = required;
  if (!('additionalProperties' in base) && branches.every((branch) => branch['additionalProperties'] === false))
    united['additionalProperties'] = false;
  const hint = describeBranches(branches);
  if (hint !== '')
    united['description'] = [base['description'], hint]
      .filter((text) => typeof text === 'string' && text !== '')
      .join(' ');
  return united;
}

function uniteProperties(base: JsonObject, branches: readonly JsonObject[]): JsonObject {
  const fixed = isRecord(base['properties']) ? base['properties'] : {};
  const variants = new Map<string, JsonObject[]>();
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(isRecord(branch['properties']) ? branch['properties'] : {})) {
      if (isRecord(schema)) variants.set(name, [...(variants.get(name) ?? []), schema]);
    }
  }
  const united = Object.fromEntries([...variants].map(([name, schemas]) => [name, uniteVariants(schemas)]));
  return mergeProperties(fixed, united);
}

/** Different schemas of one argument. Fixed values, by which such branches are mostly told apart, become one list. */
function uniteVariants(schemas: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first] = distinct;
  if (first !== undefined && distinct.length === 1) return first;
  const values = distinct.map(fixedValues);
  if (values.every((list) => list !== undefined)) {
    const types = new Set(distinct.map((schema) => JSON.stringify(schema['type'])));
    const type = types.size === 1 ? first?.['type'] : undefined;
    return { ...(type !== undefined && { type }), enum: [...new Set(values.flat())] };
  }
  return { anyOf: distinct };
}

function fixedValues(schema: JsonObject): readonly unknown[] | undefined {
  const known = new Set(['type', 'const', 'enum', 'description', 'title', 'default']);
  if (!Object.keys(schema).every((keyword) => known.has(keyword))) return undefined;
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

function describeBranches(branches: readonly JsonObject[]): string {
  const groups = branches.map((branch) => listOf(branch['required']).join(', '));
  const distinct = [...new Set(groups)].filter((group) => group !== '');
  if (distinct.length < 2) return '';
  return `Give one of these groups of arguments: ${distinct.map((group) => `(${group})`).join(' or ')}.`;
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
