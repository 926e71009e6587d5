import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Readable } from 'node:stream';

/** Answers a request as the web's `fetch` would see it. */
type Answer = (request: Request) => Promise<Response>;

/** A server on the second official SDK: a tool that echoes, one that tells progress, one that fails. */
export function newSdkTwoServer(): McpServer {
  const server = new McpServer({ name: 'sdk2', version: '1.0.0' }, { instructions: 'Echo what you like.' });
  const inputSchema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
  server.registerTool('echo', { description: 'Echoes', inputSchema }, async (args: unknown) => ({
    content: [{ type: 'text', text: JSON.stringify(args) }],
  }));
  server.registerTool('fail', { description: 'Fails' }, async () => {
    throw new Error('it broke');
  });
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }));
  server.registerPrompt('greet', { description: 'Greets' }, async () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  }));
  return server;
}

/** The ways in which such a server is served over HTTP. */
export const sdkTwoWays: Readonly<Record<string, () => Answer>> = {
  'both eras': () => createMcpHandler(() => newSdkTwoServer()).fetch,
  'the stateless revision alone': () => createMcpHandler(() => newSdkTwoServer(), { legacy: 'reject' }).fetch,
  sessions: () => {
    const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
    return async (request) => {
      const known = transports.get(request.headers.get('mcp-session-id') ?? '');
      if (known) return await known.handleRequest(request);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      await newSdkTwoServer().connect(transport);
      return await transport.handleRequest(request);
    };
  },
};

/** Serves `answer` on a free port. */
export async function listenWith(answer: Answer): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    serve(answer, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { method = 'GET', url = '/', headers } = request;
  const answered = await answer(
    new Request(new URL(url, 'http://127.0.0.1'), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      signal: gone.signal,
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.flushHeaders();
  if (!answered.body) return void response.end();
  const body = Readable.fromWeb(answered.body);
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}
