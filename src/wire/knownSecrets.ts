/** A way in which a secret may be written in a text, and the mark that replaces it. */
interface Spelling {
  readonly text: string;
  readonly mark: string;
}

/** Secrets shorter than this are not looked for: they would be found everywhere. */
export const SHORTEST_SECRET = 6;
const LEARNED_LIMIT = 200;

/** A secret as it may stand in a text: plain, in JSON, in JSON inside JSON, in a URL, in Base64. */
function spellingsOf(secret: string): string[] {
  const value = secret.replace(/\p{Cs}/gu, '\uFFFD');
  const inJson = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(inJson).slice(1, -1);
  const slashes = inJson.replaceAll('/', String.raw`\/`);
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  const spellings = [value, inJson, twice, slashes, encodeURI(value), encodeURIComponent(value), inForm, base64];
  return [...new Set(spellings)].filter((text) => text.length >= SHORTEST_SECRET);
}

/** The start or the end of a long secret, as texts of errors like to show it. */
const FRAGMENT = 8;
const FRAGMENT_OF = 16;

/** The secrets whose values are known, to be replaced wherever they stand. */
export class KnownSecrets {
  readonly #marks = new Map<string, string>();
  readonly #learned = new Set<string>();
  #spellings: readonly Spelling[] = [];

  /** `learned`: seen on the wire, so the oldest of these are forgotten when there are many. */
  add(value: string, mark: string, learned: boolean): void {
    if (value.length < SHORTEST_SECRET || this.#marks.has(value)) return;
    this.#marks.set(value, mark);
    if (learned) this.#learned.add(value);
    this.#forget();
    this.#spellings = [...this.#marks]
      .flatMap(([secret, mark]) => spellingsOf(secret).map((text) => ({ text, mark })))
      .sort((a, b) => b.text.length - a.text.length);
  }

  replace(text: string): string {
    let result = text;
    for (const spelling of this.#spellings) {
      if (result.includes(spelling.text)) result = result.replaceAll(spelling.text, () => spelling.mark);
    }
    return result;
  }

  /** Replaces also the beginnings and ends of long secrets. For short texts, such as those of errors. */
  replaceFragments(text: string): string {
    let result = text;
    for (const [secret, mark] of this.#marks) {
      if (secret.length < FRAGMENT_OF) continue;
      result = replaceStart(result, secret, mark);
      result = replaceEnd(result, secret, mark);
    }
    return result;
  }

  #forget(): void {
    if (this.#learned.size <= LEARNED_LIMIT) return;
    const [oldest] = this.#learned;
    if (oldest === undefined) return;
    this.#learned.delete(oldest);
    this.#marks.delete(oldest);
  }
}

function replaceStart(text: string, secret: string, mark: string): string {
  const at = text.indexOf(secret.slice(0, FRAGMENT));
  if (at < 0) return text;
  let length = FRAGMENT;
  while (length < secret.length && text[at + length] === secret[length]) length += 1;
  return text.slice(0, at) + mark + replaceStart(text.slice(at + length), secret, mark);
}

function replaceEnd(text: string, secret: string, mark: string): string {
  const at = text.indexOf(secret.slice(-FRAGMENT));
  if (at < 0) return text;
  const end = at + FRAGMENT;
  let length = FRAGMENT;
  while (length < secret.length && text[end - length - 1] === secret[secret.length - length - 1]) length += 1;
  return text.slice(0, end - length) + mark + replaceEnd(text.slice(end), secret, mark);
}
