import { timingSafeEqual } from 'node:crypto';
import type http from 'node:http';

/** What a request has to know to be let in. */
export interface Entrance {
  readonly port: number;
  /** The first step of every path. */
  readonly path: string;
  readonly token: string;
}

/** A refusal, or the id of the server that is asked for. */
export type Admission =
  | { readonly kind: 'refused'; readonly status: 401 | 403 | 404; readonly reason: string }
  | { readonly kind: 'admitted'; readonly id: string };

/**
 * Lets in who was told the address and the token, and no web page: a page of another origin carries `Origin`, and one that has turned
 * its name to this machine carries its own name as `Host` (MCP 2025-11-25, transports, security warning).
 */
export function admit(
  { headers, url = '/' }: Pick<http.IncomingMessage, 'headers' | 'url'>,
  entrance: Entrance,
): Admission {
  const { port, path, token } = entrance;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return refused(403, 'This gateway is not known under that host.');
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
    return refused(403, 'Web pages are not let in.');
  const steps = url.split('?')[0]?.split('/') ?? [];
  const [, first = '', id = ''] = steps;
  if (steps.length !== 3 || !isSame(first, path)) return refused(404, 'There is nothing here.');
  if (!isSame(headers.authorization ?? '', `Bearer ${token}`)) return refused(401, 'The token is missing or wrong.');
  return { kind: 'admitted', id };
}

function refused(status: 401 | 403 | 404, reason: string): Admission {
  return { kind: 'refused', status, reason };
}

/** Takes as long for a near miss as for a wild guess. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
