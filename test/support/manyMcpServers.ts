import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';
import { startServer } from './httpServer.ts';
import { replyTo } from './mcpScript.ts';

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'export', 'send', 'count', 'close'] as const;
const things = ['invoice', 'ticket', 'branch', 'page', 'contact'] as const;

/** Many servers of Streamable HTTP behind one port, each with its own path and tools. */
export interface ManyMcpServers {
  /** Entries of `mcp.servers` by name. */
  readonly entries: Readonly<Record<string, JsonObject>>;
  /** Names of tools that were called, with the number of their server. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/** Starts `count` servers of up to 50 tools each, without sessions and listening streams. */
export async function startManyServers(count: number, toolsEach: number): Promise<ManyMcpServers> {
  const calls: string[] = [];
  const server = await startServer((request, response) => {
    const number = /^\/(\d+)\/mcp$/.exec(request.url)?.[1];
    const parsed = parseJson(request.body);
    if (number === undefined || request.method !== 'POST' || !parsed.ok || !isRecord(parsed.value))
      return void response.writeHead(number === undefined ? 404 : 405).end();
    const { value: message } = parsed;
    void replyTo(
      { tools: toolsOf(Number(number), toolsEach), reply: (each) => note(each, number, calls) },
      message,
    ).then((reply) => {
      if (message['id'] === undefined) return void response.writeHead(202).end();
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: message['id'],
        ...(reply ?? { error: { code: -32601, message: 'no such method' } }),
      });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
  const entryOf = (number: number): JsonObject => ({
    type: 'http',
    url: `${server.origin}/${number}/mcp`,
    autoApprove: ['*'],
  });
  return {
    entries: Object.fromEntries(Array.from({ length: count }, (_, number) => [`server${number}`, entryOf(number)])),
    calls,
    close: () => server.close(),
  };
}

function note({ method, params }: JsonObject, number: string, calls: string[]): undefined {
  if (method === 'tools/call' && isRecord(params)) calls.push(`${number} ${String(params['name'])}`);
  return undefined;
}

function toolsOf(server: number, count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length] ?? '';
    const thing = things[Math.floor(index / verbs.length) % things.length] ?? '';
    return {
      name: `${verb}_${thing}`,
      description: `Can ${verb} one ${thing} or several in the system number ${server}.`,
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: `Which ${thing}` },
          limit: { type: 'integer', description: 'At most so many' },
        },
      },
    };
  });
}
