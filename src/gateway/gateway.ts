import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { DisposableStore } from '../base/disposables.ts';
import { isRecord, parseJson, type JsonObject } from '../base/json.ts';
import { errorCode } from '../mcp/jsonrpc.ts';
import { SESSION_REVISIONS } from '../mcp/schema.ts';
import { GatewaySession, type GatewayRequest } from './gatewaySession.ts';
import { admit, type Entrance } from './guard.ts';
import type { PublishedServer } from './publishedServer.ts';
import { EventReply, refuse, replyJson } from './replies.ts';

/** The largest message that is taken, in bytes. */
const largestBody = 16 * 1024 * 1024;

/** What the gateway publishes. */
export interface GatewayOptions {
  /** The servers that are published now. */
  readonly servers: () => readonly PublishedServer[];
}

/** More sessions than any honest set of clients has; the oldest gives way. */
const mostSessions = 64;

/** Where a client finds a server, and what it has to send along. */
export interface GatewayAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenSession {
  readonly session: GatewaySession;
  readonly subscriptions: DisposableStore;
  /** The stream that the client keeps open for notices. */
  stream?: EventReply;
}

/**
 * Passes servers on to other MCP clients of this machine over Streamable HTTP (MCP 2025-11-25, transports), so that they share
 * the sessions that are open. Listens on 127.0.0.1 alone, behind a path and a token that are made anew each time.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #server: http.Server;
  readonly #entrance: Entrance;
  readonly #sessions = new Map<string, OpenSession>();

  private constructor(options: GatewayOptions, server: http.Server, entrance: Entrance) {
    this.#options = options;
    this.#server = server;
    this.#entrance = entrance;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  /** Rejects when no port of 127.0.0.1 can be had. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const server = http.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The gateway got no port.');
    const [path, token] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
    return new Gateway(options, server, { port: address.port, path, token });
  }

  addressOf({ id }: Pick<PublishedServer, 'id'>): GatewayAddress {
    const { port, path, token } = this.#entrance;
    return { url: `http://127.0.0.1:${port}/${path}/${id}`, headers: { Authorization: `Bearer ${token}` } };
  }

  /** Ends every session and stream, and listens no more. */
  async close(): Promise<void> {
    for (const id of [...this.#sessions.keys()]) this.#endSession(id);
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Never rejects: what goes wrong is the answer. */
  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    response.on('error', () => response.destroy());
    const admission = admit(request, this.#entrance);
    if (admission.kind === 'refused') return refuse(response, admission.status, admission.reason);
    const server = this.#options.servers().find(({ id }) => id === admission.id);
    if (!server) return refuse(response, 404, 'There is no such server.');
    const revision = request.headers['mcp-protocol-version'];
    if (revision !== undefined && !SESSION_REVISIONS.some((known) => known === revision)) {
      return refuse(response, 400, `The revision ${String(revision)} is not supported.`);
    }
    if (request.method === 'POST') return this.#post(request, response, server);
    if (request.method === 'GET') return this.#listen(request, response, server);
    if (request.method !== 'DELETE')
      return refuse(response, 405, 'POST, GET or DELETE.', { allow: 'POST, GET, DELETE' });
    const open = this.#sessionOf(request, response, server);
    if (open) this.#endSession(open.id);
    if (open) refuse(response, 200, 'Ended.');
  }

  async #post(request: http.IncomingMessage, response: http.ServerResponse, server: PublishedServer): Promise<void> {
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return refuse(response, 415, 'Send application/json.');
    const body = await readBody(request);
    if (body === undefined) return refuse(response, 413, `At most ${largestBody} bytes.`, { connection: 'close' });
    const parsed = parseJson(body);
    const messages = parsed.ok ? (Array.isArray(parsed.value) ? parsed.value : [parsed.value]) : [];
    if (messages.length === 0 || !messages.every(isRecord))
      return replyError(response, errorCode.parseError, 'This is no JSON-RPC message.');
    const [first] = messages;
    if (messages.length === 1 && first?.['method'] === 'initialize' && isId(first['id']))
      return this.#begin(first, response, server);
    const open = this.#sessionOf(request, response, server);
    if (open) await answerAll(messages, open.session, response);
  }

  async #begin(message: JsonObject, response: http.ServerResponse, server: PublishedServer): Promise<void> {
    const session = new GatewaySession(server);
    const answer = await session.answer(requestOf(message), () => undefined);
    if (answer['error'] !== undefined) return replyJson(response, answer);
    const id = randomUUID();
    const subscriptions = new DisposableStore();
    const open: OpenSession = { session, subscriptions };
    this.#sessions.set(id, open);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#endSession(oldest);
    subscriptions.add(
      server.onDidChangeTools(() => open.stream?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })),
    );
    replyJson(response, answer, { 'mcp-session-id': id });
  }

  /** The stream for notices; a newer one takes the place of the one before. */
  #listen(request: http.IncomingMessage, response: http.ServerResponse, server: PublishedServer): void {
    const found = this.#sessionOf(request, response, server);
    if (!found) return;
    const { open } = found;
    open.stream?.end();
    const stream = new EventReply(response);
    open.stream = stream;
    response.once('close', () => {
      if (open.stream === stream) delete open.stream;
    });
  }

  /** The session that a request names; undefined after it was refused: 404 tells a client to begin anew. */
  #sessionOf(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    server: PublishedServer,
  ): { readonly id: string; readonly open: OpenSession; readonly session: GatewaySession } | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') return refuse(response, 400, 'Mcp-Session-Id is missing: begin with initialize.');
    const open = this.#sessions.get(id);
    if (open?.session.server.id !== server.id) return refuse(response, 404, 'There is no such session.');
    return { id, open, session: open.session };
  }

  #endSession(id: string): void {
    const open = this.#sessions.get(id);
    this.#sessions.delete(id);
    open?.subscriptions.dispose();
    open?.session.close();
    open?.stream?.end();
  }
}

/** Notifications are taken; requests are answered in one stream, since a call may take long. */
async function answerAll(
  messages: readonly JsonObject[],
  session: GatewaySession,
  response: http.ServerResponse,
): Promise<void> {
  const requests = messages.filter(({ id, method }) => isId(id) && typeof method === 'string');
  for (const message of messages) {
    if (!requests.includes(message) && typeof message['method'] === 'string')
      session.take(message['method'], paramsOf(message));
  }
  if (requests.length === 0) return void response.writeHead(202).end();
  const stream = new EventReply(response);
  await Promise.all(
    requests.map(async (message) => {
      stream.send(await session.answer(requestOf(message), (notice) => stream.send(notice)));
    }),
  );
  stream.end();
}

/** Undefined where it is larger than is taken, or broke off. */
async function readBody(request: http.IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > largestBody) return undefined;
      chunks.push(bytes);
    }
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function replyError(response: http.ServerResponse, code: number, message: string): void {
  response
    .writeHead(400, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

function paramsOf({ params }: JsonObject): JsonObject {
  return isRecord(params) ? params : {};
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

function requestOf(message: JsonObject): GatewayRequest {
  const { id, method } = message;
  return { id: isId(id) ? id : '', method: String(method), params: paramsOf(message) };
}
