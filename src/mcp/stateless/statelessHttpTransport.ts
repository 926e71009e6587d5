import { BriefMap } from '../../base/briefMap.ts';
import type { Clock } from '../../base/clock.ts';
import type { HttpResponseHead } from '../../base/httpExchange.ts';
import { ProtocolError, TransportError } from '../errors.ts';
import { HttpPost, type PostHost } from '../httpPost.ts';
import type { HttpWire } from '../httpWire.ts';
import { isRepeatable, isRequestMessage, nameOf, type JsonRpcMessage, type RequestId } from '../jsonrpc.ts';
import { LingeringStreams } from '../lingeringStreams.ts';
import { STATELESS_REVISION } from '../schema.ts';
import type { Transport, TransportListener } from '../transport.ts';

/**
 * Streamable HTTP of 2026-07-28: each request is a POST of its own whose headers say what is in it, and whose answer comes on
 * it or not at all. Nothing is resumed, there is no session and no stream besides; to end a POST is to cancel its request.
 */
export class StatelessHttpTransport implements Transport, PostHost {
  readonly kind = 'http';
  readonly server: string;
  readonly clock: Clock;
  /** A server that answers has done so: there is no other way. */
  readonly isListening = false;
  readonly wire: HttpWire;
  readonly #posts = new BriefMap<RequestId, HttpPost>();
  readonly lingering: LingeringStreams;
  readonly #headers: Readonly<Record<string, string>>;
  #mirror: (message: JsonRpcMessage) => Readonly<Record<string, string>> = methodHeader;
  #listener: TransportListener | undefined;
  #session: string | undefined;
  #closed = false;

  constructor(wire: HttpWire, clock: Clock) {
    this.wire = wire;
    this.server = wire.context.server;
    this.clock = clock;
    this.lingering = new LingeringStreams(clock);
    this.#headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': STATELESS_REVISION,
    };
  }

  /** A session that a server of an earlier revision has opened for one of our requests. */
  get session(): string | undefined {
    return this.#session;
  }

  /** May be called again: what comes is told to the last. */
  start(listener: TransportListener): Promise<void> {
    if (!this.#listener) this.wire.onHold((held) => this.#listener?.onHold?.(held));
    this.#listener = listener;
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new TransportError('closed', `${this.server}: the connection is closed`));
    const name = nameOf(message);
    const body = JSON.stringify(message);
    const id = isRequestMessage(message) ? message.id : undefined;
    const { url } = this.wire;
    const headers = this.wire.headersFor(url, { ...this.#headers, ...this.#mirror(message) });
    const request = { method: 'POST', url, headers, body, repeatable: isRepeatable(message) } as const;
    return new Promise((resolve, reject) => {
      const post = new HttpPost(this, { name, id, inSession: false, resolve, reject });
      if (id !== undefined) this.#posts.set(id, post);
      const exchange = this.wire.exchange(request, post);
      post.run(exchange);
      this.wire.tellMessage('out', message, body, exchange.exchange);
    });
  }

  /** The headers that repeat parts of a message, from now on; until then only its method is repeated. */
  mirrorBy(mirror: (message: JsonRpcMessage) => Readonly<Record<string, string>>): void {
    this.#mirror = mirror;
  }

  abandon(id: RequestId): void {
    this.#posts.take(id)?.abort();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.lingering.close();
    for (const post of this.#posts.takeAll()) post.abort();
    return Promise.resolve();
  }

  onHead(head: HttpResponseHead): void {
    const session = head.headers['mcp-session-id'];
    if (typeof session === 'string' && session !== '') this.#session = session;
  }

  onMessage(value: unknown, text: string, exchange: number): void {
    this.wire.tellMessage('in', value, text, exchange);
    if (!this.#closed) this.#listener?.onMessage(value);
  }

  onEndpointEvent(post: HttpPost): void {
    post.settle(new ProtocolError('endpoint', `${this.server}: HTTP+SSE is spoken here`));
    post.abort();
  }

  onSettled(post: HttpPost): void {
    if (post.message.id !== undefined) this.#posts.take(post.message.id);
  }
}

/** All that the first question has to repeat. */
function methodHeader(message: JsonRpcMessage): Record<string, string> {
  return 'method' in message ? { 'Mcp-Method': message.method } : {};
}
