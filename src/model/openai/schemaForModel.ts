import type { JsonObject } from '../../base/json.ts';
import { convertSchema, TooManySchemas, type ConvertOptions } from './schema/convertSchema.ts';
import { plainSchema } from './schema/plainSchema.ts';
import { rootSchema } from './schema/rootSchema.ts';

/** A schema's JSON text as it is sent to a model, or why the tool cannot be offered. */
export type SchemaForModel =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Characters of JSON text; about 16,000 tokens. */
const mostText = 65_536;

/** Tried in turn until the schema is short enough. */
const attempts: readonly ConvertOptions[] = [
  { maxDepth: 24, maxDescription: 8192 },
  { maxDepth: 12, maxDescription: 2048 },
  { maxDepth: 8, maxDescription: 512 },
  { maxDepth: 5, maxDescription: 200 },
  { maxDepth: 3, maxDescription: 100 },
  { maxDepth: 2, maxDescription: 0 },
];

/** How deep the strictest endpoints look. */
const plainDepth = 5;

/**
 * Makes a tool's input schema one that endpoints accept, as near to the server's own as that can be; with `plain`, reduced to
 * what the strictest of them know. The server's schema is not altered: servers are sent what they asked for.
 */
export function schemaForModel(schema: JsonObject, options: { readonly plain: boolean }): SchemaForModel {
  for (const attempt of attempts) {
    if (options.plain && attempt.maxDepth > plainDepth) continue;
    const result = tryConvert(schema, attempt, options.plain);
    if (result !== undefined) return result;
  }
  return { ok: false, reason: 'its input schema is too large' };
}

/** Undefined where less of the schema should be tried. */
function tryConvert(schema: JsonObject, attempt: ConvertOptions, isPlain: boolean): SchemaForModel | undefined {
  try {
    const root = rootSchema(convertSchema(schema, attempt));
    if (!root.ok) return root;
    const text = JSON.stringify(isPlain ? plainSchema(root.schema) : root.schema);
    return text.length > mostText ? undefined : { ok: true, text };
  } catch (error) {
    if (error instanceof TooManySchemas) return undefined;
    if (error instanceof TypeError || error instanceof RangeError) {
      return { ok: false, reason: `its input schema cannot be read (${error.message})` };
    }
    throw error;
  }
}
