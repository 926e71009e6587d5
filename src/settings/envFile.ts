import { parse } from 'dotenv';

/** No text holds it on purpose: it stands for a `#` while the library reads. */
const HASH = '\u{F8FF}';

/**
 * Reads the usual dotenv grammar. A `#` begins a comment only at the start of a line, after white space or after a closing quote:
 * the library would cut `p#q` and `#fff`, so such a `#` is kept out of its sight.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const hidden = text.replace(/^\uFEFF/, '').replaceAll(/(?<=[^\s"'`])#/g, HASH);
  const pairs = Object.entries(parse(hidden));
  return new Map(pairs.map(([name, value]) => [name, value.replaceAll(HASH, '#')]));
}
