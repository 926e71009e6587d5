/**
 * A value as it may stand in an HTTP header (2026-07-28, "Streamable HTTP", "Value Encoding"): as it is where that is safe,
 * else its UTF-8 in Base64 between markers. What looks like such a mark already is encoded too, so that no two values meet.
 */
export function encodeHeaderValue(value: string): string {
  return isPlain(value) ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Visible ASCII with blanks and tabs inside; nothing to trim, and not marked as Base64. */
function isPlain(value: string): boolean {
  if (!/^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/.test(value)) return false;
  return !(value.startsWith('=?base64?') && value.endsWith('?='));
}
