import type { HttpError, HttpListener, HttpOptions, HttpRequest, HttpSend } from '../../src/base/httpExchange.ts';

/** An exchange that a test answers by hand. */
export class ManualExchange {
  readonly request: HttpRequest;
  readonly options: HttpOptions;
  readonly #listener: HttpListener;
  isAborted = false;

  constructor(request: HttpRequest, listener: HttpListener, options: HttpOptions) {
    this.request = request;
    this.options = options;
    this.#listener = listener;
  }

  respond(status = 200, headers: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' }): this {
    const { url } = this.request;
    if (!this.isAborted) this.#listener.onResponse({ status, statusText: '', headers, url, exchange: 1 });
    return this;
  }

  write(text: string): this {
    if (!this.isAborted) this.#listener.onChunk(Buffer.from(text));
    return this;
  }

  end(): void {
    if (!this.isAborted) this.#listener.onEnd();
  }

  fail(error: HttpError): void {
    if (!this.isAborted) this.#listener.onError(error);
  }
}

/** An `HttpSend` whose exchanges a test answers by hand, in the order in which they were asked for. */
export function manualSend(): { readonly send: HttpSend; readonly exchanges: readonly ManualExchange[] } {
  const exchanges: ManualExchange[] = [];
  const send: HttpSend = (request, listener, options) => {
    const exchange = new ManualExchange(request, listener, options);
    exchanges.push(exchange);
    return { abort: () => void (exchange.isAborted = true) };
  };
  return { send, exchanges };
}
