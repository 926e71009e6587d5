import { isRecord, type JsonObject } from '../../../base/json.ts';

/** How many objects a search for an anchor looks at. */
const searchLimit = 10_000;

/**
 * Finds what a `$ref` of a schema points to, within the schema alone: by JSON pointer, by anchor, or by the `$id` of an embedded
 * schema. Undefined where it points elsewhere; nothing is ever fetched.
 */
export function resolveReference(reference: string, root: JsonObject): unknown {
  const hash = reference.indexOf('#');
  const base = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : decodeFragment(reference.slice(hash + 1));
  const start = base === '' || isIdOf(root, base) ? root : findSchema(root, (schema) => isIdOf(schema, base));
  if (start === undefined || fragment === '') return start;
  if (fragment.startsWith('/')) return walk(start, fragment.slice(1).split('/'));
  return findSchema(start, (schema) => hasAnchor(schema, fragment));
}

function isIdOf(schema: JsonObject, base: string): boolean {
  const id = schema['$id'] ?? schema['id'];
  return typeof id === 'string' && (id === base || id === `${base}#`);
}

function hasAnchor(schema: JsonObject, name: string): boolean {
  return (
    schema['$anchor'] === name ||
    schema['$dynamicAnchor'] === name ||
    schema['$id'] === `#${name}` ||
    schema['id'] === `#${name}`
  );
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray per cent sign: the fragment is meant as it stands.
    return fragment;
  }
}

/** RFC 6901. */
function walk(start: unknown, steps: readonly string[]): unknown {
  let at = start;
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(name)];
    else if (isRecord(at) && Object.hasOwn(at, name)) at = at[name];
    else return undefined;
  }
  return at;
}

/** Breadth first, so that a schema in itself ends the search no later than the limit. */
function findSchema(root: JsonObject, isWanted: (schema: JsonObject) => boolean): JsonObject | undefined {
  const queue: unknown[] = [root];
  for (let at = 0; at < queue.length && at < searchLimit; at++) {
    const value = queue[at];
    if (Array.isArray(value)) queue.push(...value);
    if (!isRecord(value)) continue;
    if (isWanted(value)) return value;
    queue.push(...Object.values(value));
  }
  return undefined;
}
