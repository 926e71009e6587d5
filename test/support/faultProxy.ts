import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

/**
 * What becomes of one exchange:
 * `delay` it comes late · `refuse` the proxy answers itself and the server never sees it · `reset-before` the connection is reset, the server never
 * sees it · `reset-after` the server has it, then the connection is reset · `lose-answer` the server has it, its answer never comes ·
 * `swallow` neither side hears anything · `pieces` the answer comes in pieces of so many bytes, cut inside characters too ·
 * `cut-answer` the answer breaks off after so many bytes.
 */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'refuse'; readonly status: number }
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'reset-after' }
  | { readonly kind: 'lose-answer' }
  | { readonly kind: 'swallow' }
  | { readonly kind: 'pieces'; readonly bytes: number }
  | { readonly kind: 'cut-answer'; readonly bytes: number };

/** One request as the proxy has it, with its whole body. */
export interface ProxiedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

/** The proxy that runs, and what passed it. */
export interface FaultProxy {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Decides about each exchange; nothing goes wrong at first. */
  fault: (request: ProxiedRequest) => Fault;
  /** Resets every connection. */
  reset(): void;
  /** What is open from now on is half open: nothing comes through any more in either direction, and nobody hangs up. */
  freeze(): void;
  /** Ends event streams that are open, in the ordinary way. */
  endStreams(): void;
  /** Nothing listens any more, and every connection is reset. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
  /** Leads to another server from now on, under another path. */
  retarget(port: number, pathOf: (path: string) => string): void;
  /** Open connections on the client's side. */
  readonly connections: number;
  close(): Promise<void>;
}

/** An HTTP proxy in front of one server on 127.0.0.1 that does to its exchanges what `fault` says. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const proxy = new Proxy(targetPort);
  await proxy.start();
  return proxy;
}

class Proxy implements FaultProxy {
  fault: (request: ProxiedRequest) => Fault = () => ({ kind: 'none' });
  #targetPort: number;
  #pathOf: (path: string) => string = (path) => path;
  readonly #sockets = new Set<Socket>();
  readonly #exchanges = new Set<Exchange>();
  readonly #agent = new http.Agent({ keepAlive: false });
  #server: http.Server | undefined;
  #port = 0;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  async start(): Promise<void> {
    if (this.#server) return;
    const server = http.createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    server.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = portOf(server.address());
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    this.reset();
    await closed;
  }

  retarget(port: number, pathOf: (path: string) => string): void {
    this.#targetPort = port;
    this.#pathOf = pathOf;
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    for (const exchange of this.#exchanges) exchange.end();
  }

  freeze(): void {
    for (const exchange of this.#exchanges) exchange.freeze();
  }

  endStreams(): void {
    for (const exchange of this.#exchanges) exchange.endStream();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#agent.destroy();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const fault = this.fault({ method: request.method ?? '', url: request.url ?? '', body: body.toString() });
    const exchange = new Exchange(fault, response);
    this.#exchanges.add(exchange);
    response.on('close', () => {
      exchange.end();
      this.#exchanges.delete(exchange);
    });
    exchange.run(() => this.#forward(request, body));
  }

  #forward(request: IncomingMessage, body: Buffer): ClientRequest {
    const { method, url = '/', headers } = request;
    const path = this.#pathOf(url);
    const target = { host: '127.0.0.1', port: this.#targetPort, method, path, headers, agent: this.#agent };
    const forwarded = http.request(target);
    forwarded.end(body);
    return forwarded;
  }
}

/** One exchange on its way through. */
class Exchange {
  readonly #fault: Fault;
  readonly #response: ServerResponse;
  #forwarded: ClientRequest | undefined;
  #isFrozen = false;
  #isStream = false;
  #isOver = false;
  #passed = 0;

  constructor(fault: Fault, response: ServerResponse) {
    this.#fault = fault;
    this.#response = response;
    response.on('error', () => undefined);
  }

  run(forward: () => ClientRequest): void {
    const fault = this.#fault;
    switch (fault.kind) {
      case 'swallow':
        return;
      case 'reset-before':
        return this.#reset();
      case 'refuse':
        return void this.#response
          .writeHead(fault.status, { 'Content-Type': 'text/plain' })
          .end('the gateway is upset');
      case 'delay':
        return void setTimeout(() => this.#forward(forward), fault.ms);
      default:
        return this.#forward(forward);
    }
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  endStream(): void {
    if (this.#isStream && !this.#isFrozen) this.#response.end();
  }

  /** The client's side is over, so the server's is. */
  end(): void {
    this.#isOver = true;
    if (!this.#isFrozen) this.#forwarded?.destroy();
  }

  #forward(forward: () => ClientRequest): void {
    if (this.#isOver) return;
    const forwarded = forward();
    this.#forwarded = forwarded;
    forwarded.on('error', () => this.#reset());
    forwarded.on('response', (answer) => this.#onAnswer(answer));
    if (this.#fault.kind === 'reset-after') forwarded.on('finish', () => this.#reset());
  }

  #onAnswer(answer: IncomingMessage): void {
    answer.on('error', () => this.#reset());
    if (this.#fault.kind === 'reset-after') return this.#reset();
    if (this.#fault.kind === 'lose-answer') return void answer.resume();
    this.#isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    if (!this.#isFrozen) {
      this.#response.writeHead(answer.statusCode ?? 502, answer.headers);
      this.#response.flushHeaders();
    }
    answer.on('data', (chunk: Buffer) => this.#pass(chunk));
    answer.on('end', () => {
      if (!this.#isFrozen) this.#response.end();
    });
  }

  #pass(chunk: Buffer): void {
    if (this.#isFrozen || this.#response.destroyed) return;
    const fault = this.#fault;
    if (fault.kind === 'cut-answer') {
      const rest = fault.bytes - this.#passed;
      this.#passed += chunk.length;
      if (rest >= chunk.length) return void this.#response.write(chunk);
      return void this.#response.write(chunk.subarray(0, Math.max(0, rest)), () => this.#reset());
    }
    const size = fault.kind === 'pieces' ? fault.bytes : chunk.length;
    for (let at = 0; at < chunk.length; at += size) this.#response.write(chunk.subarray(at, at + size));
  }

  #reset(): void {
    if (!this.#isFrozen) this.#response.socket?.resetAndDestroy();
  }
}

/** The whole body; undefined when the client hung up before. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen on a port');
  return address.port;
}
