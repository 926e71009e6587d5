import { isRecord, type JsonObject } from '../../../base/json.ts';

/** Keywords that name a schema or say which dialect it is written in: of no use once references are resolved. */
export const namingKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  '$defs',
  'definitions',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  text: 'string',
  number: 'number',
  float: 'number',
  double: 'number',
  decimal: 'number',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  object: 'object',
  dict: 'object',
  map: 'object',
  array: 'array',
  list: 'array',
  null: 'null',
  none: 'null',
};

/** The `type` keyword with the names that JSON Schema knows; undefined where nothing is left, which means any type. */
export function readType(type: unknown): string | string[] | undefined {
  if (typeof type === 'string') return typeNames[type.toLowerCase()];
  if (!Array.isArray(type)) return undefined;
  const names = type.map((each) => (typeof each === 'string' ? typeNames[each.toLowerCase()] : undefined));
  const known = names.filter((name) => name !== undefined);
  return known.length === 0 || known.length < names.length ? undefined : [...new Set(known)];
}

/** The names in `required`. Draft 3 marked the property itself instead, which `requiredInside` finds. */
export function readRequired(required: unknown): string[] {
  return Array.isArray(required) ? [...new Set(required.filter((name) => typeof name === 'string'))] : [];
}

/** Properties that say of themselves that they are required, as draft 3 had it. */
export function requiredInside(properties: unknown): string[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties)
    .filter(([, schema]) => isRecord(schema) && schema['required'] === true)
    .map(([name]) => name);
}

/** Bounds as the newer drafts write them: `exclusiveMinimum` was a switch beside `minimum` in draft 4. */
export function readBounds(schema: JsonObject): JsonObject {
  const bounds: JsonObject = {};
  for (const [inclusive, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = schema[inclusive];
    const limit = schema[exclusive];
    if (limit === true && typeof value === 'number') bounds[exclusive] = value;
    else if (typeof value === 'number') bounds[inclusive] = value;
    if (typeof limit === 'number') bounds[exclusive] = limit;
  }
  return bounds;
}

/** The values of `enum` without repetitions, or undefined where it lists none. */
export function readEnum(values: unknown): unknown[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return [...new Map(values.map((value: unknown) => [JSON.stringify(value), value])).values()];
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';

/** What the value of a keyword must be. A keyword with another value is no JSON Schema, and endpoints that check refuse the whole. */
const fitting: Readonly<Record<string, (value: unknown) => boolean>> = {
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  minContains: isCount,
  maxContains: isCount,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  uniqueItems: isSwitch,
  nullable: isSwitch,
  deprecated: isSwitch,
  readOnly: isSwitch,
  writeOnly: isSwitch,
  title: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  pattern: (value) => typeof value === 'string' && isPattern(value),
  examples: Array.isArray,
  dependentRequired: (value) =>
    isRecord(value) && Object.values(value).every((names) => Array.isArray(names) && names.every(isText)),
};

/** False where a keyword that JSON Schema knows has a value that it does not allow. */
export function isFitting(keyword: string, value: unknown): boolean {
  return !Object.hasOwn(fitting, keyword) || fitting[keyword]?.(value) === true;
}

/** JSON Schema's patterns are those of ECMA-262, with the flag `u`. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    // A pattern of another dialect, or none at all.
    return false;
  }
}

/** False for values nested so deep, or so much in themselves, that they are better left out. */
export function isShallow(value: unknown, depth = 24): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.values(value).every((each) => isShallow(each, depth - 1));
}
