import type { ServerResponse } from 'node:http';
import { isRecord, parseJson, type JsonObject } from '../../src/base/json.ts';
import { startServer, type RecordedRequest, type TestServer } from './httpServer.ts';
import { replyTo, type McpScript } from './mcpScript.ts';
import { methodOf } from './sseServer.ts';

/** How the server behaves. */
export interface StreamableScript extends McpScript {
  /** Whether the server gives session ids and insists on them; default true. */
  readonly sessions?: boolean;
  /** Answers as JSON (default) or as an event stream. */
  readonly answers?: 'json' | 'events';
  /** Whether GET opens a listening stream; default true, otherwise 405. */
  readonly listening?: boolean;
  /** Deals with a request itself when it returns true. */
  readonly intercept?: (request: RecordedRequest, response: ServerResponse, server: StreamableServer) => boolean;
}

/** The server that runs, and what it was asked. */
export interface StreamableServer extends TestServer {
  /** The address to configure. */
  readonly url: string;
  /** Session ids in use. */
  readonly sessions: Set<string>;
  /** Open listening streams, oldest first. */
  readonly listening: readonly ServerResponse[];
  /** Says something on the newest listening stream. */
  say(message: unknown): void;
  /** The `count`-th POST of this method, also if it is there already. */
  post(method: string, count?: number): Promise<RecordedRequest>;
}

/** Answers one POST with a JSON-RPC message, in the server's way. */
export function answerWith(
  response: ServerResponse,
  way: 'json' | 'events',
  message: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(message);
  if (way === 'json') response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(text);
  else
    response
      .writeHead(200, { 'Content-Type': 'text/event-stream', ...headers })
      .end(`event: message\ndata: ${text}\n\n`);
}

/** A scripted server of Streamable HTTP at `/mcp`. */
export async function startStreamableServer(script: StreamableScript = {}): Promise<StreamableServer> {
  const sessions = new Set<string>();
  const listening: ServerResponse[] = [];
  const post = posts(script, sessions);
  const base = await startServer((request, response) => {
    if (script.intercept?.(request, response, server)) return;
    if (request.url.split('?', 1)[0] !== '/mcp') response.writeHead(404).end();
    else if (request.method === 'POST') void post(request, response);
    else if (request.method === 'GET' && script.listening === false) response.writeHead(405).end();
    else if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.flushHeaders();
      listening.push(response);
    } else {
      sessions.delete(String(request.headers['mcp-session-id']));
      response.writeHead(200).end();
    }
  });
  const server: StreamableServer = {
    ...base,
    url: `${base.origin}/mcp`,
    sessions,
    listening,
    say: (message) => void listening.at(-1)?.write(`data: ${JSON.stringify(message)}\n\n`),
    post: (method, count) => base.request((request) => methodOf(request) === method, count),
  };
  return server;
}

/** Answers POSTs; `initialize` begins a session that the others have to name. */
function posts(
  script: StreamableScript,
  sessions: Set<string>,
): (request: RecordedRequest, response: ServerResponse) => Promise<void> {
  let lastSession = 0;
  return async (request, response) => {
    const parsed = parseJson(request.body);
    if (!parsed.ok || !isRecord(parsed.value)) return void response.writeHead(400).end('no JSON-RPC');
    const message = parsed.value;
    const headers: Record<string, string> = {};
    if (message['method'] === 'initialize') {
      if (script.sessions !== false) sessions.add((headers['Mcp-Session-Id'] = `session-${++lastSession}`));
    } else if (script.sessions !== false && !sessions.has(String(request.headers['mcp-session-id']))) {
      return void response.writeHead(404, { 'Content-Type': 'application/json' }).end(lostText);
    }
    if (!('method' in message) || !('id' in message)) return void response.writeHead(202).end();
    const reply = await replyTo({ protocolVersion: '2025-06-18', ...script }, message);
    if (reply) answerWith(response, script.answers ?? 'json', { jsonrpc: '2.0', id: message['id'], ...reply }, headers);
  };
}

const lostText = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });

/** The JSON-RPC message in a request's body. */
export function messageOf(request: RecordedRequest): JsonObject {
  const parsed = parseJson(request.body);
  if (!parsed.ok || !isRecord(parsed.value)) throw new Error(`no message: ${request.body}`);
  return parsed.value;
}
