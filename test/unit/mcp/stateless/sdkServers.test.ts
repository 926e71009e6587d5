import assert from 'node:assert/strict';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  createMcpHandler,
  isLegacyRequest,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../../../src/base/json.ts';
import type { Client } from '../../../../src/mcp/client.ts';
import { connect } from '../../../../src/mcp/connect.ts';
import { memoryVerdicts } from '../../../../src/mcp/verdicts.ts';
import { Opened } from '../../../support/connected.ts';

/** A server on version 2 of the official SDK: a tool that echoes and, without a session, one that asks first. */
function newServer(): Server {
  const server = new Server({ name: 'sdk2', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', () => ({
    tools: ['echo', 'ask'].map((name) => ({
      name,
      inputSchema: {
        type: 'object' as const,
        properties: { region: { type: 'string' as const, 'x-mcp-header': 'Region' } },
      },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const answer = context.mcpReq.inputResponses?.['name'];
    if (params.name !== 'ask' || answer !== undefined) {
      return { content: [{ type: 'text', text: JSON.stringify(answer ?? params.arguments) }] };
    }
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const request = {
      method: 'elicitation/create' as const,
      params: { mode: 'form' as const, message: 'Who?', requestedSchema },
    };
    return { resultType: 'input_required' as const, inputRequests: { name: request }, requestState: 'opaque' };
  });
  return server;
}

type Answer = (request: Request) => Promise<Response>;

/** With sessions, as most servers of the earlier revisions are. */
function stateful(): Answer {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = transports.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await newServer().connect(transport);
    return transport.handleRequest(request);
  };
}

/** A transport for each request. */
function statelessLegacy(): Answer {
  return async (request) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await newServer().connect(transport);
    return transport.handleRequest(request);
  };
}

function bothWithSessions(): Answer {
  const modern = createMcpHandler(newServer, { legacy: 'reject' });
  const legacy = stateful();
  return async (request) => ((await isLegacyRequest(request.clone())) ? legacy(request) : modern.fetch(request));
}

async function pass(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = method === 'POST' ? Buffer.concat(chunks) : undefined;
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const controller = new AbortController();
  response.on('close', () => controller.abort());
  const init = { method, headers: Object.fromEntries(given), body, signal: controller.signal };
  const answered = await answer(new Request(`http://127.0.0.1${url}`, init));
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (!answered.body) return void response.end();
  response.flushHeaders();
  const stream = Readable.fromWeb(answered.body);
  stream.on('error', () => response.end());
  stream.pipe(response);
}

describe('servers on version 2 of the official SDK', () => {
  const opened = new Opened();
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await opened.close();
  });

  async function listen(answer: Answer): Promise<string> {
    const server = http.createServer((request, response) => {
      pass(answer, request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    assert.ok(isRecord(address));
    await opened.server(
      Promise.resolve({
        close: async () => {
          const closed = new Promise((resolve) => server.close(resolve));
          server.closeAllConnections();
          await closed;
        },
      }),
    );
    return `http://127.0.0.1:${String(address['port'])}/mcp`;
  }

  for (const [name, answer, revision] of [
    ['that need a session', stateful, '2025-11-25'],
    ['of the earlier revisions without sessions', statelessLegacy, '2025-11-25'],
    ['that speak both, neither with sessions', () => createMcpHandler(newServer).fetch, '2026-07-28'],
    ['that speak 2026-07-28 alone', () => createMcpHandler(newServer, { legacy: 'reject' }).fetch, '2026-07-28'],
    ['that speak both, with sessions for the one', bothWithSessions, '2026-07-28'],
  ] as const) {
    for (const kind of ['http', 'auto'] as const) {
      it(`${name} are found out, listed and called (type ${kind})`, async () => {
        const url = await listen(answer());
        const handlers = {
          'elicitation/create': () => Promise.resolve({ action: 'accept', content: { name: 'Carson' } }),
        };
        const verdicts = memoryVerdicts();
        for (const round of ['unknown', 'remembered']) {
          const client = await opened.connect(kind, url, { protocolVersion: undefined, handlers, verdicts });
          assert.equal(client.protocolVersion, revision, round);
          assert.equal((await client.listTools()).length, 2);
          const { content } = await client.callTool('echo', { region: 'Zürich' });
          assert.deepEqual(content, [{ type: 'text', text: '{"region":"Zürich"}' }]);
          if (revision === '2026-07-28') assert.match(JSON.stringify(await client.callTool('ask', {})), /Carson/);
          await client.close();
        }
      });
    }
  }

  for (const [mode, revision] of [
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
    ['both', '2025-11-25'],
  ] as const) {
    it(`over stdio, ${mode}: found out, listed and called`, async () => {
      const script = fileURLToPath(new URL('../../../support/sdkServer.mjs', import.meta.url));
      const config = { kind: 'stdio', name: 'sdk2', command: process.execPath, args: [script, mode] } as const;
      const client = await connect(config, { verdicts: memoryVerdicts() });
      clients.push(client);
      assert.equal(client.protocolVersion, revision);
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ['echo'],
      );
      const { content } = await client.callTool('echo', { text: 'hi' });
      assert.deepEqual(content, [{ type: 'text', text: '{"text":"hi"}' }]);
    });
  }

  for (const [mode, revision] of [
    ['legacy', '2025-11-25'],
    ['both', '2026-07-28'],
  ] as const) {
    it(`over stdio, ${mode}, where 2026-07-28 is asked for`, async () => {
      const script = fileURLToPath(new URL('../../../support/sdkServer.mjs', import.meta.url));
      const config = { kind: 'stdio', name: 'sdk2', command: process.execPath, args: [script, mode] } as const;
      const client = await connect(config, { protocolVersion: '2026-07-28', verdicts: memoryVerdicts() });
      clients.push(client);
      assert.equal(client.protocolVersion, revision);
      assert.equal((await client.listTools()).length, 1);
    });
  }
});
