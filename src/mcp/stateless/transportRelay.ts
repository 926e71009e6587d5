import type { JsonRpcMessage, RequestId } from '../jsonrpc.ts';
import type { Transport, TransportListener } from '../transport.ts';

/**
 * A transport that is handed from one user to the next, because the process behind it can be started only once: whoever
 * starts it last is told what comes.
 */
export class TransportRelay implements Transport {
  readonly #transport: Transport;
  #listener: TransportListener | undefined;
  #started: Promise<void> | undefined;
  #closed: Error | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get kind(): Transport['kind'] {
    return this.#transport.kind;
  }

  start(listener: TransportListener): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closed);
    this.#listener = listener;
    this.#started ??= this.#transport.start({
      onMessage: (message) => this.#listener?.onMessage(message),
      onClose: (error) => {
        this.#closed = error;
        this.#listener?.onClose(error);
      },
      onSessionLost: (error, answersLost) => this.#listener?.onSessionLost?.(error, answersLost),
      onHold: (held) => this.#listener?.onHold?.(held),
    });
    return this.#started;
  }

  send(message: JsonRpcMessage): Promise<void> {
    return this.#transport.send(message);
  }

  abandon(id: RequestId): void {
    this.#transport.abandon(id);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
