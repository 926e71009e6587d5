import { isRecord, type JsonObject } from '../../src/base/json.ts';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const forbidden = ['$ref', '$defs', 'definitions', '$schema', '$id', '$dynamicRef', 'dependencies', 'additionalItems'];
const forbiddenAtTop = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];

/** What an endpoint of the strict kind has against the schema of a tool; undefined where it takes it. */
export function strictFault(schema: unknown): string | undefined {
  if (!isRecord(schema)) return 'the top is no object';
  if (schema['type'] !== 'object') return 'the top is not of type object';
  const keyword = forbiddenAtTop.find((each) => each in schema);
  return keyword === undefined ? faultAt(schema, '#') : `${keyword} at the top`;
}

function faultAt(schema: unknown, path: string): string | undefined {
  if (!isRecord(schema)) return `${path} is no object`;
  const keyword = forbidden.find((each) => each in schema);
  if (keyword !== undefined) return `${path} has ${keyword}`;
  return typeFault(schema, path) ?? requiredFault(schema, path) ?? innerFault(schema, path);
}

function typeFault(schema: JsonObject, path: string): string | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const names: unknown[] = Array.isArray(type) ? type : [type];
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && types.has(name)))
    return `${path} has an unknown type`;
  if (names.includes('array') && !isRecord(schema['items'])) return `${path} is an array without items`;
  return names.includes('object') && !isRecord(schema['properties'])
    ? `${path} is an object without properties`
    : undefined;
}

function requiredFault(schema: JsonObject, path: string): string | undefined {
  const { required, properties, enum: values } = schema;
  if (values !== undefined && !(Array.isArray(values) && values.length > 0)) return `${path} has an empty enum`;
  if (required === undefined) return undefined;
  if (!Array.isArray(required)) return `${path} has a required that is no list`;
  const missing = isRecord(properties) ? required.find((name) => !Object.hasOwn(properties, String(name))) : undefined;
  return missing === undefined ? undefined : `${path} requires ${String(missing)}, which is no property`;
}

function innerFault(schema: JsonObject, path: string): string | undefined {
  for (const name of ['items', 'not', 'contains', 'propertyNames', 'if', 'then', 'else']) {
    const fault = name in schema ? faultAt(schema[name], `${path}/${name}`) : undefined;
    if (fault !== undefined) return fault;
  }
  for (const name of ['properties', 'patternProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const inner = schema[name];
    if (inner === undefined) continue;
    if (typeof inner !== 'object' || inner === null) return `${path}/${name} is no object`;
    for (const [key, each] of Object.entries(inner)) {
      const fault = faultAt(each, `${path}/${name}/${key}`);
      if (fault !== undefined) return fault;
    }
  }
  return isRecord(schema['additionalProperties'])
    ? faultAt(schema['additionalProperties'], `${path}/additionalProperties`)
    : undefined;
}
