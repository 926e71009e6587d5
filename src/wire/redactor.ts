import { KnownSecrets } from './knownSecrets.ts';
import { redactForm, redactText, type MarkOf } from './redactText.ts';
import { SecretMarks } from './secretMarks.ts';
import { secrecyOfHeader, secrecyOfQuery } from './secretNames.ts';

/** Seen on the wire, a value is looked for elsewhere too where it is too long to be an ordinary word. */
const LEARN_FROM = 12;
const FRAGMENTS_UP_TO = 4096;

type HeaderValue = string | readonly string[];

/**
 * Hides secrets before anything is kept: by name (headers, query and form fields, JSON members), by form (schemes, keys of known
 * formats, user info) and by value (what was registered, and what was once seen under such a name).
 */
export class Redactor {
  readonly #marks = new SecretMarks();
  readonly #known = new KnownSecrets();
  /** Requests repeat their URL and headers from call to call. */
  readonly #repeated = new Map<string, string>();

  /** Registers a value that must never be shown: from the secret storage, an input or the environment. Shorter than 6 characters it is ignored. */
  addSecret(value: string): void {
    if (this.#known.add(value, this.#marks.secret(value), false)) this.#repeated.clear();
  }

  /** Registers a session's id, which is shown shortened. */
  addSession(value: string): void {
    this.#learn(value, 'session');
  }

  /** Any text: a body, a line, an error. */
  text(text: string): string {
    return redactText(this.#known.replace(text), this.#markOf);
  }

  /** A short text written for people; pieces of secrets, as in `sk-abcd…wxyz`, are hidden as well. */
  message(text: string): string {
    const whole = this.text(text);
    return whole.length > FRAGMENTS_UP_TO ? whole : this.#known.replaceFragments(whole);
  }

  /** A body of the given content type. */
  body(text: string, contentType: string | undefined): string {
    const form = contentType?.startsWith('application/x-www-form-urlencoded') === true;
    return this.text(form ? redactForm(text, this.#learningMark) : text);
  }

  /** A URL: user info and the values of its query, except those known to be harmless. */
  url(url: string): string {
    return this.#once(url, () => this.#url(url));
  }

  #url(url: string): string {
    for (const part of /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#@]+)@/i.exec(url)?.[1]?.split(':') ?? [])
      this.#learn(decode(part), 'secret');
    const [address = '', ...rest] = url.split('?');
    const query = rest.join('?');
    if (query === '') return this.text(url);
    const [fields = '', ...fragment] = query.split('#');
    const redacted = fields.split('&').map((field) => this.#queryField(field));
    const end = fragment.length > 0 ? `#${this.text(fragment.join('#'))}` : '';
    return `${this.text(address)}?${redacted.join('&')}${end}`;
  }

  headers<V extends HeaderValue>(
    headers: Readonly<Record<string, V | undefined>>,
    direction: 'request' | 'response',
  ): Record<string, HeaderValue> {
    const result: Record<string, HeaderValue> = {};
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) continue;
      result[name] =
        typeof value === 'string'
          ? this.#header(name, value, direction)
          : value.map((one) => this.#header(name, one, direction));
    }
    return result;
  }

  #queryField(field: string): string {
    const equals = field.indexOf('=');
    if (equals < 0) return this.text(field);
    const name = field.slice(0, equals);
    const value = field.slice(equals + 1);
    const secrecy = secrecyOfQuery(name, value);
    return `${name}=${secrecy === 'plain' ? this.text(value) : this.#learningMark(value, secrecy)}`;
  }

  /** A scheme stays readable: `Bearer [redacted …]`. */
  #header(name: string, value: string, direction: 'request' | 'response'): string {
    return this.#once(`${direction} ${name} ${value}`, () => this.#newHeader(name, value, direction));
  }

  #newHeader(name: string, value: string, direction: 'request' | 'response'): string {
    const secrecy = secrecyOfHeader(name, direction);
    if (secrecy === 'plain' || value === '') return this.text(value);
    const scheme = /^(?:Bearer|Basic|DPoP|Digest|Negotiate|Token)\s+(?=\S)/i.exec(value)?.[0] ?? '';
    const credential = value.slice(scheme.length);
    this.#learnParts(scheme, name, credential);
    return scheme + this.#learningMark(credential, secrecy);
  }

  #once(key: string, make: () => string): string {
    const known = this.#repeated.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#repeated.size >= 500) this.#repeated.clear();
    this.#repeated.set(key, made);
    return made;
  }

  readonly #markOf: MarkOf = (value, secrecy) =>
    secrecy === 'session' ? this.#marks.session(value) : this.#marks.secret(value);

  readonly #learningMark: MarkOf = (value, secrecy) => {
    const plain = decode(value);
    this.#learn(plain, secrecy);
    return this.#markOf(plain, secrecy);
  };

  #learn(value: string, secrecy: 'secret' | 'session'): void {
    if (value.length < LEARN_FROM || value.startsWith('[')) return;
    if (this.#known.add(value, this.#markOf(value, secrecy), true)) this.#repeated.clear();
  }

  /** A header may hold several secrets: cookies by name, and the user and password of `Basic`. */
  #learnParts(scheme: string, name: string, value: string): void {
    const parts = /cookie/i.test(name)
      ? value.split(/;\s*/).map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
      : [];
    if (/^basic/i.test(scheme)) parts.push(...Buffer.from(value, 'base64').toString().split(':'));
    for (const part of parts) this.#learn(part, 'secret');
  }
}

function decode(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}
