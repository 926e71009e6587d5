import type { WireBody } from './wireEntry.ts';

/** Runs of Base64 from this length on are files: images, sound, documents. */
const BASE64_FROM = 2048;
const base64Run = new RegExp(String.raw`[A-Za-z0-9+/\\]{${BASE64_FROM},}={0,2}`, 'g');

const beginnings: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklG', 'image/webp or audio'],
  ['JVBE', 'application/pdf'],
  ['UEsD', 'zip'],
  ['SUQz', 'audio/mpeg'],
];

function summary(run: string): string {
  const type = beginnings.find(([start]) => run.startsWith(start))?.[1] ?? 'binary data';
  return `[${type}, ${run.length} characters of Base64 not kept]`;
}

/** Replaces embedded files by a line that says what they were; JSON stays JSON. */
export function summariseFiles(text: string): string {
  if (text.length < BASE64_FROM) return text;
  return text.replace(base64Run, summary);
}

/** A copy that does not hold on to the longer string it was cut from. */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}

/** A credential that the cut goes through must not stay as a half that nothing recognises: so much is dropped before the cut. */
const CUT_MARGIN = 4096;

/**
 * What is kept of a text: embedded files summarised, secrets hidden by `redact`, then at most `cap` characters.
 * `bytes` is the true size.
 */
export function keepBody(text: string, bytes: number, cap: number, redact: (text: string) => string): WireBody {
  if (cap === 0) return { text: '', bytes, omitted: true };
  const small = summariseFiles(text);
  if (small.length <= cap) return { text: redact(small), bytes };
  const kept = redact(small.slice(0, cap));
  return { text: detach(kept.slice(0, Math.max(0, kept.length - CUT_MARGIN))), bytes, cut: true };
}
