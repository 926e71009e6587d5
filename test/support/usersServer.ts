import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../src/base/json.ts';
import { userTools } from './mcpScript.ts';

/** One entry of the list. */
export interface User {
  readonly name: string;
  readonly email: string;
}

/** A users server on the official SDK's HTTP+SSE transport, so that the peer is not ours. */
export interface UsersServer {
  readonly url: string;
  readonly users: readonly User[];
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/** Starts it on a free port, or on `port`. */
export async function startUsersServer(port = 0): Promise<UsersServer> {
  const users: User[] = [
    { name: 'John', email: 'john@example.com' },
    { name: 'Jane', email: 'jane@example.com' },
  ];
  const calls: string[] = [];
  const transports = new Map<string, SSEServerTransport>();
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'GET' && url.pathname === '/sse') return void open(response);
    const transport = transports.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || !transport) return void response.writeHead(404).end();
    void transport.handlePostMessage(request, response);
  });
  const open = async (response: http.ServerResponse): Promise<void> => {
    const transport = new SSEServerTransport('/mcp/messages', response);
    transports.set(transport.sessionId, transport);
    await peer(users, calls).connect(transport);
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${isAddress(address) ? address.port : 0}/sse`,
    users,
    calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function peer(users: User[], calls: string[]): Server {
  const server = new Server(
    { name: `users-${randomUUID()}`, version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: structuredClone(userTools) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls.push(params.name);
    if (params.name === 'getUsers') return { content: [{ type: 'text', text: JSON.stringify(users) }] };
    const user = isRecord(params.arguments) ? params.arguments.arg0 : undefined;
    if (!isUser(user)) throw new Error('arg0 with name and email is needed');
    users.push(user);
    return { content: [{ type: 'text', text: 'Done' }] };
  });
  return server;
}

function isUser(value: unknown): value is User {
  return isRecord(value) && typeof value.name === 'string' && typeof value.email === 'string';
}

function isAddress(value: AddressInfo | string | null): value is AddressInfo {
  return typeof value === 'object' && value !== null;
}
