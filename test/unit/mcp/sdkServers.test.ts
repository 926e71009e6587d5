import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { HttpServerConfig } from '../../../src/mcp/serverConfig.ts';
import { Opened } from '../../support/connected.ts';

/** A server on the official SDK: a tool that echoes, one that asks for the roots first, one that tells progress. */
function newServer(): Server {
  const server = new Server({ name: 'sdk', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  const names = ['echo', 'roots', 'progress'];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (params.name === 'roots') {
      const { roots } = await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema);
      return { content: [{ type: 'text', text: JSON.stringify(roots) }] };
    }
    const progressToken = params._meta?.progressToken;
    if (params.name === 'progress' && progressToken !== undefined) {
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, message: 'half' },
      });
    }
    return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
  });
  return server;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function listen(answer: Answer): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function sse(): Answer {
  const transports = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      return newServer().connect(transport);
    }
    const transport = transports.get(url.searchParams.get('sessionId') ?? '');
    if (request.method === 'POST' && transport) return transport.handlePostMessage(request, response);
    response.writeHead(404).end('Cannot POST');
  };
}

function streamable(enableJsonResponse: boolean): Answer {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await newServer().connect(transport);
    return transport.handleRequest(request, response);
  };
}

function stateless(): Answer {
  return async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await newServer().connect(transport);
    return transport.handleRequest(request, response);
  };
}

describe('servers on the official SDK', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  const cases: [name: string, answer: () => Answer, path: string, transport: string, asksBack: boolean][] = [
    ['HTTP+SSE', sse, '/sse', 'sse', true],
    ['Streamable HTTP with sessions and events', () => streamable(false), '/mcp', 'http', true],
    ['Streamable HTTP with sessions and JSON', () => streamable(true), '/mcp', 'http', false],
    ['Streamable HTTP without sessions', stateless, '/mcp', 'http', false],
  ];
  const kinds: HttpServerConfig['kind'][] = ['sse', 'auto', 'http'];
  for (const [name, answer, path, transport, asksBack] of cases) {
    for (const kind of kinds) {
      it(`${name}: found, listed and called as type ${kind}`, async () => {
        const server = await opened.server(listen(answer()));
        const client = await opened.connect(kind, server.url + path);
        assert.equal(client.transport, transport);
        assert.equal(client.protocolVersion, '2025-11-25');
        assert.deepEqual(
          (await client.listTools()).map((tool) => tool.name),
          ['echo', 'roots', 'progress'],
        );
        const echoed = await Promise.all([1, 2, 3].map((n) => client.callTool('echo', { n })));
        assert.deepEqual(
          echoed.map(({ content }) => content[0]?.['text']),
          ['{"n":1}', '{"n":2}', '{"n":3}'],
        );
        if (!asksBack) return;
        assert.equal((await client.callTool('roots', {})).content[0]?.['text'], '[]');
        const told: unknown[] = [];
        await client.callTool('progress', {}, { onProgress: ({ message }) => told.push(message) });
        assert.deepEqual(told, ['half']);
      });
    }
  }

  it('a session is ended on the server when the client closes', async () => {
    const server = await opened.server(listen(streamable(false)));
    const client = await opened.connect('http', server.url);
    await client.close();
    const again = opened.facts.find((fact) => fact.kind === 'http-request' && fact.method === 'DELETE');
    assert.ok(again);
  });
});
