import { asString, isRecord, type JsonObject } from '../base/json.ts';
import { RpcError } from './errors.ts';
import { errorCode } from './jsonrpc.ts';

/** `elicitation/create` in form mode (MCP "Elicitation"): a flat schema as fields that a person can fill in. Pure. */

export interface Choice {
  readonly value: string;
  /** What people see. */
  readonly title: string;
}

/** The primitive schemas of MCP "Elicitation", "Requested Schema". */
export type FieldKind =
  | {
      readonly kind: 'text';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly format?: 'email' | 'uri' | 'date' | 'date-time';
    }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | {
      readonly kind: 'choices';
      readonly choices: readonly Choice[];
      readonly minItems?: number;
      readonly maxItems?: number;
    };

/** One field of a form. */
export interface FormField {
  /** The property's name. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Only where it fits the field. */
  readonly default?: FieldValue;
  readonly type: FieldKind;
}

/** What a field may be filled with. */
export type FieldValue = string | number | boolean | readonly string[];

/** What a server wants filled in. */
export interface ElicitationForm {
  readonly message: string;
  readonly fields: readonly FormField[];
}

/** Why a value does not fit. `limit` is the bound that it breaks. */
export type FieldProblem =
  | { readonly kind: 'missing' | 'not-a-number' | 'not-an-integer' | 'no-choice' }
  | {
      readonly kind: 'too-short' | 'too-long' | 'too-small' | 'too-large' | 'too-few' | 'too-many';
      readonly limit: number;
    }
  | { readonly kind: 'format'; readonly format: 'email' | 'uri' | 'date' | 'date-time' };

const mostFields = 100;

/** Throws an RpcError −32602 for a schema that is not flat: its answers could not be asked for. */
export function readForm(params: JsonObject): ElicitationForm {
  const schema = isRecord(params['requestedSchema']) ? params['requestedSchema'] : {};
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const entries = Object.entries(properties);
  if (entries.length > mostFields) throw invalid(`the form has more than ${mostFields} fields`);
  const fields = entries.map(([name, property]) => readField(name, property, required.includes(name)));
  return { message: asString(params['message']) ?? '', fields };
}

function readField(name: string, property: unknown, isRequired: boolean): FormField {
  if (!isRecord(property)) throw invalid(`the field ${JSON.stringify(name)} has no schema`);
  const type = kindOf(property);
  if (type === undefined) throw invalid(`the field ${JSON.stringify(name)} is no text, number, boolean or choice`);
  const description = asString(property['description']);
  const field = {
    name,
    title: asString(property['title'])?.trim() || name,
    ...(description !== undefined && { description }),
    isRequired,
    type,
  };
  const preset = asFieldValue(property['default']);
  const fits = preset !== undefined && problemOf(field, preset) === undefined;
  return fits ? { ...field, default: preset } : field;
}

function kindOf(property: JsonObject): FieldKind | undefined {
  const choices = choicesIn(property);
  if (choices) return { kind: 'choice', choices };
  switch (property['type']) {
    case 'string':
      return { kind: 'text', ...bounds(property, 'minLength', 'maxLength'), ...formatOf(property['format']) };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: property['type'] === 'integer',
        ...bounds(property, 'minimum', 'maximum'),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const items = isRecord(property['items']) ? choicesIn(property['items']) : undefined;
      return items && { kind: 'choices', choices: items, ...bounds(property, 'minItems', 'maxItems') };
    }
    default:
      return undefined;
  }
}

/** The three ways to write choices: titled (`oneOf`, `anyOf`), plain (`enum`), and plain with `enumNames`. */
function choicesIn(schema: JsonObject): readonly Choice[] | undefined {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled)) {
    return titled.flatMap((each): Choice[] => {
      if (!isRecord(each) || typeof each['const'] !== 'string') return [];
      return [{ value: each['const'], title: asString(each['title']) ?? each['const'] }];
    });
  }
  const values = schema['enum'];
  if (!Array.isArray(values)) return undefined;
  const names: unknown[] = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  return values.flatMap((value: unknown, place): Choice[] => {
    return typeof value === 'string' ? [{ value, title: asString(names[place]) ?? value }] : [];
  });
}

