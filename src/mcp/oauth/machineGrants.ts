import { readFile } from 'node:fs/promises';
import { asString } from '../../base/json.ts';
import { SignInError } from '../signInError.ts';
import type { ClientCredentials } from './clientAuth.ts';
import { DpopKey } from './dpop.ts';
import type { OauthFetch } from './oauthFetch.ts';
import { sessionKey, type IdentityProvider } from './oauthOptions.ts';
import { pinnedClient } from './registration.ts';
import { findAuthorizationServer } from './serverMetadata.ts';
import { sessionFrom, type Session } from './session.ts';
import type { SignInFlow } from './signInFlow.ts';
import { endpointUrl } from './urls.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Gets a token without a person, by the grant that the settings name. A refusal stands: there is no second try and no other
 * grant. Rejects with a {@link SignInError}.
 */
export async function signInAlone(flow: SignInFlow, fetch: OauthFetch): Promise<Session> {
  const { server, settings, resource, scopes, requests } = flow;
  const { store } = flow.options;
  const client = await pinnedClient({ server, settings, store, serverKey: sessionKey(flow.options) });
  if (!client) throw new SignInError('failed', '"clientId" is missing in its "oauth" settings');
  const key = flow.dpop ? await DpopKey.generate() : undefined;
  const [grantType, own] = await grantOf(flow, fetch);
  const parameters = { ...own, resource, ...(scopes.length > 0 && { scope: scopes.join(' ') }) };
  const answer = await requests.token({ server: server.metadata, client, grantType, parameters, dpop: key });
  const frame = { issuer: server.key, clientId: client.clientId, resource, asked: scopes, dpopKey: key?.serialized };
  return sessionFrom(answer, frame, { now: flow.now });
}

async function grantOf(
  flow: SignInFlow,
  fetch: OauthFetch,
): Promise<[type: string, parameters: Record<string, string>]> {
  const { settings } = flow;
  switch (settings.grant) {
    case 'client_credentials':
      return ['client_credentials', {}];
    case 'jwt_bearer':
      return [JWT_BEARER, { assertion: await readAssertion(flow) }];
    case 'enterprise':
      return [JWT_BEARER, { assertion: await exchangeIdToken(flow, fetch) }];
    case 'authorization_code':
      throw new SignInError('needed', 'a person has to sign in');
  }
}

/** A workload's token may be renewed under our feet, so that its file is read each time. */
async function readAssertion({ settings }: SignInFlow): Promise<string> {
  const { assertion, assertionFile } = settings;
  if (assertion !== undefined) return assertion;
  if (assertionFile === undefined) {
    throw new SignInError('failed', '"assertion" or "assertionFile" is missing in its "oauth" settings');
  }
  try {
    return (await readFile(assertionFile, 'utf8')).trim();
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new SignInError('failed', `the "assertionFile" ${assertionFile} cannot be read (${reason})`);
  }
}

/** Enterprise-managed authorization: the company's ID token is exchanged for a grant at the server's authorization server (RFC 8693, ID-JAG). */
async function exchangeIdToken(flow: SignInFlow, fetch: OauthFetch): Promise<string> {
  const { settings, server, resource, scopes, requests } = flow;
  const provider = settings.identityProvider;
  if (!provider) throw new SignInError('failed', '"identityProvider" is missing in its "oauth" settings');
  const answer = await requests.token({
    server: await providerMetadata(flow, provider, fetch),
    client: providerClient(provider),
    grantType: TOKEN_EXCHANGE,
    parameters: {
      requested_token_type: ID_JAG,
      subject_token: provider.idToken,
      subject_token_type: ID_TOKEN,
      audience: server.metadata.issuer,
      resource,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    },
    tokenTypes: ['n_a'],
  });
  const type = asString(answer['issued_token_type']);
  if (type === ID_JAG) return answer.access_token;
  throw new SignInError('failed', `the identity provider gave a token of the type ${type ?? 'unknown'}, not an ID-JAG`);
}

function providerClient({ clientId, clientSecret }: IdentityProvider): ClientCredentials {
  return { clientId, clientSecret };
}

async function providerMetadata({ options }: SignInFlow, provider: IdentityProvider, fetch: OauthFetch) {
  const server = new URL(options.url);
  const { tokenEndpoint, issuer = '' } = provider;
  if (tokenEndpoint === undefined) return (await findAuthorizationServer(fetch, issuer, server)).metadata;
  const url = endpointUrl(tokenEndpoint, 'The "tokenEndpoint" of its identity provider', server);
  return { issuer: provider.issuer ?? url.origin, token_endpoint: url.href };
}
