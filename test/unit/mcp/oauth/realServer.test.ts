import assert from 'node:assert/strict';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { oauthAuthorization } from '../../../../src/mcp/oauth/authorization.ts';
import { oauthOnDemand } from '../../../../src/mcp/signIn.ts';
import { isTransportError, Opened } from '../../../support/connected.ts';
import { browseAndConsent, startOidcProvider, type RealAuthorizationServer } from '../../../support/oidcProvider.ts';
import { MemoryStore, personSigningIn } from '../../../support/protectedServer.ts';

interface GuardedServer {
  readonly url: string;
  /** Tokens that came. */
  readonly tokens: Set<string>;
  close(): Promise<void>;
}

/** A server of the official SDK behind a guard that asks the authorization server about each token. */
async function startGuardedServer(signIns: RealAuthorizationServer): Promise<GuardedServer> {
  const tokens = new Set<string>();
  let origin = '';
  const guard = async (request: IncomingMessage, body: string): Promise<string | undefined> => {
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const good = await signIns.check(token);
    if (!good?.audience.includes(`${origin}/mcp`)) return `401 Bearer ${metadata}, scope="read"`;
    tokens.add(token);
    if (!body.includes('"tools/call"') || good.scopes.includes('write')) return undefined;
    return `403 Bearer error="insufficient_scope", scope="write", ${metadata}`;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith('/.well-known/')) {
      const found = request.url === '/.well-known/oauth-protected-resource/mcp';
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [signIns.issuer] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    const refusal = await guard(request, body);
    if (refusal !== undefined) {
      response.writeHead(Number(refusal.slice(0, 3)), { 'WWW-Authenticate': refusal.slice(4) }).end();
      return;
    }
    const server = new McpServer({ name: 'guarded', version: '1.0.0' });
    server.registerTool('hello', { description: 'Says hello' }, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  };
  const server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `${origin}/mcp`, tokens, close };
}

describe('a real authorization server guards a real MCP server', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  it('consent, token, call with step-up, expiry, refresh with rotation, sign-out', async () => {
    const signIns = await opened.server(startOidcProvider({ scopes: 'read write' }));
    const server = await opened.server(startGuardedServer(signIns));
    const pages: string[] = [];
    const asked: string[] = [];
    const store = new MemoryStore();
    const person = personSigningIn(server.url, {
      store,
      openBrowser: async (url) => {
        asked.push(new URL(url).searchParams.get('scope') ?? '');
        pages.push(...(await browseAndConsent(url)));
      },
    });

    const client = await opened.connect('auto', server.url, { authorization: await oauthOnDemand(person) });
    assert.deepEqual(
      (await client.listTools()).map(({ name }) => name),
      ['hello'],
    );
    assert.deepEqual(asked, ['read offline_access']);
    assert.match(pages.at(-1) ?? '', /You are signed in/);

    assert.deepEqual((await client.callTool('hello', {})).content, [{ type: 'text', text: 'hello' }]);
    assert.deepEqual(asked, ['read offline_access', 'read offline_access write']);

    for (let round = 0; round < 2; round++) {
      const before = server.tokens.size;
      for (const token of server.tokens) await signIns.expire(token);
      assert.deepEqual((await client.callTool('hello', {})).content, [{ type: 'text', text: 'hello' }]);
      assert.equal(server.tokens.size, before + 1);
    }
    assert.equal(asked.length, 2, 'nobody was asked again');

    await oauthAuthorization(person).signOut();
    for (const token of server.tokens) assert.equal(await signIns.check(token), undefined);
    const background = await oauthOnDemand({ ...person, interactive: false });
    await assert.rejects(
      opened.connect('auto', server.url, { authorization: background }),
      isTransportError('unauthorized', /asks you to sign in/),
    );
  });

  it('binds tokens to a key where the settings say so', async () => {
    const signIns = await opened.server(startOidcProvider({ scopes: 'read write' }));
    const server = await opened.server(startGuardedServer(signIns));
    const store = new MemoryStore();
    const person = personSigningIn(server.url, {
      store,
      settings: { dpop: true, scopes: ['read'] },
      openBrowser: async (url) => void (await browseAndConsent(url)),
    });
    const authorization = oauthAuthorization(person);
    await authorization.signIn();
    const request = { method: 'POST', url: server.url };
    const [first, second] = [await authorization.headers(request), await authorization.headers(request)];
    assert.match(first['Authorization'] ?? '', /^DPoP /);
    assert.notEqual(first['DPoP'], second['DPoP']);
  });
});