function bounds<Low extends string, High extends string>(
  schema: JsonObject,
  low: Low,
  high: High,
): { readonly [name in Low | High]?: number } {
  const found: { [name in Low | High]?: number } = {};
  for (const name of [low, high]) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value)) found[name] = value;
  }
  return found;
}

function formatOf(format: unknown): { readonly format?: 'email' | 'uri' | 'date' | 'date-time' } {
  return format === 'email' || format === 'uri' || format === 'date' || format === 'date-time' ? { format } : {};
}

function asFieldValue(value: unknown): FieldValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

/** What a person typed into a field of text or numbers; undefined for nothing. */
export function valueOfText({ type }: FormField, text: string): FieldValue | undefined {
  if (type.kind !== 'number') return text === '' ? undefined : text;
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : trimmed;
}

/** The first thing that is wrong with a value; undefined where it fits. */
export function problemOf(
  field: Pick<FormField, 'type' | 'isRequired'>,
  value: FieldValue | undefined,
): FieldProblem | undefined {
  const { type } = field;
  if (value === undefined) return field.isRequired ? { kind: 'missing' } : undefined;
  switch (type.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(value, type) : { kind: 'missing' };
    case 'number':
      return typeof value === 'number' ? numberProblem(value, type) : { kind: 'not-a-number' };
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { kind: 'missing' };
    case 'choice':
      return type.choices.some((choice) => choice.value === value) ? undefined : { kind: 'no-choice' };
    case 'choices':
      return choicesProblem(value, type);
  }
}

function textProblem(
  value: string,
  { minLength, maxLength, format }: FieldKind & { kind: 'text' },
): FieldProblem | undefined {
  const { length } = Array.from(value);
  if (minLength !== undefined && length < minLength) return { kind: 'too-short', limit: minLength };
  if (maxLength !== undefined && length > maxLength) return { kind: 'too-long', limit: maxLength };
  return format === undefined || hasFormat(value, format) ? undefined : { kind: 'format', format };
}

function numberProblem(
  value: number,
  { isInteger, minimum, maximum }: FieldKind & { kind: 'number' },
): FieldProblem | undefined {
  if (!Number.isFinite(value)) return { kind: 'not-a-number' };
  if (isInteger && !Number.isInteger(value)) return { kind: 'not-an-integer' };
  if (minimum !== undefined && value < minimum) return { kind: 'too-small', limit: minimum };
  return maximum !== undefined && value > maximum ? { kind: 'too-large', limit: maximum } : undefined;
}

function choicesProblem(value: FieldValue, type: FieldKind & { kind: 'choices' }): FieldProblem | undefined {
  if (typeof value !== 'object') return { kind: 'no-choice' };
  const { choices, minItems, maxItems } = type;
  if (!value.every((item) => choices.some((choice) => choice.value === item))) return { kind: 'no-choice' };
  if (minItems !== undefined && value.length < minItems) return { kind: 'too-few', limit: minItems };
  return maxItems !== undefined && value.length > maxItems ? { kind: 'too-many', limit: maxItems } : undefined;
}

function hasFormat(value: string, format: 'email' | 'uri' | 'date' | 'date-time'): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(value);
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value);
    case 'date':
      return isDate(value);
    case 'date-time': {
      const [, date = '', hours = '', minutes = ''] =
        /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(value) ?? [];
      return isDate(date) && Number(hours) < 24 && Number(minutes) < 60;
    }
  }
}

/** A day that the calendar has. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function invalid(reason: string): RpcError {
  return new RpcError(errorCode.invalidParams, `elicitation/create: ${reason}`);
}
