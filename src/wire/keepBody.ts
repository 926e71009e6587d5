import type { WireBody } from './wireEntry.ts';

/** Runs of Base64 from this length on are files: images, sound, documents. */
const BASE64_FROM = 2048;
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

/** True for a character of Base64, or of its escaped slash in JSON. */
function isBase64(code: number): boolean {
  return (
    (code >= 47 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 43 ||
    code === 92
  );
}

/** Start and end of the run of Base64 around `at`. */
function runAround(text: string, at: number): readonly [number, number] {
  let start = at;
  let end = at;
  while (start > 0 && isBase64(text.charCodeAt(start - 1))) start -= 1;
  while (end < text.length && isBase64(text.charCodeAt(end))) end += 1;
  return [start, end];
}

/** Replaces embedded files by a line that says what they were; JSON stays JSON. A long run must cover one of the places looked at. */
function summariseFiles(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = BASE64_FROM - 1; at < text.length; at += BASE64_FROM) {
    if (at < from || !isBase64(text.charCodeAt(at))) continue;
    const [start, end] = runAround(text, at);
    if (end - start < BASE64_FROM) continue;
    pieces.push(text.slice(from, start), summary(text.slice(start, end)));
    from = end + (/^={1,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
    at = from;
  }
  if (pieces.length === 0) return text;
  return detach(pieces.join('') + text.slice(from));
}

/** A copy that does not hold on to the longer string it was cut from. */
function detach(text: string): string {
  return Buffer.from(text).toString();
}

/** A credential that the cut goes through must not stay as a half that nothing recognises: so much is dropped before the cut. */
const CUT_MARGIN = 4096;

/**
 * What is kept of a text: embedded files summarised, secrets hidden by `redact`, then at most `cap` characters.
 * `bytes` is the true size.
 */
export function keepBody(
  text: string,
  { bytes, cap }: { readonly bytes: number; readonly cap: number },
  redact: (text: string) => string,
): WireBody {
  if (cap === 0) return { text: '', bytes, omitted: true };
  const small = summariseFiles(text);
  if (small.length <= cap) return { text: redact(small), bytes };
  const kept = redact(small.slice(0, cap));
  return { text: detach(kept.slice(0, Math.max(0, kept.length - CUT_MARGIN))), bytes, cut: true };
}
