import * as oauth from 'oauth4webapi';
import { asString, type JsonObject } from '../../base/json.ts';
import { parseUrl } from '../../base/url.ts';
import { SignInError } from '../signInError.ts';
import { explainOauthFailure } from './oauthFailure.ts';
import type { OauthFetch } from './oauthFetch.ts';
import { getJson } from './protectedResource.ts';
import { endpointUrl } from './urls.ts';

/** An authorization server and the name under which credentials for it are kept. */
export interface AuthorizationServer {
  readonly metadata: oauth.AuthorizationServer;
  /** The issuer that the server's metadata names; for servers of 2025-03-26 their own origin. */
  readonly key: string;
}

/**
 * The metadata of an issuer: OAuth's well-known address, then OpenID's with the path inserted, then with the path in front
 * ("Authorization Server Metadata Discovery"). Throws a {@link SignInError} when there is none, or it is another issuer's.
 */
export async function findAuthorizationServer(
  fetch: OauthFetch,
  issuer: string,
  server: URL,
): Promise<AuthorizationServer> {
  const url = endpointUrl(issuer, 'Its authorization server', server);
  for (const address of metadataAddresses(url)) {
    const body = await getJson(fetch, address);
    if (!body) continue;
    checkIssuer(body, issuer);
    return { metadata: await checked(body, new URL(String(body['issuer'])), server), key: issuer };
  }
  throw new SignInError('failed', `its authorization server ${url.origin}${url.pathname} publishes no metadata`);
}

function metadataAddresses({ origin, pathname }: URL): readonly string[] {
  const path = pathname.replace(/\/+$/, '');
  const addresses = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(addresses)];
}

/** RFC 8414 §3.3: the very same string; only a last slash is let pass. */
function checkIssuer(body: JsonObject, issuer: string): void {
  const claimed = asString(body['issuer']) ?? '';
  if (claimed.replace(/\/$/, '') === issuer.replace(/\/$/, '')) return;
  const text = `the metadata of the authorization server ${issuer} is that of another issuer: ${claimed.slice(0, 300)}`;
  throw new SignInError('failed', text);
}

/**
 * Servers of 2025-03-26 are their own authorization server, at the root of their origin; where they publish no metadata either,
 * the endpoints have fixed names ("Fallbacks for Servers without Metadata Discovery"). `isDocumented` says that metadata was found.
 */
export async function ownAuthorizationServer(
  fetch: OauthFetch,
  server: URL,
): Promise<AuthorizationServer & { readonly isDocumented: boolean }> {
  const { origin } = server;
  const body = await getJson(fetch, `${origin}/.well-known/oauth-authorization-server`);
  if (body) {
    const issuer = parseUrl(asString(body['issuer']) ?? '') ?? new URL(origin);
    const metadata = await checked({ ...body, issuer: asString(body['issuer']) ?? origin }, issuer, server);
    return { metadata, key: origin, isDocumented: true };
  }
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  };
  return { metadata, key: origin, isDocumented: false };
}

/** Types the metadata, and refuses endpoints that must not be spoken to. */
async function checked(body: JsonObject, issuer: URL, server: URL): Promise<oauth.AuthorizationServer> {
  for (const [name, value] of Object.entries(body)) {
    if (name.endsWith('_endpoint') && typeof value === 'string')
      endpointUrl(value, `"${name}" of ${issuer.origin}`, server);
  }
  try {
    return await oauth.processDiscoveryResponse(issuer, Response.json(body));
  } catch (error) {
    throw explainOauthFailure(error, `Reading the metadata of ${issuer.origin}`);
  }
}
