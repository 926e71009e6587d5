/** A tool's input schema as the flat list of values that have to be found. */
import { isRecord, type JsonObject } from '../../base/json.ts';
import { wordsOf } from './words.ts';

/** One value a tool takes. `path` leads to it through objects; `items` says that an array of such values is wanted. */
export interface Field {
  readonly path: readonly string[];
  readonly key: string;
  readonly words: readonly string[];
  readonly description: string;
  readonly types: readonly string[];
  readonly format: string;
  readonly options: readonly unknown[];
  readonly isRequired: boolean;
  /** A list of values of this kind. */
  readonly isList: boolean;
  /** Lists may stay empty only inside an item of another list. */
  readonly inItem: boolean;
  readonly hasDefault: boolean;
  readonly minItems: number;
  /** For a list of objects (and a map): the fields of one item. */
  readonly itemFields?: readonly Field[];
}

const maxDepth = 6;

/** The fields of an object schema, nested objects flattened. `$ref`, `allOf`, `anyOf`, `oneOf` and type lists are followed. */
export function fieldsOf(schema: JsonObject): Field[] {
  return objectFields(schema, { root: schema, path: [], isRequired: true, inItem: false });
}

interface Place {
  readonly root: JsonObject;
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly inItem: boolean;
}

function objectFields(schema: JsonObject, place: Place): Field[] {
  const { properties, required } = schema;
  if (!isRecord(properties) || place.path.length > maxDepth) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([key, value]) => {
    if (!isRecord(value)) return [];
    const inner = { ...place, path: [...place.path, key], isRequired: place.isRequired && needed.includes(key) };
    return propertyFields(key, resolve(value, place.root), inner);
  });
}

function propertyFields(key: string, schema: JsonObject, place: Place): Field[] {
  const types = typesOf(schema);
  if (types.includes('object') && isRecord(schema.properties)) return objectFields(schema, place);
  const items = types.includes('array') && isRecord(schema.items) ? resolve(schema.items, place.root) : undefined;
  const itemFields =
    items !== undefined && isRecord(items.properties)
      ? objectFields(items, { ...place, path: [], isRequired: true, inItem: true })
      : undefined;
  const value = items ?? schema;
  return [
    {
      path: place.path,
      key,
      words: wordsOf(key),
      description: typeof schema.description === 'string' ? schema.description : '',
      types: typesOf(value),
      format: typeof value.format === 'string' ? value.format : '',
      options: optionsOf(value),
      isRequired: place.isRequired,
      isList: types.includes('array'),
      inItem: place.inItem,
      hasDefault: 'default' in schema,
      minItems: typeof schema.minItems === 'number' ? schema.minItems : 0,
      ...(itemFields === undefined ? {} : { itemFields }),
    },
  ];
}

/** Follows references inside the document and joins alternatives: the first that is not null wins. */
function resolve(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  if (depth > maxDepth) return {};
  if (typeof schema.$ref === 'string') {
    const target = lookUp(root, schema.$ref);
    return target === undefined ? schema : resolve({ ...target, ...omitReference(schema) }, root, depth + 1);
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.filter(isRecord).map((part) => resolve(part, root, depth + 1));
    return mergeParts({ ...schema, allOf: undefined }, parts);
  }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)?.filter(isRecord) ?? [];
  if (choices.length === 0) return schema;
  const resolved = choices.map((choice) => resolve(choice, root, depth + 1)).filter((choice) => choice.type !== 'null');
  const constants = resolved.filter((choice) => 'const' in choice || Array.isArray(choice.enum)).flatMap(optionsOf);
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return { ...resolved[0], ...(constants.length > 0 ? { enum: constants, const: undefined } : {}), ...rest };
}

function mergeParts(base: JsonObject, parts: readonly JsonObject[]): JsonObject {
  return parts.reduce<JsonObject>(
    (merged, part) => ({
      ...part,
      ...merged,
      properties: {
        ...(isRecord(part.properties) ? part.properties : {}),
        ...(isRecord(merged.properties) ? merged.properties : {}),
      },
      required: [
        ...(Array.isArray(merged.required) ? merged.required : []),
        ...(Array.isArray(part.required) ? part.required : []),
      ],
    }),
    base,
  );
}

function omitReference(schema: JsonObject): JsonObject {
  const { $ref: _reference, ...rest } = schema;
  return rest;
}

function lookUp(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    at = isRecord(at) ? at[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  }
  return isRecord(at) ? at : undefined;
}

function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each): each is string => typeof each === 'string' && each !== 'null');
  if (isRecord(schema.properties)) return ['object'];
  if (schema.items !== undefined) return ['array'];
  return [];
}

function optionsOf(schema: JsonObject): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum.filter((each) => each !== null);
  return 'const' in schema && schema.const !== undefined ? [schema.const] : [];
}
