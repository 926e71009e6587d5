import {
  httpExchange,
  HttpError,
  type HttpOptions,
  type HttpRequest,
  type HttpResponseHead,
  type HttpSend,
} from '../../src/base/httpExchange.ts';

/** A whole answer. */
export interface Answer {
  readonly head: HttpResponseHead;
  readonly body: string;
}

const source = { connection: 'test', server: 'test', peer: 'mcp' } as const;

/** One exchange to its end. Rejects with the {@link HttpError}. */
export function exchange(
  request: Partial<HttpRequest> & { readonly url: string },
  options: Partial<HttpOptions> = {},
  send: HttpSend = httpExchange,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let head: HttpResponseHead | undefined;
    const chunks: Uint8Array[] = [];
    send(
      { method: 'GET', headers: {}, ...request },
      {
        onResponse: (answer) => {
          head = answer;
        },
        onChunk: (chunk) => chunks.push(chunk),
        onEnd: () => {
          if (head) resolve({ head, body: Buffer.concat(chunks).toString() });
          else reject(new Error('an end without a head'));
        },
        onError: reject,
      },
      { source, ...options },
    );
  });
}

/** For `assert.rejects`: an HttpError of this code, `sent`, and text. */
export function isHttpError(code: HttpError['code'], sent: boolean, text: RegExp) {
  return (error: unknown): boolean => {
    if (!(error instanceof HttpError)) throw error;
    const wrong = error.code !== code || error.sent !== sent || !text.test(error.message);
    if (wrong)
      throw new Error(
        `expected ${code}, sent ${sent}, ${text}; got ${error.code}, sent ${error.sent}: ${error.message}`,
      );
    return true;
  };
}
