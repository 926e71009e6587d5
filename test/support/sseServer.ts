import type { ServerResponse } from 'node:http';
import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';
import { startServer, type RecordedRequest, type TestServer } from './httpServer.ts';
import { replyTo, type McpScript } from './mcpScript.ts';

/** How the server behaves. */
export interface SseScript extends McpScript {
  /** The bytes that announce the endpoint of session `session`; default as the captured Spring server writes it. */
  readonly announce?: (session: string, server: TestServer) => string | Buffer | undefined;
  /** Deals with a request itself when it returns true. */
  readonly intercept?: (request: RecordedRequest, response: ServerResponse, server: SseServer) => boolean;
  /** How a message of the server is written; default one `message` event. */
  readonly frame?: (message: unknown) => string | Buffer;
  /** Status of an accepted message. */
  readonly accepted?: number;
}

/** One open event stream. */
export interface SseSession {
  readonly id: string;
  readonly response: ServerResponse;
  /** Sends a message of the server's. */
  say(message: unknown): void;
  /** Writes bytes as they are. */
  write(bytes: string | Buffer): void;
}

/** The server that runs, and what it was asked. */
export interface SseServer extends TestServer {
  /** The address to configure. */
  readonly url: string;
  readonly sessions: readonly SseSession[];
  /** All messages that came, in order. */
  readonly messages: readonly JsonObject[];
  /** The `count`-th message of this method, also if it is there already. */
  message(method: string, count?: number): Promise<JsonObject>;
}

/** A scripted server of HTTP+SSE (2024-11-05): `GET /sse`, messages at `/mcp/messages?sessionId=…`. */
export async function startSseServer(script: SseScript = {}): Promise<SseServer> {
  const { sessions, messages, ...streams } = scriptedStreams(script);
  const base = await startServer((request, response) => {
    if (script.intercept?.(request, response, server)) return;
    const path = request.url.split('?', 1)[0];
    if (path === '/sse' && request.method === 'GET') streams.open(response, server);
    else if (path === '/mcp/messages' && request.method === 'POST') void streams.receive(request, response);
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not Found');
  });
  const server: SseServer = {
    ...base,
    url: `${base.origin}/sse`,
    sessions,
    messages,
    message: async (method, count) => {
      const isWanted = (request: RecordedRequest): boolean =>
        methodOf(request) === method && request.url.includes('/mcp/messages');
      const found = await base.request(isWanted, count);
      const parsed = parseJson(found.body);
      if (!parsed.ok || !isRecord(parsed.value)) throw new Error('no message');
      return parsed.value;
    },
  };
  return server;
}

interface ScriptedStreams {
  readonly sessions: SseSession[];
  readonly messages: JsonObject[];
  open(response: ServerResponse, server: TestServer): void;
  receive(request: RecordedRequest, response: ServerResponse): Promise<void>;
}

/** The streams that the script opens, and what it says on them. */
function scriptedStreams(script: SseScript): ScriptedStreams {
  const sessions: SseSession[] = [];
  const messages: JsonObject[] = [];
  const frame = script.frame ?? ((message) => `event:message\ndata:${JSON.stringify(message)}\n\n`);
  const announce =
    script.announce ?? ((session) => `id:${session}\nevent:endpoint\ndata:/mcp/messages?sessionId=${session}\n\n`);
  return {
    sessions,
    messages,
    open: (response, server) => {
      const id = `session-${sessions.length + 1}`;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      const write = (bytes: string | Buffer): void => void response.write(bytes);
      sessions.push({ id, response, write, say: (message) => write(frame(message)) });
      const bytes = announce(id, server);
      if (bytes !== undefined) write(bytes);
    },
    receive: async (request, response) => {
      const named = request.url.split(/[=&?/]/);
      const session = sessions.find(({ id }) => named.includes(id));
      const parsed = parseJson(request.body);
      if (!session || !parsed.ok || !isRecord(parsed.value)) return void response.writeHead(404).end('no such session');
      const message = parsed.value;
      messages.push(message);
      response.writeHead(script.accepted ?? 202).end();
      const reply = await replyTo(script, message);
      if (reply && 'id' in message) session.say({ jsonrpc: '2.0', id: message['id'], ...reply });
    },
  };
}

/** The JSON-RPC method that a request's body carries, if any. */
export function methodOf(request: RecordedRequest): unknown {
  const parsed = parseJson(request.body);
  return parsed.ok && isRecord(parsed.value) ? parsed.value['method'] : undefined;
}
