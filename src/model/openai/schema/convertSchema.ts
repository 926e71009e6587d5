import { isRecord, type JsonObject } from '../../../base/json.ts';
import { intersect, never } from './combine.ts';
import { completeSchema, listOf } from './completeSchema.ts';
import {
  isFitting,
  isShallow,
  namingKeywords,
  readBounds,
  readEnum,
  readRequired,
  readType,
  requiredInside,
} from './keywords.ts';
import { resolveReference } from './references.ts';

/** The bounds of a converted schema. */
export interface ConvertOptions {
  /** Schemas in schemas beyond this are reduced to their type. */
  readonly maxDepth: number;
  /** Characters that a description may have. */
  readonly maxDescription: number;
}

/** A schema holds more schemas than anyone should send. */
export class TooManySchemas extends Error {
  override readonly name = 'TooManySchemas';
}

const mostSchemas = 4000;

/**
 * Rewrites a JSON Schema of any draft as one of 2020-12 that the stricter endpoints take: references resolved, booleans as objects,
 * `items` for every array and `properties` for every object. What was valid stays valid; where a schema refers to itself or is too
 * deep, more becomes valid. The original is not touched. Throws `TooManySchemas`.
 */
export function convertSchema(root: JsonObject, options: ConvertOptions): JsonObject {
  return new Conversion(root, options).convert(root, 0, []);
}

/** Converts a schema within the one at hand. */
type Inner = (schema: unknown) => JsonObject;

/** Keywords by what they hold: named schemas, lists of schemas, one schema, a schema or a switch. */
const ofMaps: ReadonlySet<string> = new Set(['patternProperties', 'dependentSchemas']);
const ofLists: ReadonlySet<string> = new Set(['prefixItems', 'anyOf', 'oneOf', 'allOf']);
const ofSchemas: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'contentSchema',
]);
const ofSwitches: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems']);

/** Where we are: how deep, and in which referenced schemas. */
type Trail = readonly unknown[];

class Conversion {
  readonly #root: JsonObject;
  readonly #options: ConvertOptions;
  #count = 0;

  constructor(root: JsonObject, options: ConvertOptions) {
    this.#root = root;
    this.#options = options;
  }

  convert(schema: unknown, depth: number, trail: Trail): JsonObject {
    if (schema === false) return never;
    if (!isRecord(schema)) return {};
    if (++this.#count > mostSchemas) throw new TooManySchemas();
    if (depth > this.#options.maxDepth) return this.#outline(schema);
    const reference = schema['$ref'] ?? schema['$dynamicRef'] ?? schema['$recursiveRef'];
    const here = [...trail, schema];
    const own = this.#convertKeywords(schema, depth, here);
    return typeof reference === 'string' ? intersect(this.#convertTarget(reference, depth, here), own) : own;
  }

  #convertTarget(reference: string, depth: number, trail: Trail): JsonObject {
    const target = resolveReference(reference, this.#root);
    if (!isRecord(target) || !trail.includes(target)) return this.convert(target, depth, trail);
    const outline = this.#outline(target);
    return 'description' in outline
      ? outline
      : { ...outline, description: 'Has the same form as the object that holds it.' };
  }

  /** What is left of a schema where there is no room for the whole: its type and what it is for. */
  #outline(schema: JsonObject): JsonObject {
    const type = readType(schema['type']) ?? (isRecord(schema['properties']) ? 'object' : undefined);
    const outline = { ...(type !== undefined && { type }), ...this.#description(schema['description']) };
    return completeSchema(outline);
  }

  #convertKeywords(schema: JsonObject, depth: number, trail: Trail): JsonObject {
    const converted: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      Object.assign(
        converted,
        this.#convertKeyword(keyword, value, schema, (inner) => this.convert(inner, depth + 1, trail)),
      );
    }
    return withoutImpossible(completeSchema(converted));
  }

  /** What one keyword becomes; nothing where it is dropped or dealt with by another. */
  #convertKeyword(keyword: string, value: unknown, schema: JsonObject, inner: Inner): JsonObject {
    if (ofMaps.has(keyword)) return { [keyword]: mapSchemas(value, inner) };
    if (ofLists.has(keyword)) return Array.isArray(value) && value.length > 0 ? { [keyword]: value.map(inner) } : {};
    if (ofSchemas.has(keyword)) return { [keyword]: inner(value) };
    if (ofSwitches.has(keyword)) return { [keyword]: typeof value === 'boolean' ? value : inner(value) };
    switch (keyword) {
      case 'properties':
        return { properties: mapSchemas(value, inner), ...requiredOf(schema) };
      case 'items':
        return Array.isArray(value)
          ? tuple(value, schema['additionalItems'], inner)
          : itemsOf(inner(value), schema['prefixItems']);
      case 'extends':
        return { allOf: (Array.isArray(value) ? value : [value]).map(inner) };
      case 'dependencies':
        return dependencies(value, inner);
      default:
        return this.#convertPlainKeyword(keyword, value, schema);
    }
  }

