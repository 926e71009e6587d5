import { isRecord, type JsonObject } from '../../base/json.ts';
import type { NewInput, NewServer } from './addition.ts';
import { isHarmlessHeader, isPlaceholder, isSecretName, looksSecret } from './secretTexts.ts';

/** Servers whose secrets were replaced by inputs. */
export interface WithoutSecrets {
  readonly servers: readonly NewServer[];
  readonly inputs: readonly NewInput[];
  /** What stood in the place of an input, where it was a value. */
  readonly answers: ReadonlyMap<string, string>;
}

/**
 * Puts `${input:…}` in the place of every secret of the entries, and of every value that a person has yet to fill in.
 * `taken`: ids of inputs that exist already.
 */
export function takeSecrets(servers: readonly NewServer[], taken: ReadonlySet<string>): WithoutSecrets {
  const book = new InputBook(taken);
  return { servers: servers.map((server) => withoutSecrets(server, book)), inputs: book.inputs, answers: book.answers };
}

/** The inputs that have been made, one for each secret, however often it is used. */
class InputBook {
  readonly inputs: NewInput[] = [];
  readonly answers = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #known = new Map<string, string>();

  constructor(taken: ReadonlySet<string>) {
    this.#taken = new Set(taken);
  }

  /** The variable that stands for `value` from now on. */
  variable(server: string, name: string, value: string): string {
    const isAnswer = value !== '' && !isPlaceholder(value);
    const key = isAnswer ? value : `${server}\n${name}`;
    const id = this.#known.get(key) ?? this.#define(server, name, isAnswer ? value : undefined);
    this.#known.set(key, id);
    return `\${input:${id}}`;
  }

  #define(server: string, name: string, answer: string | undefined): string {
    const id = this.#freeId(server, name);
    const password =
      answer !== undefined ||
      isSecretName(name) ||
      !/url|host|path|dir|name|org|project|account|user|region|\bid\b|_id$/i.test(name);
    this.inputs.push({ id, type: 'promptString', description: `${name} (${server})`, password });
    if (answer !== undefined) this.answers.set(id, answer);
    return id;
  }

  #freeId(server: string, name: string): string {
    const words = slug(name);
    const base = words.startsWith(slug(server)) || words === '' ? words || slug(server) : `${slug(server)}-${words}`;
    let id = base;
    for (let number = 2; this.#taken.has(id); number++) id = `${base}-${number}`;
    this.#taken.add(id);
    return id;
  }
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
}

function withoutSecrets({ name, entry }: NewServer, book: InputBook): NewServer {
  const hide = (what: string, value: string): string => book.variable(name, what, value);
  const { env, headers, args, url, oauth } = entry;
  return {
    name,
    entry: {
      ...entry,
      ...(isRecord(env) && { env: mapTexts(env, (key, value) => hideVariable(key, value, hide)) }),
      ...(isRecord(headers) && { headers: mapTexts(headers, (key, value) => hideHeader(key, value, hide)) }),
      ...(Array.isArray(args) && { args: hideArguments(args, hide) }),
      ...(typeof url === 'string' && { url: hideInUrl(url, hide) }),
      ...(isRecord(oauth) && { oauth: mapTexts(oauth, (key, value) => hideVariable(key, value, hide)) }),
    },
  };
}

type Hide = (what: string, value: string) => string;

function mapTexts(object: JsonObject, change: (key: string, value: string) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (isRecord(value)) return [key, mapTexts(value, change)];
      return [key, typeof value === 'string' ? change(key, value) : value];
    }),
  );
}

/** Text with a variable in it is as its author wants it. */
function isSettled(value: string): boolean {
  return value.includes('${');
}

function hideVariable(key: string, value: string, hide: Hide): string {
  if (isSettled(value)) return value;
  return isSecretName(key) || isPlaceholder(value) || looksSecret(value) || hasPassword(value)
    ? hide(key, value)
    : value;
}

function hideHeader(key: string, value: string, hide: Hide): string {
  if (isSettled(value) || (isHarmlessHeader(key) && !isPlaceholder(value))) return value;
  const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+/i.exec(value)?.[0] ?? '';
  return scheme + hide(key, value.slice(scheme.length));
}

function hideArguments(args: readonly unknown[], hide: Hide): unknown[] {
  let option = '';
  return args.map((word) => {
    if (typeof word !== 'string') return word;
    const before = option;
    option = /^--?[A-Za-z]/.test(word) && !word.includes('=') ? word : '';
    return hideArgument(word, before, hide);
  });
}

/** `before` is the option that takes this word with it, if any. */
function hideArgument(word: string, before: string, hide: Hide): string {
  if (isSettled(word)) return word;
  const header = /^--?(?:H|header)$/i.test(before) ? /^([\w-]+):\s*(.*)$/s.exec(word) : null;
  if (header?.[1] !== undefined && header[2] !== undefined) {
    return `${word.slice(0, word.length - header[2].length)}${hideHeader(header[1], header[2], hide)}`;
  }
  const assigned = /^(-{0,2}[A-Za-z][\w.-]*)=(.*)$/s.exec(word);
  if (assigned?.[1] !== undefined && assigned[2] !== undefined) {
    return `${assigned[1]}=${hideVariable(assigned[1].replace(/^-+/, ''), assigned[2], hide)}`;
  }
  const named = before.replace(/^-+/, '');
  if (named !== '' && isSecretName(named) && !word.startsWith('-')) return hide(named, word);
  if (/^https?:/i.test(word)) return hideInUrl(word, hide);
  return looksSecret(word) || hasPassword(word) || isPlaceholder(word)
    ? hide(placeholderName(word) ?? 'argument', word)
    : word;
}

/** `<api-key>` says itself what it stands for. */
function placeholderName(word: string): string | undefined {
  return /^<([\w -]{2,40})>$/.exec(word)?.[1];
}

/** A database address with a password in it. */
function hasPassword(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i.test(text);
}

/** Values of secret query fields, and a password before the host. They stay encoded, as the address around them. */
function hideInUrl(url: string, hide: Hide): string {
  if (isSettled(url)) return url;
  const withPassword = url.replace(
    /^(https?:\/\/[^/\s:@?#]*:)([^/\s@?#]+)@/i,
    (_, head: string, password: string) => `${head}${hide('password', password)}@`,
  );
  return withPassword.replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, mark: string, key: string, value: string) => {
    if (value.includes('${')) return whole;
    const isSecret = isSecretName(key) || isPlaceholder(decoded(value)) || looksSecret(value);
    return isSecret ? `${mark}${key}=${hide(key, value)}` : whole;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
