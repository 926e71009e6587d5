/**
 * A small server of users on the official SDK's HTTP+SSE transport and plain `node:http`: the peer of the demo and of
 * the browser tests, so that the other side of the wire is not ours. It records every request that reaches it.
 */
import { once } from 'node:events';
import http from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../src/base/json.ts';

/** One entry of the list. */
export interface User {
  readonly name: string;
  readonly email: string;
}

/** One request as it arrived; `atMs` counts from the server's start, `body` is empty for a GET. */
export interface RecordedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** The server that runs. */
export interface DemoServer {
  /** The address for settings.json. */
  readonly url: string;
  readonly users: readonly User[];
  readonly requests: readonly RecordedRequest[];
  /** The JSON-RPC messages among the requests' bodies, in order. */
  messages(): Record<string, unknown>[];
  /** Breaks every open stream, as a server does that dies. It answers again at once. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Where the server listens, and whom it tells. */
export interface DemoServerOptions {
  /** A free port by default. */
  readonly port?: number;
  /** Is awaited before each tool call is carried out. */
  readonly beforeCall?: (tool: string) => Promise<void>;
  /** Is told each tool call with its result, as one line. */
  readonly onCall?: (line: string) => void;
}

const userSchema = {
  type: 'object',
  properties: { email: { type: 'string' }, name: { type: 'string' } },
  required: ['email', 'name'],
  description: 'user to add',
};

const nameOnly = {
  type: 'object',
  properties: { name: { type: 'string', description: 'name of the user' } },
  required: ['name'],
};

const tools = [
  { name: 'getUsers', description: 'Get all users', inputSchema: { type: 'object', properties: {} } },
  { name: 'getUser', description: 'Get one user by name', inputSchema: nameOnly },
  {
    name: 'addUser',
    description: 'Add a new user',
    inputSchema: { type: 'object', properties: { arg0: userSchema }, required: ['arg0'], additionalProperties: false },
  },
  {
    name: 'deleteUser',
    description: 'Delete a user by name',
    inputSchema: nameOnly,
    annotations: { destructiveHint: true },
  },
];

/** Starts the server on 127.0.0.1 with two users in it. */
export async function startDemoServer(options: DemoServerOptions = {}): Promise<DemoServer> {
  const started = performance.now();
  const users: User[] = [
    { name: 'John', email: 'john@example.com' },
    { name: 'Jane', email: 'jane@example.com' },
  ];
  const requests: RecordedRequest[] = [];
  const transports = new Map<string, SSEServerTransport>();
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const atMs = performance.now() - started;
    const body = await readBody(request);
    const { method = '', url = '/', headers } = request;
    requests.push({ atMs, method, url, headers, body });
    const address = new URL(url, 'http://127.0.0.1');
    if (method === 'GET' && address.pathname === '/sse') {
      const transport = new SSEServerTransport('/mcp/messages', response);
      transports.set(transport.sessionId, transport);
      await serverOf(users, options).connect(transport);
      return;
    }
    const transport = transports.get(address.searchParams.get('sessionId') ?? '');
    if (method === 'POST' && address.pathname === '/mcp/messages' && transport !== undefined) {
      await transport.handlePostMessage(request, response, JSON.parse(body));
      return;
    }
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":404,"error":"Not Found"}');
  };
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/sse`,
    users,
    requests,
    messages: () => requests.flatMap(({ body }) => messageOf(body)),
    dropConnections: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One session's server, on the users that all sessions share. */
function serverOf(users: User[], options: DemoServerOptions): Server {
  const server = new Server(
    { name: 'users', version: '1.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: structuredClone(tools) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    await options.beforeCall?.(params.name);
    const { text, isError } = outcomeOf(users, params.name, params.arguments ?? {});
    options.onCall?.(`${params.name} ${JSON.stringify(params.arguments ?? {})} → ${text}`);
    return { content: [{ type: 'text', text }], isError };
  });
  return server;
}

function outcomeOf(users: User[], tool: string, args: Record<string, unknown>): { text: string; isError: boolean } {
  try {
    return { text: callTool(users, tool, args), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** Asks a users server for its users with the SDK's own client, and gives the text of its answer. */
export async function askForUsers(url: string): Promise<string> {
  const client = new Client({ name: 'demo', version: '1.0.0' });
  await client.connect(new SSEClientTransport(new URL(url)));
  try {
    const { content } = await client.callTool({ name: 'getUsers', arguments: {} });
    return Array.isArray(content)
      ? content.map((part: unknown) => (isRecord(part) ? String(part['text']) : '')).join('')
      : '';
  } finally {
    await client.close();
  }
}

/** Carries a tool out; throws with what the model should read. */
function callTool(users: User[], tool: string, args: Record<string, unknown>): string {
  switch (tool) {
    case 'getUsers':
      return JSON.stringify(users);
    case 'getUser':
      return JSON.stringify(users[indexOf(users, args)]);
    case 'addUser': {
      const user = args['arg0'];
      if (!isUser(user)) throw new Error('arg0 must hold a name and an email');
      if (users.some(({ name }) => name === user.name)) throw new Error(`There is a user ${user.name} already`);
      users.push({ name: user.name, email: user.email });
      return 'Done';
    }
    case 'deleteUser':
      users.splice(indexOf(users, args), 1);
      return 'Done';
    default:
      throw new Error(`There is no tool ${tool}`);
  }
}

function indexOf(users: readonly User[], args: Record<string, unknown>): number {
  const index = users.findIndex(({ name }) => name === args['name']);
  if (index < 0) throw new Error(`There is no user ${String(args['name'])}`);
  return index;
}

function isUser(value: unknown): value is User {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['email'] === 'string';
}

function messageOf(body: string): Record<string, unknown>[] {
  if (body === '') return [];
  const message: unknown = JSON.parse(body);
  return isRecord(message) ? [message] : [];
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks).toString('utf8');
}
