import { asString, isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import { parseUrl } from '../../base/url.ts';
import { SignInError } from '../signInError.ts';
import type { OauthFetch } from './oauthFetch.ts';
import { canonicalResource, endpointUrl } from './urls.ts';

/** What a server says about its sign-in (RFC 9728 §2). */
export interface ProtectedResource {
  /** The value of `resource` to ask tokens for. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[];
  /** It takes, or wants, tokens that are bound to a key. */
  readonly dpop: boolean;
}

/** The server whose metadata (RFC 9728) are looked for. */
export interface ResourceLookup {
  readonly fetch: OauthFetch;
  /** The server's address. */
  readonly url: string;
  /** `resource_metadata` of the challenge. */
  readonly announced: string | undefined;
  /** A value of `resource` that the settings allow besides. */
  readonly allowed: string | undefined;
}

/**
 * Finds the server's metadata: where the challenge says, else at the well-known address with the server's path, else at the
 * root (RFC 9728 §3.1, "Protected Resource Metadata Discovery Requirements"). Undefined where there is none. Throws a
 * {@link SignInError} for metadata of another server.
 */
export async function findProtectedResource(lookup: ResourceLookup): Promise<ProtectedResource | undefined> {
  const server = new URL(lookup.url);
  for (const address of metadataAddresses(server, lookup.announced)) {
    const body = await getJson(lookup.fetch, address);
    const resource = body && asString(body['resource']);
    if (!body || resource === undefined) continue;
    return {
      resource: checkResource(resource, lookup, new URL(address)),
      authorizationServers: strings(body['authorization_servers']) ?? [],
      scopes: strings(body['scopes_supported']),
      dpop:
        body['dpop_bound_access_tokens_required'] === true || Array.isArray(body['dpop_signing_alg_values_supported']),
    };
  }
  return undefined;
}

function metadataAddresses(server: URL, announced: string | undefined): readonly string[] {
  const wellKnown = `${server.origin}/.well-known/oauth-protected-resource`;
  const path = server.pathname.replace(/\/+$/, '');
  const first = announced === undefined ? [] : [endpointUrl(announced, 'The address of its metadata', server).href];
  return [...new Set([...first, `${wellKnown}${path}`, wellKnown])];
}

/**
 * `resource` has to be the server's own address (RFC 9728 §3.3): equal but for a last slash, or the whole origin, as many
 * servers write it. Any other value would let one server collect tokens for another.
 */
function checkResource(resource: string, { url, allowed }: ResourceLookup, metadata: URL): string {
  if (resource === allowed) return resource;
  const claimed = parseUrl(resource);
  const own = new URL(url);
  const isOrigin = claimed?.pathname === '/' && claimed.search === '';
  const isOwn = claimed?.pathname.replace(/\/$/, '') === own.pathname.replace(/\/$/, '');
  if (claimed?.origin === own.origin && claimed.hash === '' && (isOwn || isOrigin)) return resource;
  const text =
    `its metadata (${metadata.origin}${metadata.pathname}) is for the resource ${resource.slice(0, 300)}, but its address is ` +
    `${canonicalResource(url)}. Correct its "url", or allow the value as "resource" in its "oauth" settings`;
  throw new SignInError('failed', text);
}

/** The object that an address serves; undefined where it serves none. Throws a {@link SignInError} when the server fails (5xx). */
export async function getJson(fetch: OauthFetch, address: string): Promise<JsonObject | undefined> {
  const headers = { Accept: 'application/json', 'MCP-Protocol-Version': '2025-11-25' };
  const response = await fetch.request(address, { method: 'GET', headers });
  const { host } = new URL(address);
  if (response.status >= 500) throw new SignInError('failed', `${host} failed with HTTP ${response.status}`);
  if (response.status !== 200) return undefined;
  const parsed = parseJson(await response.text());
  return parsed.ok && isRecord(parsed.value) ? parsed.value : undefined;
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;
}
