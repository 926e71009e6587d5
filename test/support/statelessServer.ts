import type { ServerResponse } from 'node:http';
import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';
import { startServer, type RecordedRequest, type TestServer } from './httpServer.ts';
import { userTools, type Reply } from './mcpScript.ts';
import { methodOf } from './sseServer.ts';
import { answerWith } from './streamableServer.ts';

/** How the server behaves. */
export interface StatelessScript {
  readonly capabilities?: JsonObject;
  readonly tools?: readonly unknown[];
  readonly answers?: 'json' | 'events';
  /** Comes first; 'silence' leaves the request open. */
  readonly reply?: (message: JsonObject) => Reply | 'silence' | Promise<Reply | 'silence'>;
  /** Deals with a request itself when it returns true. */
  readonly intercept?: (request: RecordedRequest, response: ServerResponse, server: StatelessServer) => boolean;
}

/** The server that runs, and what it was asked. */
export interface StatelessServer extends TestServer {
  readonly url: string;
  /** Open answers to `subscriptions/listen`, oldest first, with the id of the request. */
  readonly streams: { readonly id: unknown; readonly response: ServerResponse }[];
  /** Tells of a change on the newest of them. */
  tell(method: string, params?: JsonObject): void;
  /** The `count`-th POST of this method, also if it is there already. */
  post(method: string, count?: number): Promise<RecordedRequest>;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

function event(message: unknown): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

/** Opens the stream of notices that a `subscriptions/listen` asks for. */
function listen({ id, params }: JsonObject, response: ServerResponse): StatelessServer['streams'][number] {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const notifications = isRecord(params) ? params['notifications'] : {};
  const acknowledged = { notifications, _meta: { [SUBSCRIPTION]: id } };
  response.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: acknowledged }));
  return { id, response };
}

/** A scripted server that speaks 2026-07-28 alone, at `/mcp`: what comes without the headers or members of it is refused. */
export async function startStatelessServer(script: StatelessScript = {}): Promise<StatelessServer> {
  const streams: StatelessServer['streams'] = [];
  const post = async (request: RecordedRequest, response: ServerResponse): Promise<void> => {
    const parsed = parseJson(request.body);
    const message = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
    const { id } = message;
    const refuse = (status: number, error: unknown): void => {
      const text = JSON.stringify({ jsonrpc: '2.0', id, error });
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    };
    const flaw = flawOf(request, message);
    if (flaw !== undefined) return refuse(400, { code: -32020, message: flaw });
    const own = await script.reply?.(message);
    if (own === 'silence') return;
    const reply = own ?? defaultReply(script, message);
    if (message['method'] === 'subscriptions/listen' && own === undefined)
      return void streams.push(listen(message, response));
    if (!reply) return refuse(404, { code: -32601, message: 'Method not found' });
    answerWith(response, script.answers ?? 'json', { jsonrpc: '2.0', id, ...reply });
  };

  const base = await startServer((request, response) => {
    if (script.intercept?.(request, response, server)) return;
    if (request.method === 'POST') void post(request, response);
    else response.writeHead(405).end();
  });
  const server: StatelessServer = {
    ...base,
    url: `${base.origin}/mcp`,
    streams,
    tell: (method, params = {}) => {
      const stream = streams.at(-1);
      stream?.response.write(
        event({ jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION]: stream.id } } }),
      );
    },
    post: (method, count) => base.request((request) => methodOf(request) === method, count),
  };
  return server;
}

/** What is wrong with a request of this revision, as far as everybody can see it. */
function flawOf({ headers }: RecordedRequest, { method, params }: JsonObject): string | undefined {
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  if (headers['mcp-protocol-version'] !== '2026-07-28') return 'wrong MCP-Protocol-Version';
  if (meta['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28') return 'no protocol version in _meta';
  if (!isRecord(meta['io.modelcontextprotocol/clientCapabilities'])) return 'no capabilities in _meta';
  return headers['mcp-method'] === method ? undefined : 'wrong Mcp-Method';
}

function defaultReply(script: StatelessScript, message: JsonObject): Reply {
  const params = isRecord(message['params']) ? message['params'] : {};
  switch (message['method']) {
    case 'server/discover':
      return { result: discoverResult(script.capabilities) };
    case 'tools/list':
      return { result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: script.tools ?? userTools } };
    case 'tools/call':
      return {
        result: { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(params['arguments']) }] },
      };
    default:
      return undefined;
  }
}

/** A result of `server/discover`. */
export function discoverResult(capabilities: JsonObject = { tools: { listChanged: true } }): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities,
    instructions: 'Be brief.',
    ttlMs: 0,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'stateless', version: '2.0.0' } },
  };
}
