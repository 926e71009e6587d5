import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../src/base/json.ts';
import { startServer, type RecordedRequest, type TestServer } from './httpServer.ts';

/** How the server behaves. */
export interface AuthorizationScript {
  /** Merged into the metadata; null removes a member. */
  readonly metadata?: JsonObject;
  /** Seconds; null: the server does not say. */
  readonly expiresIn?: number | null;
  /** Whether refresh tokens are given. Default true; each works once. */
  readonly refreshes?: boolean;
  /** Changes the answer of the sign-in page: `iss`, `error` and so on; null removes a parameter. */
  readonly answer?: Readonly<Record<string, string | null>>;
  /** Deals with a request itself when it returns true. */
  readonly intercept?: (request: RecordedRequest, response: ServerResponse) => boolean;
}

/** The server that runs, and what it was asked. */
export interface ScriptedAuthorizationServer extends TestServer {
  /** Queries of the sign-in page, in order. */
  readonly authorizations: readonly URLSearchParams[];
  /** Bodies of the token requests, in order. */
  readonly tokenRequests: readonly URLSearchParams[];
  readonly registrations: readonly JsonObject[];
  /** Tokens that are good now, with their scopes. */
  readonly tokens: Map<string, readonly string[]>;
  /** Refresh tokens that are good now. */
  readonly refreshTokens: Set<string>;
  /** All tokens, codes and secrets that were ever given. */
  readonly secrets: readonly string[];
  /** So many tokens were asked for by this grant. */
  grants(type: string): number;
}

/** An authorization server that signs everybody in at once, with PKCE, rotation and registration, and remembers what it was asked. */
export async function startAuthorizationServer(script: AuthorizationScript = {}): Promise<ScriptedAuthorizationServer> {
  const authorizations: URLSearchParams[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const registrations: JsonObject[] = [];
  const tokens = new Map<string, readonly string[]>();
  const refreshTokens = new Set<string>();
  const secrets: string[] = [];
  const codes = new Map<string, URLSearchParams>();
  const secret = (kind: string): string => {
    const value = `${kind}-${randomBytes(16).toString('hex')}`;
    secrets.push(value);
    return value;
  };
  const json = (response: ServerResponse, status: number, body: unknown): void =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    authorizations.push(query);
    const code = secret('code');
    codes.set(code, query);
    const to = new URL(query.get('redirect_uri') ?? '');
    const parameters = { code, state: query.get('state'), iss: server.origin, ...script.answer };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) to.searchParams.set(name, value);
    response.writeHead(302, { Location: to.href }).end();
  };

  const give = (response: ServerResponse, scopes: readonly string[]): void => {
    const token = secret('token');
    tokens.set(token, scopes);
    const refreshToken = secret('refresh');
    if (script.refreshes !== false) refreshTokens.add(refreshToken);
    const { expiresIn = 3600 } = script;
    json(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      ...(expiresIn !== null && { expires_in: expiresIn }),
      ...(script.refreshes !== false && { refresh_token: refreshToken }),
      scope: scopes.join(' '),
    });
  };

  let scopesOf: readonly string[] = [];
  const grant = (form: URLSearchParams, response: ServerResponse): void => {
    tokenRequests.push(form);
    const type = form.get('grant_type');
    if (type === 'authorization_code') {
      const asked = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (asked?.get('code_challenge') !== challenge) return json(response, 400, { error: 'invalid_grant' });
      scopesOf = asked.get('scope')?.split(' ') ?? [];
      return give(response, scopesOf);
    }
    if (type === 'refresh_token') {
      if (!refreshTokens.delete(form.get('refresh_token') ?? ''))
        return json(response, 400, { error: 'invalid_grant' });
      return give(response, scopesOf);
    }
    give(response, form.get('scope')?.split(' ') ?? []);
  };

  const server = await startServer((request, response) => {
    if (script.intercept?.(request, response)) return;
    const url = new URL(request.url, server.origin);
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      const metadata = { ...metadataOf(server.origin), ...script.metadata };
      return json(response, 200, Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null)));
    }
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/token') return grant(new URLSearchParams(request.body), response);
    if (url.pathname === '/register') {
      const asked: JsonObject = JSON.parse(request.body);
      registrations.push(asked);
      return json(response, 201, { ...asked, client_id: `client-${registrations.length}` });
    }
    if (url.pathname === '/revoke') {
      const token = new URLSearchParams(request.body).get('token') ?? '';
      tokens.delete(token);
      refreshTokens.delete(token);
      return json(response, 200, {});
    }
    response.writeHead(404).end();
  });

  return {
    ...server,
    authorizations,
    tokenRequests,
    registrations,
    tokens,
    refreshTokens,
    secrets,
    grants: (type) => tokenRequests.filter((form) => form.get('grant_type') === type).length,
  };
}

function metadataOf(origin: string): JsonObject {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}
