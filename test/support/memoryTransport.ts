import type { JsonRpcMessage, RequestId } from '../../src/mcp/jsonrpc.ts';
import type { Transport, TransportListener } from '../../src/mcp/transport.ts';

/** A wire without a wire: the test sees what is sent and says what arrives. */
export class MemoryTransport implements Transport {
  readonly kind: Transport['kind'];
  readonly sent: JsonRpcMessage[] = [];
  readonly abandoned: RequestId[] = [];
  isClosed = false;
  /** What becomes of a message that is sent; by default it is accepted. */
  accept: (message: JsonRpcMessage) => Promise<void> = () => Promise.resolve();
  #listener: TransportListener | undefined;

  constructor(kind: Transport['kind'] = 'sse') {
    this.kind = kind;
  }

  get listener(): TransportListener {
    if (!this.#listener) throw new Error('the transport was not started');
    return this.#listener;
  }

  /** The last message that was sent, as a plain object. */
  get last(): Record<string, unknown> {
    return { ...this.sent.at(-1) };
  }

  /** Methods of all that was sent; `(answer)` for answers. */
  get methods(): string[] {
    return this.sent.map((message) => ('method' in message ? message.method : '(answer)'));
  }

  start(listener: TransportListener): Promise<void> {
    this.#listener = listener;
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): Promise<void> {
    this.sent.push(message);
    return this.accept(message);
  }

  abandon(id: RequestId): void {
    this.abandoned.push(id);
  }

  /** A message of the server's arrives. */
  deliver(message: unknown): void {
    this.listener.onMessage(message);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}
