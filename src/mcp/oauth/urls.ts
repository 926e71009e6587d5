import { parseUrl } from '../../base/url.ts';
import { SignInError } from '../signInError.ts';

/** True for this machine itself, where http is allowed. */
export function isLoopback(url: URL): boolean {
  const { hostname } = url;
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}

/**
 * A URL that requests of a sign-in may go to: https, or http on this machine, and that only where the server itself is on this
 * machine, so that no server elsewhere makes us speak to programs here. Throws a {@link SignInError} that names it.
 */
export function endpointUrl(text: string, what: string, server: URL): URL {
  const url = parseUrl(text, server.href);
  if (!url) throw new SignInError('failed', `${what} is no address: ${text.slice(0, 200)}`);
  if (url.username !== '' || url.password !== '') throw new SignInError('failed', `${what} holds a user name`);
  if (url.protocol === 'https:') return url;
  if (url.protocol === 'http:' && isLoopback(url) && isLoopback(server)) return url;
  throw new SignInError(
    'failed',
    `${what} must be an https address, not ${url.origin === 'null' ? url.protocol : url.origin}`,
  );
}

/** The server's canonical address (RFC 8707 §2): no fragment, no query, no slash where the path is nothing but a slash. */
export function canonicalResource(address: string): string {
  const { origin, pathname } = new URL(address);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}
