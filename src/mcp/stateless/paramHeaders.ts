import { isRecord, type JsonObject } from '../../base/json.ts';
import { encodeHeaderValue } from './headerValue.ts';

/** An argument that is mirrored into a header: the way to it through nested objects, and the header's whole name. */
export interface ParamHeader {
  readonly path: readonly string[];
  readonly header: string;
}

/** What the annotations of one tool come to. `problem` says why the tool must not be offered. */
export type ParamHeaders = { readonly headers: readonly ParamHeader[] } | { readonly problem: string };

const ANNOTATION = 'x-mcp-header';
/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrored = ['string', 'integer', 'boolean'];
/** A schema nested deeper than this is not searched any further. */
const DEEPEST = 64;
/** Keywords whose value is data and no schema: what stands there annotates nothing. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords whose value holds schemas by names that are free to choose. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * The `x-mcp-header` annotations of a tool's input schema (2026-07-28, "Streamable HTTP", "Schema Extension"). They count
 * on properties of primitive type that are reached through `properties` alone; one that stands anywhere else, has a name
 * that is no header's, or has the name of another makes the whole tool invalid.
 */
export function paramHeadersOf(inputSchema: JsonObject): ParamHeaders {
  const headers: ParamHeader[] = [];
  const seen = new Set<string>();
  const problem = visit(inputSchema, [], (path, schema) => {
    const complaint = complaintAbout(schema, path);
    if (complaint !== undefined) return complaint;
    const name = String(schema[ANNOTATION]);
    if (seen.has(name.toLowerCase())) return `two arguments share the header name ${JSON.stringify(name)}`;
    seen.add(name.toLowerCase());
    headers.push({ path: path ?? [], header: `Mcp-Param-${name}` });
    return undefined;
  });
  return problem === undefined ? { headers } : { problem };
}

/** Calls `found` for each schema with an annotation. `path` is undefined where `properties` alone do not lead. Ends at a problem. */
function visit(
  schema: unknown,
  path: readonly string[] | undefined,
  found: (path: readonly string[] | undefined, schema: JsonObject) => string | undefined,
  depth = 0,
): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(schema)) return first(schema, (item) => visit(item, undefined, found, depth + 1));
  if (!isRecord(schema)) return undefined;
  if (ANNOTATION in schema) {
    const problem = found(path, schema);
    if (problem !== undefined) return problem;
  }
  return first(Object.entries(schema), ([keyword, value]) => {
    if (dataKeywords.has(keyword) || keyword === ANNOTATION) return undefined;
    if (!namedSchemas.has(keyword) || !isRecord(value)) return visit(value, undefined, found, depth + 1);
    return first(Object.entries(value), ([name, property]) =>
      visit(property, keyword === 'properties' && path ? [...path, name] : undefined, found, depth + 1),
    );
  });
}

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = look(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function complaintAbout(schema: JsonObject, path: readonly string[] | undefined): string | undefined {
  const { [ANNOTATION]: name, type } = schema;
  if (path === undefined || path.length === 0) return `${ANNOTATION} stands where no argument can be read`;
  const where = JSON.stringify(path.join('.'));
  if (typeof name !== 'string' || name === '') return `the ${ANNOTATION} of ${where} is no name`;
  if (!token.test(name)) return `the ${ANNOTATION} of ${where}, ${JSON.stringify(name)}, is no header name`;
  if (typeof type === 'string' && mirrored.includes(type)) return undefined;
  return `${where} has an ${ANNOTATION} and is no string, integer or boolean`;
}

/** The headers for one call; arguments that are missing or null have none. */
export function paramHeaderValues(headers: readonly ParamHeader[], args: unknown): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { path, header } of headers) {
    const text = asHeaderText(valueAt(args, path));
    if (text !== undefined) values[header] = encodeHeaderValue(text);
  }
  return values;
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

/** Integers in decimals, never with an exponent. What is no primitive is for the server to refuse. */
function asHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
