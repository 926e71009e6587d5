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
  const desk = new Desk(script);
  const server = await startServer((request, response) => {
    if (script.intercept?.(request, response)) return;
    const url = new URL(request.url, server.origin);
    const form = new URLSearchParams(request.body);
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return answer(response, 200, withoutNulls({ ...metadataOf(server.origin), ...script.metadata }));
      case '/authorize':
        return desk.authorize(url.searchParams, server.origin, response);
      case '/token':
        return desk.grant(form, response);
      case '/register':
        return desk.register(JSON.parse(request.body), response);
      case '/revoke':
        return desk.revoke(form.get('token') ?? '', response);
      default:
        response.writeHead(404).end();
    }
  });
  const { authorizations, tokenRequests, registrations, tokens, refreshTokens, secrets } = desk;
  const grants = (type: string): number => tokenRequests.filter((form) => form.get('grant_type') === type).length;
  return { ...server, authorizations, tokenRequests, registrations, tokens, refreshTokens, secrets, grants };
}

/** What the server has given and was asked. */
class Desk {
  readonly authorizations: URLSearchParams[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  readonly registrations: JsonObject[] = [];
  readonly tokens = new Map<string, readonly string[]>();
  readonly refreshTokens = new Set<string>();
  readonly secrets: string[] = [];
  readonly #script: AuthorizationScript;
  readonly #codes = new Map<string, URLSearchParams>();
  #scopes: readonly string[] = [];

  constructor(script: AuthorizationScript) {
    this.#script = script;
  }

  authorize(query: URLSearchParams, issuer: string, response: ServerResponse): void {
    this.authorizations.push(query);
    const code = this.#secret('code');
    this.#codes.set(code, query);
    const to = new URL(query.get('redirect_uri') ?? '');
    const parameters = { code, state: query.get('state'), iss: issuer, ...this.#script.answer };
    for (const [name, value] of Object.entries(parameters)) if (value !== null) to.searchParams.set(name, value);
    response.writeHead(302, { Location: to.href }).end();
  }

  grant(form: URLSearchParams, response: ServerResponse): void {
    this.tokenRequests.push(form);
    const type = form.get('grant_type');
    if (type === 'authorization_code') return this.#redeem(form, response);
    if (type !== 'refresh_token') return this.#give(response, form.get('scope')?.split(' ') ?? []);
    if (this.refreshTokens.delete(form.get('refresh_token') ?? '')) return this.#give(response, this.#scopes);
    answer(response, 400, { error: 'invalid_grant' });
  }

  register(asked: JsonObject, response: ServerResponse): void {
    this.registrations.push(asked);
    answer(response, 201, { ...asked, client_id: `client-${this.registrations.length}` });
  }

  revoke(token: string, response: ServerResponse): void {
    this.tokens.delete(token);
    this.refreshTokens.delete(token);
    answer(response, 200, {});
  }

  #redeem(form: URLSearchParams, response: ServerResponse): void {
    const code = form.get('code') ?? '';
    const asked = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    if (asked?.get('code_challenge') !== createHash('sha256').update(verifier).digest('base64url'))
      return answer(response, 400, { error: 'invalid_grant' });
    this.#scopes = asked.get('scope')?.split(' ') ?? [];
    this.#give(response, this.#scopes);
  }

  #give(response: ServerResponse, scopes: readonly string[]): void {
    const { expiresIn = 3600, refreshes = true } = this.#script;
    const token = this.#secret('token');
    const refreshToken = this.#secret('refresh');
    this.tokens.set(token, scopes);
    if (refreshes) this.refreshTokens.add(refreshToken);
    answer(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      ...(expiresIn !== null && { expires_in: expiresIn }),
      ...(refreshes && { refresh_token: refreshToken }),
      scope: scopes.join(' '),
    });
  }

  #secret(kind: string): string {
    const value = `${kind}-${randomBytes(16).toString('hex')}`;
    this.secrets.push(value);
    return value;
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
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
