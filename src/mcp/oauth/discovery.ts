import { SignInError } from '../signInError.ts';
import type { OauthChallenge } from './challenges.ts';
import type { OauthFetch } from './oauthFetch.ts';
import type { OauthOptions, OauthSettings } from './oauthOptions.ts';
import { findProtectedResource } from './protectedResource.ts';
import { findAuthorizationServer, ownAuthorizationServer, type AuthorizationServer } from './serverMetadata.ts';
import { canonicalResource } from './urls.ts';

/** Where and for what a token is asked. */
export interface Found {
  readonly server: AuthorizationServer;
  readonly resource: string;
  /** All scopes that the server lists. */
  readonly scopes: readonly string[] | undefined;
  /** Tokens are to be bound to a key. */
  readonly dpop: boolean;
}

/** What the search for an authorization server starts from. */
export interface Discovery {
  readonly fetch: OauthFetch;
  readonly options: OauthOptions;
  readonly settings: OauthSettings;
  readonly challenge: OauthChallenge;
  /** The authorization server that was used before: taken again where the server still names it. */
  readonly before: string | undefined;
}

/** From a refusal to the authorization server. Throws a {@link SignInError} `unsupported` where the server does not say how to sign in. */
export async function discover(discovery: Discovery): Promise<Found> {
  const { fetch, options, settings, challenge } = discovery;
  const url = new URL(options.url);
  const announced = challenge.resourceMetadata;
  const found = await findProtectedResource({ fetch, url: options.url, announced, allowed: settings.resource });
  const issuer = found && pick(found.authorizationServers, settings.issuer ?? discovery.before);
  if (found && issuer !== undefined) {
    const server = await findAuthorizationServer(fetch, issuer, url);
    const { resource, scopes } = found;
    return { server, resource, scopes, dpop: settings.dpop || ((found.dpop || challenge.dpop) && knowsDpop(server)) };
  }
  const server = await ownAuthorizationServer(fetch, url);
  if (!server.isDocumented && !options.interactive) throw notSaid();
  const resource = found?.resource ?? settings.resource ?? canonicalResource(options.url);
  return { server, resource, scopes: found?.scopes, dpop: settings.dpop };
}

/** The server names none of the ways to sign in. */
export function notSaid(): SignInError {
  const text = 'it asks for credentials, but does not say where to get them';
  return new SignInError(
    'unsupported',
    `${text}. Put them into the "headers" of its settings (for instance "Authorization")`,
  );
}

function pick(servers: readonly string[], preferred: string | undefined): string | undefined {
  return servers.find((issuer) => issuer === preferred) ?? servers[0];
}

function knowsDpop({ metadata }: AuthorizationServer): boolean {
  return metadata.dpop_signing_alg_values_supported?.includes('ES256') === true;
}
