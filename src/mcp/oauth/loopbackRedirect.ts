import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onAbort } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { parseUrl } from '../../base/url.ts';
import { SignInError } from '../signInError.ts';
import type { OpenRedirect, Redirect } from './oauthOptions.ts';

/** A person may take so long, in milliseconds. */
const LIMIT_MS = 5 * 60_000;
const PATH = '/callback';

/** How the page that ends a sign-in is reached, and what it says. */
export interface LoopbackOptions {
  /** The address as the browser reaches it, where that is another machine's. Default: the same. */
  readonly externalUri?: (uri: string) => Promise<string>;
  /** What the page says, in the person's language. */
  readonly page?: { readonly title: string; readonly done: string; readonly failed: string };
  readonly clock?: Clock;
  /** Milliseconds. */
  readonly limitMs?: number;
}

const ENGLISH = {
  title: 'MCP Agent',
  done: 'You are signed in. You can close this page.',
  failed: 'The sign-in was not completed. You can close this page and try again.',
};

/**
 * Opens a listener on 127.0.0.1 that the browser comes back to (RFC 8252 §7.3), on the preferred port where it is free. Only a
 * request with the right `state` is taken; whatever else comes is turned away and changes nothing.
 */
export function loopbackRedirect(options: LoopbackOptions = {}): OpenRedirect {
  return async (preferredPort) => {
    const listener = new LoopbackListener(options);
    const port = await listener.listen(preferredPort);
    const own = `http://127.0.0.1:${port}${PATH}`;
    try {
      return listener.redirect(options.externalUri ? await options.externalUri(own) : own);
    } catch (error) {
      listener.close();
      throw error;
    }
  };
}

class LoopbackListener {
  readonly #options: LoopbackOptions;
  readonly #server = http.createServer((request, response) => this.#answer(request, response));
  #wanted: { state: string; take: (parameters: URLSearchParams) => void } | undefined;

  constructor(options: LoopbackOptions) {
    this.#options = options;
  }

  async listen(preferred: number | undefined): Promise<number> {
    if (preferred === undefined) return this.#listenOn(0);
    return this.#listenOn(preferred).catch(() => this.#listenOn(0));
  }

  redirect(uri: string): Redirect {
    return { uri, answer: (state, signal) => this.#wait(state, signal), close: () => this.close() };
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  #listenOn(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        const address: AddressInfo | string | null = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  #wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    const { clock = systemClock, limitMs = LIMIT_MS } = this.#options;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#wanted = undefined;
        cancelTimer();
        link.dispose();
      };
      const cancelTimer = clock.after(limitMs, () => {
        end();
        reject(new SignInError('cancelled', `nobody signed in within ${Math.round(limitMs / 60_000)} minutes`));
      });
      const link = onAbort(signal, () => {
        queueMicrotask(end);
        reject(new SignInError('cancelled', 'the sign-in was cancelled'));
      });
      this.#wanted = {
        state,
        take: (parameters) => {
          end();
          resolve(parameters);
        },
      };
    });
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    request.resume();
    const url = parseUrl(request.url ?? '', 'http://127.0.0.1');
    const wanted = this.#wanted;
    const fits = request.method === 'GET' && wanted !== undefined && url?.searchParams.get('state') === wanted.state;
    if (!fits || !url) {
      response.writeHead(404, { Connection: 'close' }).end();
      return;
    }
    this.#showPage(response, url.searchParams.has('code'));
    wanted.take(url.searchParams);
  }

  #showPage(response: http.ServerResponse, done: boolean): void {
    const { page = ENGLISH } = this.#options;
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    response.end(pageText(page.title, done ? page.done : page.failed));
  }
}

function pageText(title: string, text: string): string {
  const style = 'font:16px system-ui;display:grid;place-items:center;min-height:90vh;text-align:center';
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title>
<body style="${style}"><main><h1>${escaped(title)}</h1><p role="status">${escaped(text)}</p></main>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
