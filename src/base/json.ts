import { messageOf } from './caught.ts';
/** A JSON object whose members are not checked yet. */
export type JsonObject = { [key: string]: unknown };

/** True for a plain JSON object: not null, not an array. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON without throwing. `ok: false` carries the parser's own message. */
export function parseJson(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** `value` where it is a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
