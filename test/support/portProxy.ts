import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface PortProxy {
  /** For `VSCODE_PROXY_URI`: where a browser reaches the ports of the editor's machine. */
  readonly template: string;
  /** Paths that were asked for, with the port before them. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * What stands between a browser and the ports of the machine that the editor runs on, as in a remote window: `/PORT/path` leads to
 * `127.0.0.1:PORT/path`; where that sends the browser on within itself, it is sent there without us.
 */
export async function startPortProxy(): Promise<PortProxy> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    const [, port, path = '/'] = /^\/(\d+)(\/.*)?$/.exec(request.url ?? '') ?? [];
    if (port === undefined) return void response.writeHead(404).end();
    const { method, headers } = request;
    const host = `127.0.0.1:${port}`;
    const forwarded = http.request(`http://${host}${path}`, { method, headers: { ...headers, host } }, (answer) => {
      const { location } = answer.headers;
      const to = location?.startsWith('/') ? { location: `http://${host}${location}` } : {};
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...to });
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    template: `http://127.0.0.1:${port}/{{port}}/`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
