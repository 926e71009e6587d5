import { onAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposables.ts';
import { BodyCollector } from '../../base/httpBody.ts';
import type {
  HttpError,
  HttpListener,
  HttpOptions,
  HttpRequest,
  HttpResponseHead,
  HttpSend,
} from '../../base/httpExchange.ts';
import { SilentEndpoint } from './requestFailure.ts';

/** A response with its whole body as text. */
export interface WholeResponse {
  readonly head: HttpResponseHead;
  readonly text: string;
}

/** The bounds of an exchange whose answer is read as a whole. */
export interface FetchWholeOptions extends HttpOptions {
  readonly signal: AbortSignal | undefined;
  /** For the whole answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends a request and waits for the whole answer. Rejects with `HttpError`, `SilentEndpoint`, `BodyTooLargeError`, or the signal's reason. */
export async function fetchWhole(
  send: HttpSend,
  request: HttpRequest,
  options: FetchWholeOptions,
): Promise<WholeResponse> {
  options.signal?.throwIfAborted();
  const collected = new CollectedResponse();
  const exchange = send(request, collected, options);
  const timer = setTimeout(() => collected.fail(new SilentEndpoint(options.timeoutMs)), options.timeoutMs);
  const link: Disposable = onAbort(options.signal, () => collected.fail(options.signal?.reason));
  try {
    const { head, text, bytes } = await collected.whole;
    options.tap?.({ ...options.source, kind: 'http-body', exchange: head.exchange, text, bytes });
    return { head, text };
  } finally {
    clearTimeout(timer);
    link.dispose();
    exchange.abort();
  }
}

/** Collects a response until it is whole. */
class CollectedResponse implements HttpListener {
  readonly #body = new BodyCollector();
  readonly whole: Promise<WholeResponse & { readonly bytes: number }>;
  #head: HttpResponseHead | undefined;
  #resolve: (response: WholeResponse & { readonly bytes: number }) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onResponse(head: HttpResponseHead): void {
    this.#head = head;
  }

  onChunk(chunk: Uint8Array): void {
    try {
      this.#body.add(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  onEnd(): void {
    if (this.#head !== undefined) this.#resolve({ head: this.#head, text: this.#body.text(), bytes: this.#body.bytes });
  }

  onError(error: HttpError): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#reject(error);
  }
}
