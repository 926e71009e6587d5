/** Secrets shorter than this are not looked for: they would be found everywhere. */
const SHORTEST_SECRET = 6;
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
  readonly #spellings = new Map<string, string>();
  #pattern: RegExp | undefined;

  /** `learned`: seen on the wire, so the oldest of these are forgotten when there are many. True when it was new. */
  add(value: string, mark: string, learned: boolean): boolean {
    if (value.length < SHORTEST_SECRET || this.#marks.has(value)) return false;
    this.#marks.set(value, mark);
    if (learned) this.#learned.add(value);
    for (const spelling of spellingsOf(value)) this.#spellings.set(spelling, mark);
    this.#forget();
    this.#pattern = undefined;
    return true;
  }

  replace(text: string): string {
    if (this.#spellings.size === 0) return text;
    this.#pattern ??= patternOf([...this.#spellings.keys()]);
    return text.replace(this.#pattern, (found) => this.#spellings.get(found) ?? found);
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
    for (const spelling of spellingsOf(oldest)) this.#spellings.delete(spelling);
  }
}

/** One pattern for all: engines find a thousand words in a text about as fast as one. The longest comes first. */
function patternOf(spellings: readonly string[]): RegExp {
  const escaped = [...spellings]
    .sort((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(escaped.join('|'), 'g');
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
