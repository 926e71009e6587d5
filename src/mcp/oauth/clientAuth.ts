import { createPrivateKey, webcrypto, type KeyObject } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { SignInError } from '../signInError.ts';

/** What a client proves itself with. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** `token_endpoint_auth_method` that it was registered with. */
  readonly method?: string;
  readonly privateKey?: string;
  readonly keyId?: string;
  readonly algorithm?: string;
}

/** How the client proves itself at the token endpoint: as registered, else the best that both sides know. */
export async function clientAuth(
  server: oauth.AuthorizationServer,
  client: ClientCredentials,
): Promise<oauth.ClientAuth> {
  if (client.privateKey !== undefined) return privateKeyAuth(server, client, client.privateKey);
  const { clientSecret: secret } = client;
  const method = client.method === 'none' && secret !== undefined ? undefined : client.method;
  if (secret === undefined) return oauth.None();
  // RFC 8414 §2: where nothing is said, Basic it is.
  const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const chosen = method ?? ['client_secret_basic', 'client_secret_post'].find((known) => supported.includes(known));
  if (chosen === 'client_secret_post') return oauth.ClientSecretPost(secret);
  if (chosen === undefined && supported.includes('none')) return oauth.None();
  return basicAuth(secret);
}

/**
 * `client_secret_basic` with plain percent encoding: the library also encodes `-`, `_` and `.`, which RFC 6749 §2.3.1 allows,
 * but many servers compare without decoding.
 */
function basicAuth(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

async function privateKeyAuth(
  server: oauth.AuthorizationServer,
  client: ClientCredentials,
  pem: string,
): Promise<oauth.ClientAuth> {
  const key = readKey(pem);
  const algorithm = client.algorithm ?? algorithmOf(key, server.token_endpoint_auth_signing_alg_values_supported ?? []);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  try {
    const imported = await webcrypto.subtle.importKey('pkcs8', der, parametersOf(algorithm), false, ['sign']);
    return oauth.PrivateKeyJwt({ key: imported, kid: client.keyId });
  } catch {
    // What the library threw may quote the key.
    throw new SignInError('failed', `"privateKey" in its "oauth" settings does not fit the algorithm ${algorithm}`);
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // What the library threw may quote the key.
    throw new SignInError('failed', '"privateKey" in its "oauth" settings is no private key in PEM form');
  }
}

function algorithmOf(key: KeyObject, supported: readonly string[]): string {
  const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };
  switch (key.asymmetricKeyType) {
    case 'ec':
      return curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'ES256';
    case 'ed25519':
      return 'Ed25519';
    default:
      return supported.find((name) => /^[RP]S\d/.test(name)) ?? 'RS256';
  }
}

function parametersOf(algorithm: string): { name: string; hash?: string; namedCurve?: string } {
  const bits = algorithm.slice(2);
  if (algorithm.startsWith('ES')) return { name: 'ECDSA', namedCurve: `P-${bits === '512' ? '521' : bits}` };
  if (algorithm.startsWith('PS')) return { name: 'RSA-PSS', hash: `SHA-${bits}` };
  if (algorithm.startsWith('RS')) return { name: 'RSASSA-PKCS1-v1_5', hash: `SHA-${bits}` };
  return { name: 'Ed25519' };
}
