/**
 * Replaces, in JSON text that `JSON.stringify` wrote, halves of surrogate pairs, as a text cut in the middle of a character has them: endpoints refuse the whole
 * request for one. It writes whole pairs as they are and halves as `\udXXX`, in lower case, so only JSON text that has this is gone through.
 */
export function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd');
}
