import * as oauth from 'oauth4webapi';
import { isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import { parseUrl } from '../../base/url.ts';
import type { ClientCredentials } from './clientAuth.ts';
import { clientAuth } from './clientAuth.ts';
import type { DpopKey } from './dpop.ts';
import { explainOauthFailure } from './oauthFailure.ts';
import type { OauthFetch } from './oauthFetch.ts';
import { isLoopback } from './urls.ts';

/** One request to a token endpoint. */
export interface TokenRequest {
  readonly server: oauth.AuthorizationServer;
  readonly client: ClientCredentials;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly dpop?: DpopKey;
  /** Token types besides `bearer` and `dpop` that may come. */
  readonly tokenTypes?: readonly string[];
}

/** What an authorization server answers, checked. */
export type TokenAnswer = oauth.TokenEndpointResponse;
/** What an authorization server answers to a registration (RFC 7591). */
export type RegisteredClient = Awaited<ReturnType<typeof oauth.processDynamicClientRegistrationResponse>>;

/** Requests to an authorization server, through the library, on our own HTTP. */
export class TokenRequests {
  readonly #fetch: OauthFetch;

  constructor(fetch: OauthFetch) {
    this.#fetch = fetch;
  }

  /** Asks for a token; once more where the server wants a nonce in the proof (RFC 9449 §8). Rejects with what `explainOauthFailure` makes of it. */
  async token(request: TokenRequest): Promise<TokenAnswer> {
    try {
      return await this.#token(request);
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw this.#explain(error, request);
    }
    try {
      return await this.#token(request);
    } catch (error) {
      throw this.#explain(error, request);
    }
  }

  async register(server: oauth.AuthorizationServer, metadata: Partial<oauth.Client>): Promise<RegisteredClient> {
    const response = await oauth.dynamicClientRegistrationRequest(
      server,
      metadata,
      this.#options(server.registration_endpoint),
    );
    return oauth.processDynamicClientRegistrationResponse(await mended(response, mendRegistration));
  }

  /** Tells the server that a token is not used any more (RFC 7009). */
  async revoke(server: oauth.AuthorizationServer, client: ClientCredentials, token: string): Promise<void> {
    const known = { client_id: client.clientId };
    const options = this.#options(server.revocation_endpoint);
    await oauth.revocationRequest(server, known, await clientAuth(server, client), token, options);
  }

  async #token({ server, client, grantType, parameters, dpop, tokenTypes = [] }: TokenRequest): Promise<TokenAnswer> {
    const known = { client_id: client.clientId };
    const auth = await clientAuth(server, client);
    const options = { ...this.#options(server.token_endpoint), ...(dpop && { DPoP: dpop.handle }) };
    const response = await oauth.genericTokenEndpointRequest(server, known, auth, grantType, parameters, options);
    const recognizedTokenTypes = Object.fromEntries(tokenTypes.map((type) => [type, () => undefined]));
    const answer = await mended(response, mendToken);
    return oauth.processGenericTokenEndpointResponse(server, known, answer, { recognizedTokenTypes });
  }

  #explain(error: unknown, { server }: TokenRequest): Error {
    return explainOauthFailure(
      error,
      `The request for a token at ${new URL(server.token_endpoint ?? server.issuer).host}`,
    );
  }

  /** http is for this machine alone; addresses were checked when the metadata was read. */
  #options(endpoint: string | undefined) {
    const url = parseUrl(endpoint ?? '');
    return {
      [oauth.allowInsecureRequests]: url !== undefined && isLoopback(url),
      [oauth.customFetch]: (address: string, request: oauth.CustomFetchOptions<'POST', string | URLSearchParams>) =>
        this.#fetch.request(address, { method: 'POST', headers: request.headers, body: String(request.body) }),
    };
  }
}

interface Answer {
  status: number;
  body: JsonObject;
}

/** Brings an answer to the form that the library insists on, for servers that are not that exact. */
async function mended(response: Response, mend: (answer: Answer) => void): Promise<Response> {
  const text = await response.text();
  const parsed = parseJson(text);
  const headers = new Headers(response.headers);
  if (!parsed.ok || !isRecord(parsed.value)) {
    return new Response(text === '' ? null : text, { status: response.status, headers });
  }
  const answer = { status: response.status, body: dropNulls(parsed.value) };
  mend(answer);
  // A refusal says in its body what is wrong; its challenge would only hide that.
  if (typeof answer.body['error'] === 'string') headers.delete('www-authenticate');
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

function dropNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Some refuse with 200. The ID token is of no use here, and need not be checked. */
function mendToken(answer: Answer): void {
  delete answer.body['id_token'];
  const refused = typeof answer.body['error'] === 'string' && answer.body['access_token'] === undefined;
  if (refused && answer.status < 400) answer.status = 400;
  if (answer.body['access_token'] !== undefined) answer.body['token_type'] ??= 'bearer';
  if (typeof answer.body['refresh_token'] === 'string' && answer.body['refresh_token'] === '')
    delete answer.body['refresh_token'];
}

/** Many leave out when the secret expires, or answer with 200. */
function mendRegistration(answer: Answer): void {
  if (answer.body['client_secret'] !== undefined) answer.body['client_secret_expires_at'] ??= 0;
  if (answer.body['client_id'] !== undefined && answer.status === 200) answer.status = 201;
}
