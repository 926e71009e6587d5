import { bytesOf, type Story } from './story.ts';

/** The name of the server. */
export const SERVER = 'spring-ai-mcp-sample';
/** The id of its session. */
export const SESSION = '3e19fbcd-51f4-4784-9f63-538c9a203859';
const ORIGIN = 'http://nio.local:8080';

/** What every fact of this server carries. */
export const mcp = { connection: 'spring-ai-mcp-sample#1', server: SERVER, peer: 'mcp' } as const;

const userSchema = {
  type: 'object',
  properties: {
    arg0: {
      type: 'object',
      properties: { email: { type: 'string' }, name: { type: 'string' } },
      required: ['email', 'name'],
      description: 'user to add',
    },
  },
  required: ['arg0'],
  additionalProperties: false,
};
const noArguments = { type: 'object', properties: {}, required: [], additionalProperties: false };
/** The tools that the server lists. */
export const tools = [
  { name: 'getUsers', description: 'Get all users', inputSchema: noArguments },
  { name: 'addUser', description: 'Add a new user', inputSchema: userSchema },
  {
    name: 'deleteUser',
    description: 'Delete a user by name',
    inputSchema: { ...noArguments, properties: { arg0: { type: 'string' } } },
  },
  { name: 'countUsers', description: 'Count all users', inputSchema: noArguments },
];
const streamHeaders = { accept: 'text/event-stream', 'user-agent': 'mcp-agent/0.1.0' };
const postHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'user-agent': 'mcp-agent/0.1.0',
};

/** GET and POST leave together; the POST is refused, and the stream says where messages go. Gives the stream's exchange. */
export function connect(story: Story): number {
  const stream = story.nextExchange();
  const url = `${ORIGIN}/sse`;
  story.after(0, { ...mcp, kind: 'http-request', exchange: stream, method: 'GET', url, headers: streamHeaders });
  refusedPost(story, url);
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
  story.after(2, { ...mcp, kind: 'http-response', exchange: stream, status: 200, statusText: 'OK', headers });
  const data = `/mcp/messages?sessionId=${SESSION}`;
  const event = { event: 'endpoint', id: SESSION, data, bytes: bytesOf(data) };
  story.after(0.4, { ...mcp, kind: 'sse-event', exchange: stream, ...event });
  return stream;
}

function refusedPost(story: Story, url: string): void {
  const exchange = story.nextExchange();
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } };
  const body = JSON.stringify(message);
  const headers = {
    accept: 'application/json, text/event-stream',
    'user-agent': 'mcp-agent/0.1.0',
    'content-type': 'application/json',
  };
  story.after(0.3, { ...mcp, kind: 'http-request', exchange, method: 'POST', url, headers, body });
  story.after(0, { ...mcp, kind: 'message', direction: 'out', message, bytes: bytesOf(body), exchange });
  const refused = { status: 404, statusText: 'Not Found', headers: { 'content-type': 'application/json' } };
  story.after(7, { ...mcp, kind: 'http-response', exchange, ...refused });
  const text = '{"status":404,"error":"Not Found","path":"/sse"}';
  story.after(0.2, { ...mcp, kind: 'http-body', exchange, text, bytes: bytesOf(text) });
  story.after(0, { ...mcp, kind: 'http-end', exchange, outcome: 'complete' });
}

/** The stream that answers come on, what they are, and after how many milliseconds. */
export interface StreamAnswer {
  readonly stream: number;
  readonly result: unknown;
  readonly ms?: number;
}

/** One JSON-RPC message over POST, its 202, and the answer to a request on the stream. */
export function rpc(
  story: Story,
  message: { readonly id?: number; readonly method: string; readonly params?: unknown },
  answer?: StreamAnswer,
): void {
  const exchange = story.nextExchange();
  const sent = { jsonrpc: '2.0', ...message };
  const body = JSON.stringify(sent);
  const url = `${ORIGIN}/mcp/messages?sessionId=${SESSION}`;
  story.after(0.6, { ...mcp, kind: 'http-request', exchange, method: 'POST', url, headers: postHeaders, body });
  story.after(0, { ...mcp, kind: 'message', direction: 'out', message: sent, bytes: bytesOf(body), exchange });
  const accepted = { status: 202, statusText: 'Accepted', headers: { 'content-length': '0' } };
  story.after(3, { ...mcp, kind: 'http-response', exchange, ...accepted });
  story.after(0, { ...mcp, kind: 'http-end', exchange, outcome: 'complete' });
  if (answer) answered(story, message.id, answer);
}

function answered(story: Story, id: number | undefined, { stream, result, ms = 8 }: StreamAnswer): void {
  const message = { jsonrpc: '2.0', id, result };
  const data = JSON.stringify(message);
  const event = { event: 'message', id: SESSION, data, bytes: bytesOf(data) };
  story.after(ms, { ...mcp, kind: 'sse-event', exchange: stream, ...event });
  story.after(0, { ...mcp, kind: 'message', direction: 'in', message, bytes: bytesOf(data), exchange: stream });
}
