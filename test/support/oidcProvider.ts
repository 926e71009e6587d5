import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Provider } from 'oidc-provider';

/** The server that runs. */
export interface RealAuthorizationServer {
  readonly issuer: string;
  /** Scopes and audience of a token that is good now. */
  check(
    token: string,
  ): Promise<{ readonly scopes: readonly string[]; readonly audience: readonly string[] } | undefined>;
  /** Ends a token before its time. */
  expire(token: string): Promise<void>;
  close(): Promise<void>;
}

interface ProviderOptions {
  readonly scopes: string;
  readonly seconds?: number;
}

/**
 * `oidc-provider` on a free port, with its own pages to log in and consent, dynamic registration, resource indicators and
 * rotation. `scopes` are those that a resource knows; `seconds` is how long its tokens live, and may be changed.
 */
export async function startOidcProvider(options: ProviderOptions): Promise<RealAuthorizationServer> {
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const provider = new Provider(issuer, configurationOf(options));
  server.on('request', provider.callback());
  return {
    issuer,
    check: async (value) => {
      const token = await provider.AccessToken.find(value);
      if (!token || token.isExpired) return undefined;
      return { scopes: token.scope?.split(' ') ?? [], audience: [token.aud ?? []].flat() };
    },
    expire: async (value) => (await provider.AccessToken.find(value))?.destroy(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function configurationOf(options: ProviderOptions): ConstructorParameters<typeof Provider>[1] {
  return {
    scopes: ['openid', 'offline_access', ...options.scopes.split(' ')],
    pkce: { required: () => true },
    cookies: { keys: ['one key for tests'] },
    ttl: {
      AccessToken: () => options.seconds ?? 3600,
      Session: 3600,
      Grant: 3600,
      Interaction: 3600,
      IdToken: 3600,
      RefreshToken: 3600,
    },
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          scope: options.scopes,
          audience: resource,
          accessTokenTTL: options.seconds ?? 3600,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  };
}

/** A person with a browser: follows redirects with cookies, logs in and consents to whatever the pages ask. Resolves with the pages seen. */
export async function browseAndConsent(start: string): Promise<readonly string[]> {
  const cookies = new Map<string, string>();
  const seen: string[] = [];
  let request: { url: string; form?: URLSearchParams } = { url: start };
  for (let step = 0; step < 20; step++) {
    const response = await fetch(request.url, {
      method: request.form ? 'POST' : 'GET',
      body: request.form,
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) keepCookie(cookies, cookie);
    const location = response.headers.get('location');
    const text = await response.text();
    if (location !== null) {
      request = { url: new URL(location, request.url).href };
      continue;
    }
    seen.push(text);
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1];
    if (action === undefined || prompt === undefined) return seen;
    const form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: 'ada', password: 'secret' }) });
    request = { url: new URL(action, request.url).href, form };
  }
  throw new Error(`the sign-in did not come to its end: ${seen.at(-1)?.slice(0, 300)}`);
}

function keepCookie(cookies: Map<string, string>, cookie: string): void {
  const match = /^([^=]+)=([^;]*)/.exec(cookie);
  if (!match) return;
  if (match[2] === '') cookies.delete(match[1] ?? '');
  else cookies.set(match[1] ?? '', match[2] ?? '');
}
