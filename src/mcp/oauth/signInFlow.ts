import * as oauth from 'oauth4webapi';
import { SignInError } from '../signInError.ts';
import type { ClientCredentials } from './clientAuth.ts';
import { DpopKey } from './dpop.ts';
import { explainOauthFailure, OauthRefusal } from './oauthFailure.ts';
import { loopbackRedirect } from './loopbackRedirect.ts';
import { sessionKey, type OauthOptions, type OauthSettings, type Redirect } from './oauthOptions.ts';
import { chooseClient, forgetClient, registeredPort } from './registration.ts';
import type { AuthorizationServer } from './serverMetadata.ts';
import { sessionFrom, type Session } from './session.ts';
import type { TokenRequests } from './tokenRequests.ts';

/** What one sign-in is done with. */
export interface SignInFlow {
  readonly options: OauthOptions;
  readonly settings: OauthSettings;
  readonly requests: TokenRequests;
  readonly server: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Bind the tokens to a key. */
  readonly dpop: boolean;
  readonly now: number;
}

/**
 * A person signs in: authorization code with PKCE in the browser (OAuth 2.1 §4.1). Rejects with a {@link SignInError}; nothing
 * of an answer from another authorization server than the one asked is used or shown.
 */
export async function signInWithBrowser(flow: SignInFlow): Promise<Session> {
  const { metadata } = flow.server;
  checkPkce(metadata);
  const { store, redirect: open = loopbackRedirect() } = flow.options;
  const place = await open(flow.settings.callbackPort ?? (await registeredPort(store, flow.server)));
  try {
    const { clientName = 'MCP Agent', clientMetadataUrl } = flow.options;
    const { server, settings, requests } = flow;
    const serverKey = sessionKey(flow.options);
    const redirectUri = place.uri;
    const choice = { server, settings, store, requests, clientName, clientMetadataUrl, redirectUri, serverKey };
    const client = await chooseClient(choice);
    return await authorize(flow, client, place);
  } finally {
    place.close();
  }
}

/** "Authorization Code Protection": no proof that the server checks the challenge, no sign-in. */
function checkPkce({
  issuer,
  code_challenge_methods_supported: methods,
  authorization_endpoint: endpoint,
}: oauth.AuthorizationServer): void {
  const { host } = new URL(issuer);
  if (endpoint === undefined) {
    throw new SignInError(
      'failed',
      `its authorization server ${host} has no page to sign in on ("authorization_endpoint")`,
    );
  }
  if (methods?.includes('S256')) return;
  const text = `its authorization server ${host} does not say that it checks PKCE with S256 ("code_challenge_methods_supported")`;
  throw new SignInError('failed', `${text}; without it the sign-in could be stolen`);
}

async function authorize(flow: SignInFlow, client: ClientCredentials, place: Redirect): Promise<Session> {
  const { server, requests, resource, scopes, now } = flow;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const key = flow.dpop ? await DpopKey.generate() : undefined;
  const url = await authorizationUrl(flow, client, { place, verifier, state, key });
  const { signal = new AbortController().signal } = flow.options;
  const answering = place.answer(state, signal);
  // It is awaited below; until then a rejection would count as unhandled.
  answering.catch(() => undefined);
  await flow.options.openBrowser(url);
  const code = readAnswer(flow, client, await answering, state);
  const parameters = { code, redirect_uri: place.uri, code_verifier: verifier, resource };
  try {
    const answer = await requests.token({
      server: server.metadata,
      client,
      grantType: 'authorization_code',
      parameters,
      dpop: key,
    });
    const frame = { issuer: server.key, clientId: client.clientId, resource, asked: scopes, dpopKey: key?.serialized };
    return sessionFrom(answer, frame, { now });
  } catch (error) {
    if (error instanceof OauthRefusal && /^(?:invalid|unauthorized)_client$/.test(error.error)) {
      await forgetClient(flow.options.store, server);
    }
    throw error;
  }
}

interface Attempt {
  readonly place: Redirect;
  readonly verifier: string;
  readonly state: string;
  readonly key: DpopKey | undefined;
}

async function authorizationUrl(flow: SignInFlow, client: ClientCredentials, attempt: Attempt): Promise<string> {
  const { scopes, resource } = flow;
  const url = new URL(flow.server.metadata.authorization_endpoint ?? '');
  const parameters: Record<string, string> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: attempt.place.uri,
    code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
    state: attempt.state,
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // OpenID Connect Core §11: without the question there is no refresh token.
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(attempt.key && { dpop_jkt: await attempt.key.handle.calculateThumbprint() }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The code in an answer that really is one to our question: `iss` first, byte for byte (RFC 9207 §2.4), then `state`. */
function readAnswer(flow: SignInFlow, client: ClientCredentials, answer: URLSearchParams, state: string): string {
  const { metadata } = flow.server;
  const { host } = new URL(metadata.issuer);
  const issuer = answer.get('iss');
  const isMissing = issuer === null && metadata.authorization_response_iss_parameter_supported === true;
  if (isMissing || (issuer !== null && issuer !== metadata.issuer)) {
    const how = isMissing ? 'does not say who gave it' : 'came from another authorization server';
    throw new SignInError('failed', `the answer to the sign-in at ${host} ${how}; it was thrown away`);
  }
  try {
    const checked = oauth.validateAuthResponse(metadata, { client_id: client.clientId }, answer, state);
    const code = checked.get('code');
    if (code !== null && code !== '') return code;
  } catch (error) {
    throw explainOauthFailure(error, `The sign-in at ${host}`);
  }
  throw new SignInError('failed', `the answer to the sign-in at ${host} holds no code`);
}
