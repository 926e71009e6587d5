import { onAbort } from '../../base/abort.ts';
import { BodyCollector } from '../../base/httpBody.ts';
import type { HttpOptions, HttpRequest, HttpResponseHead, HttpSend } from '../../base/httpExchange.ts';
import { SilentEndpoint } from './requestFailure.ts';

/** A response with its whole body as text. */
export interface WholeResponse {
  readonly head: HttpResponseHead;
  readonly text: string;
}

/** Sends a request and waits for the whole answer. Rejects with `HttpError`, `SilentEndpoint`, `BodyTooLargeError`, or the signal's reason. */
export function fetchWhole(
  send: HttpSend,
  request: HttpRequest,
  options: HttpOptions & { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    const body = new BodyCollector();
    let head: HttpResponseHead | undefined;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      link.dispose();
      finish();
    };
    const fail = (error: Error): void => {
      settle(() => reject(error));
      exchange.abort();
    };
    const end = (): void => {
      const text = body.text();
      if (head === undefined) return;
      options.tap?.({ ...options.source, kind: 'http-body', exchange: head.exchange, text, bytes: body.bytes });
      const response = { head, text };
      settle(() => resolve(response));
    };
    const exchange = send(
      request,
      {
        onResponse: (response) => (head = response),
        onChunk: (chunk) => {
          try {
            body.add(chunk);
          } catch (error) {
            fail(error instanceof Error ? error : new Error(String(error)));
          }
        },
        onEnd: end,
        onError: (error) => settle(() => reject(error)),
      },
      options,
    );
    const timer = setTimeout(() => fail(new SilentEndpoint(options.timeoutMs)), options.timeoutMs);
    const link = onAbort(options.signal, () => {
      const reason: unknown = options.signal?.reason;
      fail(reason instanceof Error ? reason : new Error(String(reason)));
    });
  });
}
