import { isRecord, type JsonObject } from '../../../base/json.ts';
import { intersect, unite } from './combine.ts';
import { completeSchema, listOf, typesOf } from './completeSchema.ts';

/** The form that endpoints want at the top, or the reason why there is none. */
export type RootSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly reason: string };

/** Keywords that endpoints refuse at the top, where they would only narrow an object. */
const notAtTop: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

/**
 * Makes a converted schema an object with properties at its top: `allOf` merged, `anyOf` and `oneOf` united, what else would
 * stand in the way dropped. Arguments that were valid stay valid.
 */
export function rootSchema(converted: JsonObject): RootSchema {
  const types = typesOf(converted['type']);
  if (types.length > 0 && !types.includes('object')) {
    return { ok: false, reason: `its input schema asks for ${types.join(' or ')} instead of an object` };
  }
  const united = uniteBranches(mergeAll(converted));
  if (united === undefined) return { ok: false, reason: 'its input schema allows no object' };
  const schema = Object.fromEntries(Object.entries(united).filter(([keyword]) => !notAtTop.has(keyword)));
  return { ok: true, schema: completeSchema({ ...schema, type: 'object' }) };
}

/** `allOf` is what holds together; of `if`, `then` and `else` the properties are what may be given. */
function mergeAll(schema: JsonObject): JsonObject {
  const parts = listOf(schema['allOf']).filter(isRecord).map(mergeAll);
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'allOf'));
  const merged = parts.reduce(intersect, rest);
  const conditional = [schema['then'], schema['else']].filter(isRecord);
  const dependent = Object.values(isRecord(schema['dependentSchemas']) ? schema['dependentSchemas'] : {}).filter(
    isRecord,
  );
  const optional = [...conditional, ...dependent].map((part) => ({ properties: part['properties'] ?? {} }));
  return optional.length === 0 ? merged : unite(merged, [...optional, {}]);
}

/** Undefined where every branch asks for something else than an object. */
function uniteBranches(schema: JsonObject): JsonObject | undefined {
  let united = schema;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const all = listOf(schema[keyword]).filter(isRecord);
    if (all.length === 0) continue;
    const branches = all
      .filter(isObjectLike)
      .map((branch) => uniteBranches(mergeAll(branch)))
      .filter((branch) => branch !== undefined);
    if (branches.length === 0) return undefined;
    united = unite(united, branches);
  }
  return united;
}

function isObjectLike(branch: JsonObject): boolean {
  const types = typesOf(branch['type']);
  return types.length === 0 || types.includes('object');
}
