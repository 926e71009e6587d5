import assert from 'node:assert/strict';
import { ProtocolError } from '../../../src/mcp/errors.ts';
import { isTransportError, Opened } from '../../support/connected.ts';
import { startServer } from '../../support/httpServer.ts';
import { methodOf, startSseServer, type SseScript } from '../../support/sseServer.ts';
import { answerWith, messageOf, startStreamableServer } from '../../support/streamableServer.ts';

/** Answers the POST on the stream's address in its own way. */
function onProbe(answer: NonNullable<SseScript['intercept']>): SseScript {
  return {
    intercept: (request, response, server) =>
      request.method === 'POST' && request.url === '/sse' && answer(request, response, server),
  };
}

describe('finding the transport', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  describe('of type sse or none: GET and POST together', () => {
    for (const kind of ['sse', 'auto'] as const) {
      it(`${kind}: both leave before either is answered`, async () => {
        const held: (() => void)[] = [];
        const server = await opened.server(
          startSseServer({
            intercept: (request, response) => {
              if (request.url !== '/sse' || request.method !== 'POST') return false;
              held.push(() => response.writeHead(404).end());
              return true;
            },
          }),
        );
        const client = await opened.connect(kind, server.url);
        assert.equal(client.transport, 'sse');
        assert.equal(held.length, 1);
      });
    }

    it('a POST that is never answered does not delay a working GET, and is ended', async () => {
      let ended = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const server = await opened.server(
        startSseServer(
          onProbe((_request, response) => {
            response.on('close', () => ended());
            return true;
          }),
        ),
      );
      const client = await opened.connect('auto', server.url);
      assert.equal(client.transport, 'sse');
      await closed;
    });

    it('a GET that is never answered does not delay a working POST, and is ended', async () => {
      let ended = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (request.method !== 'GET' || request.headers['mcp-session-id'] !== undefined) return false;
            response.on('close', () => ended());
            return true;
          },
        }),
      );
      const client = await opened.connect('auto', server.url);
      assert.equal(client.transport, 'http');
      await closed;
    });

    it('a silent event stream on the GET does not keep Streamable HTTP from being found', async () => {
      const server = await opened.server(startStreamableServer({ sessions: false, answers: 'events' }));
      const client = await opened.connect('sse', server.url);
      assert.equal(client.transport, 'http');
      assert.equal((await client.listTools()).length, 2);
    });

    it('a session id decides before the answer is there, and the GET is given up', async () => {
      let answer = (): void => undefined;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (methodOf(request) !== 'initialize') return false;
            response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Mcp-Session-Id': 'early' });
            response.flushHeaders();
            server.sessions.add('early');
            const { id } = messageOf(request);
            const result = { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 's', version: '1' } };
            answer = () => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
            return true;
          },
        }),
      );
      const connecting = opened.connect('auto', server.url);
      await server.post('initialize');
      await server.request(({ method }) => method === 'GET');
      const [listening] = server.listening;
      await new Promise((resolve) => listening?.on('close', resolve));
      answer();
      assert.equal((await connecting).transport, 'http');
    });

    it('a POST answered with an endpoint event means HTTP+SSE; the session of the GET is used', async () => {
      const server = await opened.server(
        startSseServer(
          onProbe((_request, response) => {
            response.writeHead(200, { 'Content-Type': 'text/event-stream' });
            response.write('event: endpoint\ndata: /mcp/messages?sessionId=of-the-post\n\n');
            return true;
          }),
        ),
      );
      const client = await opened.connect('auto', server.url);
      assert.equal(client.transport, 'sse');
      await client.callTool('getUsers', {});
      assert.ok(!server.requests.some(({ url }) => url.includes('of-the-post')));
    });

    it('a session that was opened for nothing is ended with DELETE', async () => {
      const server = await opened.server(
        startSseServer({
          intercept: (request, response) => {
            if (request.url !== '/sse' || request.method === 'GET') return false;
            if (request.method === 'POST') {
              setTimeout(() => {
                response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Mcp-Session-Id': 'unused' });
                response.flushHeaders();
              }, 50);
            } else response.writeHead(200).end();
            return true;
          },
        }),
      );
      const client = await opened.connect('auto', server.url);
      assert.equal(client.transport, 'sse');
      const end = await server.request(({ method }) => method === 'DELETE');
      assert.equal(end.headers['mcp-session-id'], 'unused');
      assert.ok(
        !server.requests.some((request) => request.url === '/sse' && methodOf(request) === 'notifications/initialized'),
      );
    });

    for (const status of [400, 401, 403, 404, 405, 406, 415, 429, 500, 501, 503]) {
      it(`a POST refused with ${status} decides nothing while the GET works`, async () => {
        const server = await opened.server(
          startSseServer({
            ...onProbe((_request, response) => {
              response.writeHead(status).end('no');
              return true;
            }),
            announce: () => undefined,
          }),
        );
        const connecting = opened.connect('auto', server.url);
        await server.request(({ method }) => method === 'POST');
        await server.request(({ method }) => method === 'GET');
        setTimeout(() => server.sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1\n\n'), 50);
        assert.equal((await connecting).transport, 'sse');
      });
    }

    for (const [status, code] of [
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [404, 'http-status'],
      [429, 'http-status'],
      [500, 'http-status'],
      [503, 'http-status'],
    ] as const) {
      it(`${status} on both is reported as what it is`, async () => {
        const server = await opened.server(
          startServer((_request, response) =>
            response.writeHead(status, { 'Retry-After': '7' }).end('{"error":"why not"}'),
          ),
        );
        await assert.rejects(opened.connect('auto', `${server.origin}/sse`), (error) => {
          isTransportError(code, new RegExp(`^users: .*HTTP ${status}.*why not`), {
            status,
            mayHaveRun: status >= 500 && undefined,
          })(error);
          assert.equal(Reflect.get(Object(error), 'retryAfterMs'), 7000);
          return true;
        });
      });
    }

    it('a port where nothing listens is reported as unreachable', async () => {
      const server = await startServer(() => undefined);
      await server.close();
      await assert.rejects(
        opened.connect('auto', `${server.origin}/sse`),
        isTransportError('unreachable', /^users: .*127\.0\.0\.1:\d+: nothing listens there/, { mayHaveRun: false }),
      );
    });

    it('an ordinary web page is reported as one', async () => {
      const page = '<!doctype html><html><head><title>Welcome to nginx!</title></head></html>';
      const server = await opened.server(
        startServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)),
      );
      await assert.rejects(
        opened.connect('auto', server.origin),
        isTransportError('http-status', /text\/html/, { status: 200 }),
      );
    });

    it('a 401 on the POST is not held up by a GET that stays silent', async () => {
      const server = await opened.server(
        startSseServer({
          ...onProbe((_request, response) => {
            response.writeHead(401).end('sign in');
            return true;
          }),
          announce: () => ': nothing\n\n',
        }),
      );
      await assert.rejects(
        opened.connect('auto', server.url),
        isTransportError('unauthorized', /401.*sign in/, { status: 401 }),
      );
    });

    it('a JSON-RPC error on the POST is an answer, and reported as one', async () => {
      const server = await opened.server(
        startServer((request, response) => {
          if (request.method === 'GET')
            return response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
          answerWith(response, 'json', {
            jsonrpc: '2.0',
            id: messageOf(request)['id'],
            error: { code: -32000, message: 'closed today' },
          });
        }),
      );
      await assert.rejects(opened.connect('auto', server.origin), {
        name: 'RpcError',
        code: -32000,
        message: 'closed today',
      });
    });
  });

  describe('the announcement that does not come', () => {
    it('comes late: initialize is sent once, after it', async () => {
      const server = await opened.server(startSseServer({ announce: () => ': wait\n\n' }));
      const connecting = opened.connect('sse', server.url);
      await server.request(({ method }) => method === 'GET');
      await server.request(({ method }) => method === 'POST');
      server.sessions[0]?.write('event: ping\ndata: {}\n\n');
      setTimeout(() => server.sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1\n\n'), 100);
      await connecting;
      const sent = server.messages.filter(({ method }) => method === 'initialize');
      assert.equal(sent.length, 1);
    });

    for (const [name, bytes] of [
      ['pings alone', ': ping\n\nevent: ping\ndata: {}\n\n'],
      ['a JSON-RPC message first', 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'],
    ] as const) {
      it(`never comes (${name}): the error says so, and the GET is ended`, async () => {
        const server = await opened.server(startSseServer({ announce: () => bytes }));
        const connecting = opened.connect('sse', server.url, { timeoutMs: 300 });
        const failed = assert.rejects(
          connecting,
          isTransportError('timeout', /^users: no connection within 0\.3 s: the event stream announced no endpoint/),
        );
        await server.request(({ method }) => method === 'GET');
        const closed = new Promise((resolve) => server.sessions[0]?.response.on('close', resolve));
        await failed;
        await closed;
      });
    }

    it('the stream ends before it', async () => {
      const server = await opened.server(startSseServer({ announce: () => undefined }));
      const connecting = opened.connect('sse', server.url);
      await server.request(({ method }) => method === 'GET');
      server.sessions[0]?.response.end();
      await assert.rejects(connecting, isTransportError('closed', /before it announced an endpoint/));
    });

    it('an event stream that cannot be unpacked: the reason is told', async () => {
      const server = await opened.server(
        startSseServer({
          intercept: (request, response) => {
            if (request.method !== 'GET') return false;
            response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' }).write('plain');
            return true;
          },
        }),
      );
      const connecting = opened.connect('sse', server.url);
      await assert.rejects(connecting, isTransportError('closed', /broke before it announced an endpoint: .*Z_DATA/));
    });

    for (const kind of ['sse', 'auto'] as const) {
      it(`an endpoint where nothing is answered is told as that (type ${kind})`, async () => {
        const server = await opened.server(startSseServer({ reply: () => 'silence' }));
        const connecting = opened.connect(kind, server.url, { timeoutMs: 300 });
        await assert.rejects(connecting, isTransportError('timeout', /: initialize at the announced endpoint was not/));
      });
    }

    it('nothing is answered at all: the error names server, method and seconds', async () => {
      const server = await opened.server(startServer(() => undefined));
      for (const kind of ['sse', 'http'] as const) {
        await assert.rejects(
          opened.connect(kind, server.origin, { timeoutMs: 100 }),
          isTransportError('timeout', /^users: no connection within 0\.1 s: initialize was not answered/),
        );
      }
      assert.ok(!server.requests.some((request) => methodOf(request) === 'notifications/cancelled'));
    });
  });

  describe('an endpoint elsewhere', () => {
    for (const where of [
      'http://127.0.0.1:PORT/collect',
      'http://localhost:SAME/collect',
      'https://127.0.0.1:SAME/collect',
    ]) {
      it(`${where}: the connection fails with both origins named, and nothing is sent there`, async () => {
        const recorder = await opened.server(startServer((_request, response) => response.end()));
        let announced = '';
        const server = await opened.server(
          startSseServer({
            announce: (_session, { port }) => {
              announced = where.replace('PORT', String(recorder.port)).replace('SAME', String(port));
              return `event: endpoint\ndata: ${announced}\n\n`;
            },
          }),
        );
        const connecting = opened.connect('sse', server.url, { headers: { Authorization: 'Bearer s3cret' } });
        await assert.rejects(connecting, (error) => {
          assert.ok(error instanceof ProtocolError);
          for (const part of [server.origin, new URL(announced).origin])
            assert.ok(error.message.includes(part), error.message);
          assert.ok(!error.message.includes('s3cret'));
          return true;
        });
        assert.equal(recorder.connectionCount(), 0);
        assert.ok(server.requests.every(({ url }) => !url.includes('collect')));
      });
    }
  });

  describe('what is sent', () => {
    it('the configured query goes out byte for byte on GET and POST, the configured headers on everything', async () => {
      const query = '?token=ab%2Fc&e=';
      const server = await opened.server(
        startSseServer({
          intercept: (request, response) => {
            const good = request.url === `/sse${query}` || request.url.startsWith('/mcp/messages?sessionId=');
            if (!good) response.writeHead(403).end();
            return !good;
          },
        }),
      );
      const client = await opened.connect('auto', server.url + query, {
        headers: { 'X-Tenant': 't1', authorization: 'Bearer a' },
      });
      await client.callTool('getUsers', {});
      for (const { headers } of server.requests) {
        assert.equal(headers['x-tenant'], 't1');
        assert.equal(headers['authorization'], 'Bearer a');
      }
      assert.ok(
        server.requests.filter(({ url }) => url.startsWith('/mcp/messages')).every(({ url }) => !url.includes('token')),
      );
    });

    it('a user name in the address becomes Basic authorization, also towards the endpoint', async () => {
      const server = await opened.server(startSseServer());
      await opened.connect('sse', server.url.replace('http://', 'http://carson:p%40ss@'));
      const expected = `Basic ${Buffer.from('carson:p@ss').toString('base64')}`;
      assert.ok(server.requests.length >= 4);
      for (const { headers } of server.requests) assert.equal(headers['authorization'], expected);
    });

    it('a configured header does not replace one of the protocol', async () => {
      const server = await opened.server(startStreamableServer());
      const client = await opened.connect('http', server.url, {
        headers: { 'content-type': 'text/plain', 'User-Agent': 'mine' },
      });
      await client.listTools();
      const posts = server.requests.filter(({ method }) => method === 'POST');
      assert.ok(
        posts.every(
          ({ headers }) => headers['content-type'] === 'application/json' && headers['user-agent'] === 'mine',
        ),
      );
    });
  });

  describe('of type http: POST first', () => {
    for (const status of [400, 404, 405, 406, 410, 415, 422, 501]) {
      it(`falls back to a GET, once, when the POST is refused with ${status}`, async () => {
        const server = await opened.server(
          startSseServer(
            onProbe((_request, response) => {
              response.writeHead(status).end('no POST here');
              return true;
            }),
          ),
        );
        const client = await opened.connect('http', server.url);
        assert.equal(client.transport, 'sse');
        assert.deepEqual(
          server.requests.slice(0, 2).map(({ method, url }) => `${method} ${url}`),
          ['POST /sse', 'GET /sse'],
        );
        assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 1);
        assert.equal((await client.listTools()).length, 2);
      });
    }

    for (const status of [401, 403, 429, 500, 502, 503]) {
      it(`does not fall back on ${status}`, async () => {
        const server = await opened.server(
          startSseServer(
            onProbe((_request, response) => {
              response.writeHead(status).end('later');
              return true;
            }),
          ),
        );
        await assert.rejects(
          opened.connect('http', server.url),
          (error) => Reflect.get(Object(error), 'status') === status,
        );
        assert.ok(server.requests.every(({ method }) => method !== 'GET'));
      });
    }

    it('falls back when the POST is answered with an endpoint event', async () => {
      const server = await opened.server(
        startSseServer(
          onProbe((_request, response) => {
            response
              .writeHead(200, { 'Content-Type': 'text/event-stream' })
              .write('event: endpoint\ndata: /mcp/messages?sessionId=x\n\n');
            return true;
          }),
        ),
      );
      assert.equal((await opened.connect('http', server.url)).transport, 'sse');
    });

    it('names both refusals when the GET fails too', async () => {
      const server = await opened.server(
        startServer((request, response) => response.writeHead(404).end(`no ${request.method} here`)),
      );
      await assert.rejects(
        opened.connect('http', server.origin),
        isTransportError('http-status', /neither HTTP transport.*no POST here.*no GET here/, { status: 404 }),
      );
    });

    it('reports a refusal in JSON-RPC without waiting long for an endpoint', async () => {
      const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: missing header' } };
      const server = await opened.server(
        startServer((request, response) => {
          if (request.method === 'POST')
            response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(error));
          else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
        }),
      );
      await assert.rejects(
        opened.connect('http', server.origin, { timeoutMs: 60_000 }),
        isTransportError('http-status', /HTTP 400.*Bad Request: missing header/, { status: 400 }),
      );
    });
  });

  it('gives up when the signal says so', async () => {
    const server = await opened.server(startServer(() => undefined));
    const controller = new AbortController();
    const connecting = opened.connect('auto', server.origin, { signal: controller.signal });
    const failed = assert.rejects(connecting, isTransportError('cancelled', /users: connecting was cancelled/));
    await server.request(({ method }) => method === 'POST');
    controller.abort();
    await failed;
    await assert.rejects(
      opened.connect('auto', server.origin, { signal: AbortSignal.abort() }),
      isTransportError('cancelled', /./),
    );
  });
});
