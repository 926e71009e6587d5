import { Validator, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { messageOf } from '../base/caught.ts';
import { isRecord } from '../base/json.ts';

/** By the text of the schema: servers list the same schema anew at each change of their tools. */
const validators = new Map<string, Validator | string>();
const mostValidators = 200;
/** What `whyUnchecked` has said. */
const told = new Set<string>();
/** A schema nested deeper, or larger in characters, is not used. */
const deepest = 64;
const longestSchema = 500_000;
const mostComplaints = 5;

/** The dialects that are known, by their `$schema` without scheme and fragment. Without one it is 2020-12 (MCP "JSON Schema Usage"). */
const dialects: ReadonlyMap<unknown, SchemaDraft> = new Map<unknown, SchemaDraft>([
  ['json-schema.org/draft-04/schema', '4'],
  ['json-schema.org/draft-07/schema', '7'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);
/** Quantifiers inside of quantifiers: such a pattern may take minutes for one string. */
const slowPattern = /\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)[+*{]/;

/**
 * What is wrong with a structured result by the tool's own `outputSchema`, in one sentence; undefined where nothing is, and
 * where the schema cannot be used (an unknown dialect, one that is broken or refers to another place: nothing is fetched).
 */
export function doubtAbout(structured: unknown, schema: Readonly<Record<string, unknown>>): string | undefined {
  const validator = validatorOf(schema);
  if (typeof validator === 'string') return undefined;
  if (structured === undefined) return 'the tool promises structured content, and none came with this result.';
  try {
    const { valid, errors } = validator.validate(structured);
    return valid ? undefined : `the structured content does not fit the tool's outputSchema: ${complaints(errors)}`;
  } catch {
    // A reference that leads nowhere shows when it is followed; nothing is known about the result then.
    return undefined;
  }
}

/** Why a schema is not used to check results, the first time that it is asked for; else undefined. For the log. */
export function whyUnchecked(schema: Readonly<Record<string, unknown>>): string | undefined {
  const validator = validatorOf(schema);
  if (typeof validator !== 'string' || told.has(validator)) return undefined;
  told.add(validator);
  return validator;
}

function validatorOf(schema: Readonly<Record<string, unknown>>): Validator | string {
  const text = JSON.stringify(schema);
  const known = validators.get(text);
  if (known !== undefined) return known;
  const made = makeValidator(schema, text);
  if (validators.size >= mostValidators) validators.clear();
  validators.set(text, made);
  return made;
}

/** The validator, or why there is none. */
function makeValidator(schema: Readonly<Record<string, unknown>>, text: string): Validator | string {
  const named = schema['$schema'];
  const key = typeof named === 'string' ? named.replace(/^https?:\/\/|#$/g, '') : named;
  const draft = named === undefined ? '2020-12' : dialects.get(key);
  if (draft === undefined) return `its dialect ${JSON.stringify(named)} is not known`;
  if (text.length > longestSchema) return `it has ${text.length} characters`;
  if (depthOf(schema) > deepest) return `it is nested deeper than ${deepest}`;
  const copy: unknown = JSON.parse(text, (keyword, value: unknown) =>
    keyword === 'pattern' && typeof value === 'string' && slowPattern.test(value) ? undefined : value,
  );
  if (!isSchema(copy)) return 'it is no schema';
  try {
    return new Validator(copy, draft, false);
  } catch (error) {
    return messageOf(error);
  }
}

function isSchema(value: unknown): value is Schema {
  return isRecord(value);
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > deepest) return depth;
  let most = depth;
  for (const member of Object.values(value)) most = Math.max(most, depthOf(member, depth + 1));
  return most;
}

/** The errors that say most, the innermost ones, with their place. */
function complaints(errors: readonly OutputUnit[]): string {
  const inner = errors.filter(
    ({ instanceLocation: place }) => !errors.some((other) => other.instanceLocation.startsWith(`${place}/`)),
  );
  return inner
    .slice(0, mostComplaints)
    .map(({ instanceLocation, error }) => `${instanceLocation.replace(/^#/, '') || '/'} ${error}`)
    .join(' ');
}
