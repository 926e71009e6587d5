import { RpcError } from './errors.ts';
import type { ServerConfig } from './serverConfig.ts';

/** Shorter ones would be found everywhere. */
const shortest = 6;

/** Of a secret that was cut off, so many characters are told from chance. */
const shortestPart = 4;

const mark = '[redacted]';

/** Headers and variables whose values say nothing secret. */
const harmlessHeaders = /^(?:accept(?:-.*)?|user-agent|cache-control|content-type|origin|host)$/i;
const secretName = /token|secret|passw|pwd|key|auth|credential|cookie|session|dsn/i;
/** A value that nobody would write as a word or path: letters and digits in one piece. */
const secretShape = /^(?=.*\d)(?=.*[A-Za-z])[\w.+=-]{12,}$/;

/** The values of a configuration that no error may repeat: credentials in headers, environment, address and sign-in. */
export function secretsOf(config: ServerConfig): string[] {
  const found = config.kind === 'stdio' ? environmentSecrets(config.env ?? {}) : httpSecrets(config);
  const spelled = found.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
  // A longer one may hold a shorter one.
  return [...new Set(spelled)].filter(({ length }) => length >= shortest).toSorted((a, b) => b.length - a.length);
}

function environmentSecrets(env: Readonly<Record<string, string | null>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== null && (secretName.test(name) || secretShape.test(value)) ? [value] : [],
  );
}

function httpSecrets({ headers = {}, url, oauth = {} }: Exclude<ServerConfig, { kind: 'stdio' }>): string[] {
  const values = Object.entries(headers).flatMap(([name, value]) => (harmlessHeaders.test(name) ? [] : parts(value)));
  if (URL.canParse(url)) {
    const { username, password, searchParams } = new URL(url);
    values.push(password, decoded(password), username);
    for (const [name, value] of searchParams) if (secretName.test(name) || secretShape.test(value)) values.push(value);
  }
  for (const [name, value] of Object.entries(oauth)) {
    if (typeof value === 'string' && /secret|assertion|privateKey|idToken/i.test(name)) values.push(value);
  }
  return values;
}

/** A header's value, and what stands behind its scheme. */
function parts(value: string): string[] {
  return [value, value.replace(/^\S+\s+/, '')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** The id of a session, as a server says back the headers of a request: who has it has the session. */
const sessionId = /((?:mcp-session-id|last-event-id|sessionid)\\*["']?\s*[:=]\s*\\*["']?)[^"'\\\s,;&]+/gi;

/** A quotation that was shortened may end within a secret. */
function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= shortestPart; length--) {
    const beginning = secret.slice(0, length);
    if (text.endsWith(beginning)) return `${text.slice(0, -length)}${mark}`;
    if (text.includes(`${beginning}…`)) return text.replaceAll(`${beginning}…`, `${mark}…`);
  }
  return text;
}

/** What a server added to a refusal, without the secrets; whatever reads it, an address for the person say, finds the rest as it was. */
function withoutSecrets(data: unknown, secrets: readonly string[]): unknown {
  const text = JSON.stringify(data);
  if (!secrets.some((secret) => text.includes(secret))) return data;
  const hidden: unknown = JSON.parse(secrets.reduce((left, secret) => left.replaceAll(secret, mark), text));
  return hidden;
}

/** Takes the secrets out of an error's words, in place, so that everybody who holds it sees it so. Gives the error back. */
export function hideSecrets<T extends Error>(error: T, secrets: readonly string[]): T {
  const hide = (text: string): string =>
    secrets.reduce(
      (left, secret) => withoutBeginning(left.replaceAll(secret, mark), secret),
      text.replaceAll(sessionId, `$1${mark}`),
    );
  for (const name of ['message', 'stack', 'body']) {
    const text: unknown = Reflect.get(error, name);
    if (typeof text === 'string') Reflect.set(error, name, hide(text));
  }
  if (error instanceof RpcError && error.data !== undefined)
    Reflect.set(error, 'data', withoutSecrets(error.data, secrets));
  if (error.cause instanceof Error) hideSecrets(error.cause, secrets);
  return error;
}
