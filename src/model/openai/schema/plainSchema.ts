import { isRecord, type JsonObject } from '../../../base/json.ts';
import { intersect } from './combine.ts';
import { listOf, typesOf } from './completeSchema.ts';

/** What even the strictest endpoints know. */
const knownKeywords: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'description',
  'anyOf',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
]);

/** Keywords that belong to one type. */
const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'enum'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
};

/**
 * Reduces a converted schema to the few keywords that every endpoint knows. What was valid stays valid, more becomes valid;
 * values that can no longer be listed are named in the description. For endpoints that refused the schema itself.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  const whole = listOf(schema['allOf']).filter(isRecord).reduce(intersect, withoutKeyword(schema, 'allOf'));
  const choices = [...listOf(whole['anyOf']), ...listOf(whole['oneOf'])].filter(isRecord).map(plainSchema);
  const plain: JsonObject = {};
  for (const [keyword, value] of Object.entries(withValues(whole))) {
    if (knownKeywords.has(keyword)) plain[keyword] = plainValue(keyword, value);
  }
  if (choices.length > 0) plain['anyOf'] = choices;
  const places = listOf(whole['prefixItems']).filter(isRecord).map(plainSchema);
  if (places.length > 0) plain['items'] = anyItem(places, plain);
  return splitTypes(plain);
}

/** What may stand at any place of a list whose places have schemas of their own. */
function anyItem(places: readonly JsonObject[], list: JsonObject): JsonObject {
  const isClosed = typeof list['maxItems'] === 'number' && list['maxItems'] <= places.length;
  const choices = isClosed || !isRecord(list['items']) ? places : [...places, list['items']];
  return choices.some((choice) => Object.keys(choice).length === 0) ? {} : { anyOf: choices };
}

function withoutKeyword(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([each]) => each !== keyword));
}

function plainValue(keyword: string, value: unknown): unknown {
  if (keyword === 'items' && isRecord(value)) return plainSchema(value);
  if (keyword !== 'properties' || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, isRecord(each) ? plainSchema(each) : {}]),
  );
}

/** `const` is a list of one; only texts may be listed, other values are named in the description. */
function withValues(schema: JsonObject): JsonObject {
  const values = 'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  if (values === undefined) return schema;
  const rest = withoutKeyword(schema, 'enum');
  const texts = values.filter((value) => value !== null);
  if (texts.length > 0 && texts.every((value) => typeof value === 'string')) {
    return { ...rest, type: rest['type'] ?? 'string', enum: texts };
  }
  const listed = `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
  const description = typeof rest['description'] === 'string' ? `${rest['description']} ${listed}` : listed;
  return { ...rest, description };
}

/** One type a schema: `null` is dropped, since leaving an argument out says the same; of several others each becomes a choice. */
function splitTypes(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['type'])) return schema;
  const types = typesOf(schema['type']).filter((type) => type !== 'null');
  const [only] = types;
  if (only === undefined) return withoutKeyword(schema, 'type');
  if (types.length === 1) return { ...schema, type: only };
  const ofOneType = new Set(['type', ...Object.values(keywordsOfType).flat()]);
  const shared = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofOneType.has(keyword)));
  const choices = types.map((type) => ({ type, ...pick(schema, keywordsOfType[type] ?? []) }));
  return 'anyOf' in shared ? shared : { ...shared, anyOf: choices };
}

function pick(schema: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]),
  );
}
