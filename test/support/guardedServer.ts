import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RealAuthorizationServer } from './oidcProvider.ts';

/** The server that runs. */
export interface GuardedServer {
  readonly url: string;
  /** Tokens that came and were good. */
  readonly tokens: Set<string>;
  /** How many requests were refused, by status. */
  readonly refusals: Map<number, number>;
  /** Calls of its tool that ran. */
  readonly calls: () => number;
  close(): Promise<void>;
}

/**
 * A server of the official SDK behind a guard that asks the authorization server about each token: whoever has none that is good
 * and for it gets a 401, and to call its tool `hello` the scope `write` is needed.
 */
export async function startGuardedServer(signIns: RealAuthorizationServer): Promise<GuardedServer> {
  const tokens = new Set<string>();
  const refusals = new Map<number, number>();
  let calls = 0;
  let origin = '';
  const guard = async (request: IncomingMessage, body: string): Promise<readonly [number, string] | undefined> => {
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const good = await signIns.check(token);
    if (!good?.audience.includes(`${origin}/mcp`)) return [401, `Bearer ${metadata}, scope="read"`];
    tokens.add(token);
    if (!body.includes('"tools/call"') || good.scopes.includes('write')) return undefined;
    return [403, `Bearer error="insufficient_scope", scope="write", ${metadata}`];
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
      const [status, challenge] = refusal;
      refusals.set(status, (refusals.get(status) ?? 0) + 1);
      response.writeHead(status, { 'WWW-Authenticate': challenge }).end();
      return;
    }
    const server = new McpServer({ name: 'guarded', version: '1.0.0' });
    server.registerTool('hello', { description: 'Says hello' }, () => {
      calls += 1;
      return { content: [{ type: 'text', text: 'hello' }] };
    });
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
  return { url: `${origin}/mcp`, tokens, refusals, calls: () => calls, close };
}
