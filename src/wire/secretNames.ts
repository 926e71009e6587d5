/** Which names stand for secrets. Names are shown; what they name is not. */

/** Request headers whose values are shown. A header that is not listed may carry a credential, so only its name is shown. */
const harmlessRequestHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'keep-alive',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'origin',
  'pragma',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

const sessionHeaders = new Set(['mcp-session-id', 'last-event-id', 'x-session-id', 'session-id', 'x-request-session']);

const secretWord =
  /token|secret|passw(?:or)?d|passphrase|pwd|api[-_ ]?key|authoriz|cookie|credential|private[-_ ]?key|access[-_ ]?key|verifier|assertion|session|dpop/i;

/** Names that hold one of these words and yet say nothing secret. */
const harmlessName =
  /(?:(?:progress|page|continuation|sync|resume|max|min|num|input|output|prompt|completion|total|cached|reasoning|bos|eos|pad|unk|stop|sep|mask|cls)[-_]?tokens?(?:[-_]?details)?|www-authenticate|(?:url|uri|endpoint|type|name|names|supported|count|limit|length|description|title|format|policy|methods?|path|file|hint|required|status|expires?(?:[-_]?(?:at|in|on))?|[-_](?:at|in)))$/i;

const sessionWord = /session/i;

/** How the value that a name stands for is shown: `plain`, `secret` (hash only) or `session` (four characters and a hash). */
export type Secrecy = 'plain' | 'secret' | 'session';

/** Of a JSON member, a form field or a variable. */
export function secrecyOfName(name: string): Secrecy {
  if (!secretWord.test(name) || harmlessName.test(name)) return 'plain';
  return sessionWord.test(name) && !/token|secret|cookie|key/i.test(name) ? 'session' : 'secret';
}

/** Of a header. Names are compared without case. */
export function secrecyOfHeader(name: string, direction: 'request' | 'response'): Secrecy {
  const lower = name.toLowerCase();
  if (sessionHeaders.has(lower)) return 'session';
  if (direction === 'request') return harmlessRequestHeaders.has(lower) ? 'plain' : 'secret';
  return secrecyOfName(lower);
}

/** Query fields whose values are shown: what a program pages, filters and selects with. */
const harmlessQueryNames = new Set([
  'api-version',
  'cursor',
  'format',
  'lang',
  'limit',
  'model',
  'offset',
  'order',
  'page',
  'page_size',
  'sort',
  'stream',
  'transport',
  'type',
  'v',
  'version',
]);

/** Of a field of a URL's query. A field that is not listed may carry a credential; short numbers and yes or no never do. */
export function secrecyOfQuery(name: string, value: string): Secrecy {
  const byName = secrecyOfName(name);
  if (byName !== 'plain') return byName;
  if (/^sid$/i.test(name)) return 'session';
  if (harmlessQueryNames.has(name.toLowerCase()) || /^(?:\d{0,5}|true|false|yes|no)$/i.test(value)) return 'plain';
  return 'secret';
}

/** Fields of OAuth's forms and answers that {@link secrecyOfName} does not know by their words (RFC 6749, 7636, 8628, 8693). */
const oauthFields = new Set(['code', 'state', 'device_code', 'user_code', 'nonce', 'key', 'auth', 'jwt', 'sig']);

/** Of a field of a form body. */
export function secrecyOfField(name: string): Secrecy {
  return oauthFields.has(name.toLowerCase()) ? 'secret' : secrecyOfName(name);
}
