import { asString, isRecord, parseJson } from '../../base/json.ts';
import { parseUrl } from '../../base/url.ts';
import { SignInError } from '../signInError.ts';
import type { ClientCredentials } from './clientAuth.ts';
import { explainOauthFailure } from './oauthFailure.ts';
import type { OauthSettings, OauthStore } from './oauthOptions.ts';
import type { AuthorizationServer } from './serverMetadata.ts';
import type { TokenRequests } from './tokenRequests.ts';

/** A client that was registered by itself, as it is kept. */
interface StoredClient extends ClientCredentials {
  readonly redirectUri: string;
}

/** What a client id is chosen from. */
export interface ClientChoice {
  readonly server: AuthorizationServer;
  readonly settings: OauthSettings;
  readonly store: OauthStore;
  readonly requests: TokenRequests;
  readonly clientName: string;
  readonly clientMetadataUrl: string | undefined;
  readonly redirectUri: string;
  /** Names the server, for what is remembered about it. */
  readonly serverKey: string;
}

function clientKey(server: AuthorizationServer): string {
  return `oauth.client:${server.key}`;
}

/**
 * Which client we are at an authorization server ("Client Registration Approaches"): the one of the settings, else the one that
 * our metadata document describes, else one that was registered there before, else a new registration. Credentials belong to
 * one issuer and are never shown to another. Rejects with a {@link SignInError} that says what is left to do.
 */
export async function chooseClient(choice: ClientChoice): Promise<ClientCredentials> {
  const { server, settings, store, redirectUri } = choice;
  const own = await pinnedClient(choice);
  if (own) return own;
  const document = settings.clientMetadataUrl ?? choice.clientMetadataUrl;
  if (document !== undefined && server.metadata['client_id_metadata_document_supported'] === true) {
    return { clientId: checkDocumentUrl(document), method: 'none' };
  }
  const stored = await readClient(store, server);
  if (stored?.redirectUri === redirectUri) return stored;
  if (server.metadata.registration_endpoint === undefined) throw cannotRegister(server);
  const client = await register(choice);
  await store.set(clientKey(server), JSON.stringify({ ...client, redirectUri } satisfies StoredClient));
  return client;
}

/** The port that the browser came back to when the client was registered: it may be the only one that is allowed. */
export async function registeredPort(store: OauthStore, server: AuthorizationServer): Promise<number | undefined> {
  const uri = parseUrl((await readClient(store, server))?.redirectUri ?? '');
  return uri && uri.port !== '' ? Number(uri.port) : undefined;
}

/** Forgets a client that the authorization server does not know any more. */
export async function forgetClient(store: OauthStore, server: AuthorizationServer): Promise<void> {
  await store.delete(clientKey(server));
}

/** The client that the person has registered. Throws a {@link SignInError} where it belongs to another authorization server. */
function clientOfSettings(settings: OauthSettings, server: AuthorizationServer): ClientCredentials | undefined {
  const { clientId, clientSecret, privateKey, keyId, algorithm, issuer } = settings;
  if (clientId === undefined) return undefined;
  if (issuer !== undefined && issuer.replace(/\/$/, '') !== server.key.replace(/\/$/, '')) {
    const text = `its "oauth" settings are for the authorization server ${issuer}, but it names ${server.key}`;
    throw new SignInError('failed', `${text}. Nothing was sent; correct the settings if that is meant`);
  }
  return { clientId, clientSecret, privateKey, keyId, algorithm };
}

/** The client that a token was given to, for its refresh. */
export async function clientOfSession(
  clientId: string,
  { server, settings, store }: Pick<ClientChoice, 'server' | 'settings' | 'store'>,
): Promise<ClientCredentials> {
  const known = [clientOfSettings(settings, server), await readClient(store, server)];
  return known.find((client) => client?.clientId === clientId) ?? { clientId };
}

/**
 * The client of the settings. Where these do not say to which authorization server it belongs, it belongs to the first one that
 * the server named: a server that later names another gets no secret sent there. Rejects with a {@link SignInError} then.
 */
export async function pinnedClient(
  choice: Pick<ClientChoice, 'server' | 'settings' | 'store' | 'serverKey'>,
): Promise<ClientCredentials | undefined> {
  const { server, settings, store, serverKey } = choice;
  const client = clientOfSettings(settings, server);
  if (!client || settings.issuer !== undefined) return client;
  const key = `oauth.issuer:${serverKey}:${client.clientId}`;
  const pinned = await store.get(key);
  if (pinned === undefined) await store.set(key, server.key);
  if (pinned === undefined || pinned === server.key) return client;
  const text = `its "clientId" was used at ${pinned}, but now it names the authorization server ${server.key}. Nothing was sent`;
  throw new SignInError('failed', `${text}; if that is meant, write this "issuer" into its "oauth" settings`);
}

function checkDocumentUrl(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol === 'https:' && url.pathname !== '/') return text;
  throw new SignInError('failed', '"clientMetadataUrl" must be an https address with a path');
}

async function readClient(store: OauthStore, server: AuthorizationServer): Promise<StoredClient | undefined> {
  const parsed = parseJson((await store.get(clientKey(server))) ?? 'null');
  const value = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  const clientId = asString(value['clientId']);
  const redirectUri = asString(value['redirectUri']);
  if (clientId === undefined || redirectUri === undefined) return undefined;
  return { clientId, redirectUri, clientSecret: asString(value['clientSecret']), method: asString(value['method']) };
}

/** RFC 7591: a native client that keeps no secret where the server allows it. */
async function register({ server, requests, clientName, redirectUri }: ClientChoice): Promise<ClientCredentials> {
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server.metadata;
  const method = ['none', 'client_secret_basic', 'client_secret_post'].find((known) => methods.includes(known));
  try {
    const client = await requests.register(server.metadata, {
      client_name: clientName,
      application_type: 'native',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method ?? 'none',
    });
    const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: given } = client;
    return { clientId, clientSecret: asString(secret), method: asString(given) ?? method };
  } catch (error) {
    throw explainOauthFailure(error, `Registering at ${new URL(server.metadata.issuer).host}`);
  }
}

function cannotRegister({ metadata }: AuthorizationServer): SignInError {
  const text = `its authorization server ${new URL(metadata.issuer).host} registers no clients by itself`;
  return new SignInError('failed', `${text}: register one there and write its "clientId" into the "oauth" settings`);
}
