import { asString, isRecord, type JsonObject } from '../../base/json.ts';
import { SignInError } from '../signInError.ts';
import type { IdentityProvider, OauthSettings } from './oauthOptions.ts';

const GRANTS = ['authorization_code', 'client_credentials', 'jwt_bearer', 'enterprise'] as const;

/** Reads the `oauth` object of an entry. Throws a {@link SignInError} that names the member that is wrong. */
export function readOauthSettings(value: Readonly<Record<string, unknown>> = {}): OauthSettings {
  const text = (name: string): string | undefined => readText(value, name);
  const provider = value['identityProvider'];
  return {
    grant: readGrant(value),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    issuer: text('issuer'),
    scopes: readScopes(value['scopes']),
    resource: text('resource'),
    callbackPort: readPort(value['callbackPort']),
    clientMetadataUrl: text('clientMetadataUrl'),
    dpop: value['dpop'] === true,
    privateKey: text('privateKey'),
    keyId: text('keyId'),
    algorithm: text('algorithm'),
    assertion: text('assertion'),
    assertionFile: text('assertionFile'),
    identityProvider: isRecord(provider) ? readProvider(provider) : undefined,
  };
}

function readText(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new SignInError('failed', `"${name}" in its "oauth" settings must be text`);
}

/** What is given says which grant is meant, where "grant" does not. */
function readGrant(value: JsonObject): OauthSettings['grant'] {
  const written = readText(value, 'grant')?.replaceAll('-', '_');
  if (written === undefined) {
    if (isRecord(value['identityProvider'])) return 'enterprise';
    if (isRecord(value) && (asString(value['assertion']) ?? asString(value['assertionFile']))) return 'jwt_bearer';
    return 'authorization_code';
  }
  const grant = GRANTS.find((known) => known === written);
  if (grant) return grant;
  throw new SignInError('failed', `"grant" in its "oauth" settings is none of ${GRANTS.join(', ')}`);
}

function readScopes(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
}

function readPort(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new SignInError('failed', '"callbackPort" in its "oauth" settings must be a port');
}

function readProvider(value: JsonObject): IdentityProvider {
  const clientId = readText(value, 'clientId');
  const idToken = readText(value, 'idToken');
  const tokenEndpoint = readText(value, 'tokenEndpoint');
  const issuer = readText(value, 'issuer');
  if (clientId === undefined || idToken === undefined || (tokenEndpoint ?? issuer) === undefined) {
    const text =
      '"identityProvider" in its "oauth" settings needs "clientId", "idToken" and "issuer" or "tokenEndpoint"';
    throw new SignInError('failed', text);
  }
  return { clientId, idToken, tokenEndpoint, issuer, clientSecret: readText(value, 'clientSecret') };
}
