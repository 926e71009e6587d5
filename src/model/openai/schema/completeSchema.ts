import { isRecord, type JsonObject } from '../../../base/json.ts';

/** Adds what strict endpoints miss: `items` of an array, `properties` of an object and those that it requires. */
export function completeSchema(schema: JsonObject): JsonObject {
  const types = typesOf(schema['type']);
  const completed = { ...schema };
  if ((types.includes('array') || 'prefixItems' in schema) && !('items' in schema)) completed['items'] = {};
  const required = listOf(schema['required']).filter((name) => typeof name === 'string');
  if (!types.includes('object') && !isRecord(schema['properties'])) return completed;
  const properties: JsonObject = { ...(isRecord(schema['properties']) ? schema['properties'] : {}) };
  for (const name of required) if (!Object.hasOwn(properties, name)) properties[name] = {};
  return { ...completed, properties };
}

/** The type names of a `type` keyword. */
export function typesOf(type: unknown): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === 'string') : [];
}

/** `value` where it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
