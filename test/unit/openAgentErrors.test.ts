import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import { agentOf, Closing } from '../support/agents.ts';
import { startServer } from '../support/httpServer.ts';
import type { McpScript } from '../support/mcpScript.ts';
import { startSseServer } from '../support/sseServer.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../fixtures/certificates/${name}`, import.meta.url), 'utf8');

const secure =
  (name: string) =>
  (listener: http.RequestListener): http.Server =>
    https.createServer({ key: read(`${name}.key.pem`), cert: read(`${name}.cert.pem`) }, listener);

describe('the error of a server that cannot be used', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  /** What stands beside a server at `url` in the settings, with a healthy one next to it. */
  const errorOf = async (url: string, type: 'sse' | 'http' | 'none'): Promise<string> => {
    const healthy = closing.add(await startSseServer());
    const servers = {
      bad: { ...(type !== 'none' && { type }), url, timeout: 2 },
      good: { type: 'sse', url: healthy.url },
    };
    const agent = agentOf(closing, { servers });
    await agent.ready();
    const [bad, good] = agent.servers();
    assert.equal(good?.state, 'ready', 'the other server is not harmed');
    assert.equal(bad?.state, 'failed');
    return bad?.error ?? '';
  };

  for (const method of ['initialize', 'tools/list']) {
    it(`names the server and the code when it refuses ${method}`, async () => {
      const refuse = { error: { code: -32001, message: 'licence expired' } };
      const script: McpScript = { reply: (message) => (message.method === method ? refuse : undefined) };
      const server = closing.add(await startSseServer(script));
      const expected = 'bad: the server refuses to be used: licence expired (code -32001)';
      assert.equal(await errorOf(server.url, 'sse'), expected);
    });
  }

  for (const type of ['sse', 'http', 'none'] as const) {
    it(`names an untrusted certificate (${type})`, async () => {
      const server = closing.add(await startServer((_request, response) => response.end(), secure('localhost')));
      assert.match(
        await errorOf(`https://127.0.0.1:${server.port}/mcp`, type),
        /certificate.*not trusted.*self-signed/,
      );
      assert.equal(server.requests.length, 0, 'nothing is sent to it');
    });

    for (const [status, told] of [
      [401, /401/],
      [403, /403/],
      [404, /404/],
      [429, /429/],
      [502, /502/],
    ] as const) {
      it(`names HTTP ${status} and what the body says (${type})`, async () => {
        const server = closing.add(
          await startServer((_request, response) =>
            response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"error":"out of service"}'),
          ),
        );
        const error = await errorOf(`${server.origin}/mcp`, type);
        assert.match(error, told);
        assert.match(error, /out of service/);
      });
    }

    it(`names an address that leads to a web page (${type})`, async () => {
      const server = closing.add(
        await startServer((_request, response) =>
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><title>Welcome to nginx</title></html>'),
        ),
      );
      assert.match(await errorOf(`${server.origin}/mcp`, type), /Welcome to nginx|text\/html/);
    });

    it(`names a redirect to another scheme, and a loop of redirects (${type})`, async () => {
      for (const location of ['file:///etc/passwd', '/mcp']) {
        const server = closing.add(
          await startServer((_request, response) => response.writeHead(307, { Location: location }).end()),
        );
        assert.match(await errorOf(`${server.origin}/mcp`, type), /redirects/);
      }
    });

    it(`names a server that hangs up, and one that is no HTTP server (${type})`, async () => {
      const hangsUp = closing.add(await startServer((_request, response) => void response.destroy()));
      assert.match(await errorOf(`${hangsUp.origin}/mcp`, type), /hung up/);
      const babbles = closing.add(
        await startServer((_request, response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')),
      );
      assert.match(await errorOf(`${babbles.origin}/mcp`, type), /no valid HTTP/);
    });
  }
});
