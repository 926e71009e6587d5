import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';

/** One request as it arrived, with its whole body. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** When the head arrived, in milliseconds of the process. */
  readonly at: number;
}

/** The server that runs, and what it was asked. */
export interface TestServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** Open connections. */
  readonly sockets: ReadonlySet<unknown>;
  /** So many connections were made in all. */
  connectionCount(): number;
  /** Resolves with the `count`-th request (1 for the first) that fits, also if it is there already. */
  request(fits: (request: RecordedRequest) => boolean, count?: number): Promise<RecordedRequest>;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** A plain HTTP server on a free port that records each request and then lets `answer` deal with it. */
export async function startServer(
  answer: (request: RecordedRequest, response: http.ServerResponse) => void,
  make: (listener: http.RequestListener) => http.Server = (listener) => http.createServer(listener),
): Promise<TestServer> {
  const book = new RequestBook();
  const server = make((request, response) => {
    response.on('error', () => undefined);
    readRequest(request, (recorded) => {
      book.requests.push(recorded);
      answer(recorded, response);
      book.tell();
    });
  });
  const { sockets, connectionCount } = watchSockets(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests: book.requests,
    sockets,
    connectionCount,
    request: (fits, count = 1) => book.request(fits, count),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The requests that came, and who waits for one. */
class RequestBook {
  readonly requests: RecordedRequest[] = [];
  readonly #waiting = new Set<() => void>();

  request(fits: (request: RecordedRequest) => boolean, count: number): Promise<RecordedRequest> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.requests.filter(fits)[count - 1];
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  tell(): void {
    for (const check of [...this.#waiting]) check();
  }
}

function readRequest(request: http.IncomingMessage, onRead: (request: RecordedRequest) => void): void {
  const at = performance.now();
  const chunks: Buffer[] = [];
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    onRead({ method, url, headers, body: Buffer.concat(chunks).toString(), at });
  });
}

function watchSockets(server: http.Server): { readonly sockets: Set<Socket>; readonly connectionCount: () => number } {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  return { sockets, connectionCount: () => connections };
}

function addressOf(server: http.Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address;
}