  /** Keywords that hold no schema. */
  #convertPlainKeyword(keyword: string, value: unknown, schema: JsonObject): JsonObject {
    switch (keyword) {
      case 'type': {
        const type = readType(value);
        return type === undefined ? {} : { type };
      }
      case 'required':
        return requiredOf(schema);
      case 'enum': {
        const values = readEnum(value);
        return values === undefined ? {} : { enum: values };
      }
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return readBounds(schema);
      case 'description':
        return this.#description(value);
      case 'divisibleBy':
        return isFitting('multipleOf', value) ? { multipleOf: value } : {};
      case 'additionalItems':
      case 'disallow':
      case 'id':
        return {};
      default:
        return namingKeywords.has(keyword) || !isFitting(keyword, value) || !isShallow(value)
          ? {}
          : { [keyword]: value };
    }
  }

  #description(text: unknown): JsonObject {
    const { maxDescription } = this.#options;
    if (typeof text !== 'string' || maxDescription === 0) return {};
    return { description: text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text };
  }
}

function mapSchemas(value: unknown, inner: Inner): JsonObject {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]));
}

function requiredOf(schema: JsonObject): JsonObject {
  const names = [...new Set([...readRequired(schema['required']), ...requiredInside(schema['properties'])])];
  return names.length > 0 || Array.isArray(schema['required']) ? { required: names } : {};
}

function itemsOf(items: JsonObject, prefix: unknown): JsonObject {
  return items === never ? { items: {}, maxItems: listOf(prefix).length } : { items };
}

/** A list of schemas under `items`, as the drafts before 2020-12 had it. */
function tuple(schemas: readonly unknown[], additional: unknown, inner: Inner): JsonObject {
  if (schemas.length === 0) return itemsOf(inner(additional), []);
  const prefixItems = schemas.map(inner);
  return additional === false
    ? { prefixItems, items: {}, maxItems: prefixItems.length }
    : { prefixItems, items: inner(additional) };
}

/** `dependencies` held names or schemas; the newer drafts have a keyword for each. */
function dependencies(value: unknown, inner: Inner): JsonObject {
  const entries = Object.entries(isRecord(value) ? value : {});
  const names = entries.filter(([, each]) => Array.isArray(each));
  const schemas = entries.filter(([, each]) => !Array.isArray(each)).map(([name, each]) => [name, inner(each)]);
  return {
    ...(names.length > 0 && { dependentRequired: Object.fromEntries(names) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** Drops properties and branches that nothing satisfies, which strict endpoints have no word for. */
function withoutImpossible(schema: JsonObject): JsonObject {
  const left: JsonObject = { ...schema };
  if (isRecord(schema['properties'])) {
    const possible = Object.entries(schema['properties']).filter(([, each]) => each !== never);
    if (possible.length < Object.keys(schema['properties']).length) {
      left['properties'] = Object.fromEntries(possible);
      if ('required' in left)
        left['required'] = listOf(left['required']).filter((name) => possible.some(([each]) => each === name));
    }
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listOf(schema[keyword]).filter((branch) => branch !== never);
    if (keyword in schema && branches.length === 0) delete left[keyword];
    else if (keyword in schema) left[keyword] = branches;
  }
  return left;
}
