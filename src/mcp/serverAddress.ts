import { decodePart, parseUrl } from '../base/url.ts';
import { TransportError } from './errors.ts';
import type { HttpServerConfig } from './serverConfig.ts';

/** Where requests go, and with which headers. */
export interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the configured address: `http://user:password@host` becomes a Basic Authorization header, so that it also reaches the
 * announced endpoint. Throws a TransportError for what is no address of the web, without repeating it: it may hold a secret.
 */
export function addressOfServer({ name, url: configured, headers = {} }: HttpServerConfig): ServerAddress {
  const written = configured.trim();
  if (!/^https?:$/.test(parseUrl(written)?.protocol ?? '')) {
    const text = 'its URL is no address of the web. Correct it; it should look like "http://127.0.0.1:3000/mcp"';
    throw new TransportError('unreachable', `${name}: ${text}`);
  }
  const match = /^(https?:\/\/)([^/?#]*)@/i.exec(written);
  if (!match) return { url: written, headers };
  const url = (match[1] ?? '') + written.slice(match[0].length);
  if (Object.keys(headers).some((header) => header.toLowerCase() === 'authorization')) return { url, headers };
  const [user = '', password = ''] = (match[2] ?? '').split(/:(.*)/s).map(decodePart);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return { url, headers: { ...headers, Authorization: `Basic ${basic}` } };
}
