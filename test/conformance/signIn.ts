/**
 * How the conformance client signs in: what a person would write into the `oauth` settings of the server, from what the suite
 * hands over, and a browser that says yes to everything.
 */
import { asString, type JsonObject } from '../../src/base/json.ts';
import type { OauthOptions } from '../../src/core.ts';

/** The address that the suite expects as client ID where it offers client ID metadata documents. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** The `oauth` object of the server's settings. */
export function oauthSettings(scenario: string, context: JsonObject): JsonObject {
  const text = (name: string): string | undefined => asString(context[name]);
  const idToken = text('idp_id_token');
  const assertion = text('valid_jwt');
  return {
    clientId: text('client_id'),
    clientSecret: text('client_secret'),
    issuer: text('issuer'),
    privateKey: text('private_key_pem'),
    algorithm: text('signing_algorithm'),
    ...(scenario.includes('client-credentials') && { grant: 'client_credentials' }),
    ...(assertion !== undefined && { assertion }),
    ...(idToken !== undefined && {
      identityProvider: {
        idToken,
        clientId: text('idp_client_id'),
        issuer: text('idp_issuer'),
        tokenEndpoint: text('idp_token_endpoint'),
      },
    }),
  };
}

/** Sign-ins in this process's memory, by a person who agrees at once. */
export function oauthOptions(url: string, settings: JsonObject): OauthOptions {
  const kept = new Map<string, string>();
  return {
    server: 'conformance',
    url,
    settings,
    interactive: true,
    clientMetadataUrl: CLIENT_METADATA_URL,
    store: {
      get: (key) => Promise.resolve(kept.get(key)),
      set: (key, value) => Promise.resolve(void kept.set(key, value)),
      delete: (key) => Promise.resolve(void kept.delete(key)),
    },
    openBrowser: async (address) => {
      const response = await fetch(address);
      await response.text();
    },
  };
}
