import { parseUrl } from '../base/url.ts';
import { ProtocolError } from './errors.ts';

/**
 * The address that an `endpoint` event of HTTP+SSE announces (2024-11-05, "Transports"): relative, path-only or absolute,
 * resolved against where the stream comes from. Blanks around it are trimmed and its query is kept byte for byte. Throws a
 * ProtocolError when it is no address, or on another origin: the messages, and with them what they carry, would go there.
 */
export function resolveEndpoint(announced: string, streamUrl: string, server: string): string {
  const value = announced.trim();
  const quoted = JSON.stringify(announced.length > 300 ? `${announced.slice(0, 300)}…` : announced);
  if (value === '')
    throw new ProtocolError('endpoint', `${server}: the server announced an empty endpoint (${quoted})`);
  const endpoint = parseUrl(value, streamUrl);
  if (!endpoint || hasEscapedScheme(value)) {
    throw new ProtocolError('endpoint', `${server}: the server announced an endpoint that is no address: ${quoted}`);
  }
  const { origin } = new URL(streamUrl);
  if (endpoint.origin !== origin) {
    const other = endpoint.origin === 'null' ? endpoint.protocol : endpoint.origin;
    throw new ProtocolError(
      'endpoint',
      `${server}: the server at ${origin} announced an endpoint on another origin, ${other}; nothing is sent there`,
    );
  }
  return `${origin}${endpoint.pathname}${rawQuery(value) ?? endpoint.search}`;
}

/** `https%3A//host/…`: a whole address that was escaped as if it were a path. */
function hasEscapedScheme(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*%3a/i.test(value);
}

/** The query as written, where it consists of characters that may stand in a request line. */
function rawQuery(value: string): string | undefined {
  const [whole = ''] = value.split('#', 1);
  const start = whole.indexOf('?');
  const query = start < 0 ? '' : whole.slice(start);
  return /^[\x21-\x7e]*$/.test(query) ? query : undefined;
}
