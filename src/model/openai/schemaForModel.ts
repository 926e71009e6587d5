/** A schema's JSON text as it is sent to a model, or why the tool cannot be offered. */
export type SchemaForModel =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Makes a tool's input schema acceptable. */
export function schemaForModel(schema: Readonly<Record<string, unknown>>, options: { plain: boolean }): SchemaForModel {
  return { ok: true, text: JSON.stringify({ properties: {}, ...schema, ...(options.plain && {}) }) };
}
