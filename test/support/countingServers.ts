import { isRecord, type JsonObject } from '../../src/base/json.ts';
import type { McpScript, Reply } from './mcpScript.ts';
import { startSseServer } from './sseServer.ts';
import { startStatelessServer } from './statelessServer.ts';
import { startStreamableServer } from './streamableServer.ts';

/** A server that counts how often each call ran, by the number in its arguments. */
export interface CountingServer {
  readonly port: number;
  readonly path: string;
  /** How often each call ran. */
  readonly runs: ReadonlyMap<number, number>;
  /** Forgets every session, as a restart does. */
  forget(): void;
  /** Does something that a server may do at any time. */
  stir(): void;
  close(): Promise<void>;
}

/** `work` may run once, `look` says that it only reads. */
const tools = [
  { name: 'work', inputSchema: { type: 'object' } },
  { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

/** Random numbers from 0 up to 1. */
export type Random = () => number;

/** The rest of the script: each call is counted, then answered at once, later, with much text, or with an error. */
function countingScript(runs: Map<number, number>, random: Random): McpScript {
  return {
    tools,
    reply: async (message): Promise<Reply> => {
      if (message['method'] === 'initialize') await pause(random() < 0.1 ? 1500 : 0);
      if (message['method'] === 'ping') return { result: {} };
      if (message['method'] !== 'tools/call') return undefined;
      const call = numberIn(message);
      runs.set(call, (runs.get(call) ?? 0) + 1);
      await pause(random() < 0.4 ? random() * 300 : 0);
      if (random() < 0.05) return { error: { code: -32603, message: 'out of luck' } };
      return { result: { content: [{ type: 'text', text: answerTo(call, random() < 0.1 ? 40_000 : 10) }] } };
    },
  };
}

/** What a call is answered with, so that each answer can be told from another. */
export function answerTo(call: number, length: number): string {
  return `answer <${call}> 北京 – café 🌍 `.repeat(Math.ceil(length / 28));
}

/** HTTP+SSE: a restart loses every session, and the streams end if they still can. */
export async function startCountingSse(random: Random): Promise<CountingServer> {
  const runs = new Map<number, number>();
  let forgotten = 0;
  const server = await startSseServer({
    ...countingScript(runs, random),
    intercept: (request, response) => {
      const session = /session-(\d+)/.exec(request.url)?.[1];
      if (session === undefined || Number(session) > forgotten) return false;
      response.writeHead(404).end('no such session');
      return true;
    },
  });
  return {
    port: server.port,
    path: '/sse',
    runs,
    forget: () => {
      forgotten = server.sessions.length;
      for (const { response } of server.sessions) response.end();
    },
    stir: () => {
      const session = server.sessions.at(-1);
      const endpoint = `event: endpoint\ndata: /mcp/messages?sessionId=${session?.id}\n\n`;
      if (random() < 0.5) session?.write(endpoint);
      else session?.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    },
    close: () => server.close(),
  };
}

/** Streamable HTTP with sessions. */
export async function startCountingStreamable(random: Random, answers: 'json' | 'events'): Promise<CountingServer> {
  const runs = new Map<number, number>();
  const server = await startStreamableServer({ ...countingScript(runs, random), answers });
  return {
    port: server.port,
    path: '/mcp',
    runs,
    forget: () => {
      server.sessions.clear();
      for (const stream of server.listening) stream.end();
    },
    stir: () => server.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
    close: () => server.close(),
  };
}

/** The stateless revision: there is nothing to forget but the streams that tell of changes. */
export async function startCountingStateless(random: Random): Promise<CountingServer> {
  const runs = new Map<number, number>();
  const server = await startStatelessServer({ ...countingScript(runs, random), answers: 'events' });
  return {
    port: server.port,
    path: '/mcp',
    runs,
    forget: () => {
      for (const { response } of server.streams) response.end();
    },
    stir: () => server.tell('notifications/tools/list_changed'),
    close: () => server.close(),
  };
}

function pause(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

function numberIn({ params }: JsonObject): number {
  const args = isRecord(params) ? params['arguments'] : undefined;
  return isRecord(args) ? Number(args['call']) : NaN;
}
