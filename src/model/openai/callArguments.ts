import { isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import { splitValues } from './jsonExtent.ts';

/** `note` says what habit of an endpoint had to be allowed for. `reason` is a sentence for the model. */
export type ArgumentsReading =
  | { readonly ok: true; readonly value: JsonObject; readonly note?: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the arguments of a tool call from the pieces that arrived. No text at all, `null` and an empty list mean "no arguments".
 * Text that is not JSON is accepted only where its pieces prove what was meant: each repeats the ones before, or the same
 * value came twice, or an empty placeholder stands before the real one. Nothing is ever completed or repaired.
 */
export function readArguments(pieces: readonly string[]): ArgumentsReading {
  const text = pieces.join('');
  if (text.trim() === '') return { ok: true, value: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return readValue(parsed.value);
  return readGrowing(pieces) ?? readRepeated(text) ?? notJson(parsed.reason);
}

function readValue(value: unknown): ArgumentsReading {
  if (isRecord(value)) return { ok: true, value };
  if (value === null || (Array.isArray(value) && value.length === 0)) return { ok: true, value: {} };
  if (typeof value === 'string') return readEncodedTwice(value);
  return { ok: false, reason: `The arguments must be one JSON object, not ${nameOf(value)}.` };
}

/** Some endpoints encode the arguments once too often: a JSON string that holds a JSON object. */
function readEncodedTwice(text: string): ArgumentsReading {
  if (text.trim() === '') return { ok: true, value: {} };
  const inner = parseJson(text);
  if (inner.ok && isRecord(inner.value)) return { ok: true, value: inner.value, note: 'arguments encoded twice' };
  if (inner.ok && inner.value === null) return { ok: true, value: {} };
  return { ok: false, reason: 'The arguments must be one JSON object, not a text.' };
}

/** Pieces of which each holds all that came before: the last one is the whole. */
function readGrowing(pieces: readonly string[]): ArgumentsReading | undefined {
  const filled = pieces.filter((piece) => piece.trim() !== '');
  const last = filled.at(-1);
  if (last === undefined || filled.length < 2) return undefined;
  const grows = filled.every((piece, index) => piece.startsWith(filled[index - 1] ?? ''));
  const whole = grows ? parseJson(last) : undefined;
  return whole?.ok && isRecord(whole.value)
    ? { ok: true, value: whole.value, note: 'arguments sent anew with each piece' }
    : undefined;
}

/** The same object more than once, or empty placeholders before the real one. */
function readRepeated(text: string): ArgumentsReading | undefined {
  const values = splitValues(text.replace(/^\s*null\s*(?=\{)/, '')).map(parseJson);
  const objects: JsonObject[] = [];
  for (const [index, parsed] of values.entries()) {
    if (!parsed.ok) return undefined;
    const isPlaceholder = index < values.length - 1 && isEmpty(parsed.value);
    if (isPlaceholder) continue;
    if (!isRecord(parsed.value)) return undefined;
    objects.push(parsed.value);
  }
  const first = objects[0];
  if (first === undefined) return undefined;
  const wanted = JSON.stringify(first);
  if (objects.some((object) => JSON.stringify(object) !== wanted)) {
    return { ok: false, reason: `The arguments must be one JSON object; ${objects.length} different ones arrived.` };
  }
  return { ok: true, value: first, note: 'arguments repeated' };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (isRecord(value) && Object.keys(value).length === 0);
}

function notJson(parserReason: string): ArgumentsReading {
  return {
    ok: false,
    reason: `The arguments are not valid JSON (${parserReason}). Send them as one complete JSON object.`,
  };
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
