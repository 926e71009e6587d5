import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { isTransportError, Opened, roundTrips } from '../../support/connected.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { startServer, type RecordedRequest } from '../../support/httpServer.ts';
import { methodOf } from '../../support/sseServer.ts';
import { answerWith, messageOf, startStreamableServer, type StreamableScript } from '../../support/streamableServer.ts';

/** The test answers calls itself. */
function onCall(answer: (request: RecordedRequest, response: ServerResponse, count: number) => void): StreamableScript {
  let count = 0;
  return {
    intercept: (request, response) => {
      if (methodOf(request) !== 'tools/call') return false;
      answer(request, response, ++count);
      return true;
    },
  };
}

function event(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

function resultFor(request: RecordedRequest, text = 'ok'): unknown {
  return { jsonrpc: '2.0', id: messageOf(request)['id'], result: { content: [{ type: 'text', text }] } };
}

const events = { 'Content-Type': 'text/event-stream' };
const json = { 'Content-Type': 'application/json' };

describe('Streamable HTTP', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  for (const answers of ['json', 'events'] as const) {
    it(`lists and calls with answers as ${answers}, in three round trips to the first list`, async () => {
      const server = await opened.server(startStreamableServer({ answers, listening: false }));
      for (const kind of ['http', 'auto', 'sse'] as const) {
        opened.facts.length = 0;
        const client = await opened.connect(kind, server.url);
        assert.equal(client.transport, 'http');
        assert.equal((await client.listTools()).length, 2);
        assert.equal(roundTrips(opened.facts), 3, kind);
        const { content } = await client.callTool('echo', { text: '北京 🌍' });
        assert.deepEqual(content, [{ type: 'text', text: 'echo {"text":"北京 🌍"}' }]);
        await client.close();
      }
    });
  }

  it('sends session id and version on everything after the handshake, and neither with initialize', async () => {
    const server = await opened.server(startStreamableServer({ protocolVersion: '2025-06-18' }));
    const client = await opened.connect('http', server.url);
    await client.listTools();
    await server.request(({ method }) => method === 'GET');
    await client.close();
    assert.equal(client.protocolVersion, '2025-06-18');
    const [initialize, ...rest] = server.requests;
    assert.equal(initialize?.headers['mcp-session-id'], undefined);
    assert.equal(initialize?.headers['mcp-protocol-version'], undefined);
    assert.deepEqual(
      rest.map(({ method }) => method).toSorted((a, b) => a.localeCompare(b)),
      ['DELETE', 'GET', 'POST', 'POST'],
    );
    for (const { headers } of rest) {
      assert.equal(headers['mcp-session-id'], 'session-1');
      assert.equal(headers['mcp-protocol-version'], '2025-06-18');
    }
    for (const request of server.requests.filter(({ method }) => method === 'POST')) {
      assert.equal(request.headers.accept, 'application/json, text/event-stream');
    }
  });

  it('sends no DELETE where there is no session', async () => {
    const server = await opened.server(startStreamableServer({ sessions: false }));
    const client = await opened.connect('http', server.url);
    await client.close();
    assert.ok(server.requests.every(({ method }) => method !== 'DELETE'));
  });

  it('does not wait long for the answer to DELETE', async () => {
    const server = await opened.server(startStreamableServer({ intercept: ({ method }) => method === 'DELETE' }));
    const client = await opened.connect('http', server.url);
    const start = performance.now();
    await client.close();
    assert.ok(performance.now() - start < 3000);
  });

  describe('answers', () => {
    it('are matched by id on an event stream that says other things first', async () => {
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) => {
            const token = Object(messageOf(request)['params'])._meta.progressToken;
            response.writeHead(200, events);
            response.write(
              event({
                jsonrpc: '2.0',
                method: 'notifications/progress',
                params: { progressToken: token, progress: 1, message: 'half' },
              }),
            );
            response.write(event({ jsonrpc: '2.0', id: 1, method: 'ping' }));
            response.end(event(resultFor(request)));
          }),
        ),
      );
      const client = await opened.connect('http', server.url);
      const told: unknown[] = [];
      const { content } = await client.callTool('x', {}, { onProgress: (progress) => told.push(progress) });
      assert.deepEqual(content, [{ type: 'text', text: 'ok' }]);
      assert.deepEqual(told, [{ progress: 1, message: 'half' }]);
      const pong = await server.request(({ body }) => body.includes('"result":{}'));
      assert.deepEqual(messageOf(pong), { jsonrpc: '2.0', id: 1, result: {} });
    });

    it('may be batches, in JSON and in events', async () => {
      const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } };
      const server = await opened.server(
        startStreamableServer({
          protocolVersion: '2025-03-26',
          ...onCall((request, response, count) =>
            answerWith(response, count === 1 ? 'json' : 'events', [notice, resultFor(request)]),
          ),
        }),
      );
      const client = await opened.connect('http', server.url);
      const heard: string[] = [];
      client.onDidReceiveNotification(({ method }) => heard.push(method));
      for (let count = 0; count < 2; count++) assert.equal((await client.callTool('x', {})).content.length, 1);
      assert.deepEqual(heard, ['notifications/message', 'notifications/message']);
    });

    for (const way of ['json', 'events'] as const) {
      it(`errors are errors in ${way}`, async () => {
        const error = { code: -32602, message: 'Unknown tool: x' };
        const server = await opened.server(
          startStreamableServer(
            onCall((request, response) =>
              answerWith(response, way, { jsonrpc: '2.0', id: messageOf(request)['id'], error }),
            ),
          ),
        );
        const client = await opened.connect('http', server.url);
        await assert.rejects(client.callTool('x', {}), { name: 'RpcError', ...error });
        assert.equal(server.requests.filter((request) => methodOf(request) === 'tools/call').length, 1);
      });

      it(`errors without an id belong to the request of the POST (${way})`, async () => {
        const error = { code: -32700, message: 'Parse error' };
        const server = await opened.server(
          startStreamableServer(
            onCall((_request, response) => answerWith(response, way, { jsonrpc: '2.0', id: null, error })),
          ),
        );
        const client = await opened.connect('http', server.url);
        await assert.rejects(client.callTool('x', {}), { name: 'RpcError', ...error });
      });

      it(`an answer with an id that is not ours fails the call at once (${way})`, async () => {
        const server = await opened.server(
          startStreamableServer(
            onCall((_request, response) => answerWith(response, way, { jsonrpc: '2.0', id: 0, result: {} })),
          ),
        );
        const client = await opened.connect('http', server.url, { timeoutMs: 60_000 });
        await assert.rejects(client.callTool('x', {}), /^(Protocol|Transport)Error: users: .*tools\/call/);
      });
    }

    for (const type of ['application/json;charset=utf-8', 'Application/JSON', undefined, 'text/plain']) {
      it(`JSON is read with content type ${type ?? 'none'}`, async () => {
        const server = await opened.server(
          startStreamableServer(
            onCall((request, response) =>
              response
                .writeHead(200, type === undefined ? {} : { 'Content-Type': type })
                .end(JSON.stringify(resultFor(request))),
            ),
          ),
        );
        const client = await opened.connect('http', server.url);
        assert.equal((await client.callTool('x', {})).content.length, 1);
      });
    }

    for (const type of ['text/plain', 'application/octet-stream', undefined]) {
      it(`an event stream that stays open is read with content type ${type ?? 'none'}`, async () => {
        const server = await opened.server(
          startStreamableServer(
            onCall((request, response) => {
              response.writeHead(200, type === undefined ? {} : { 'Content-Type': type });
              response.write('eve');
              response.write(`nt: message\ndata: ${JSON.stringify(resultFor(request))}\n\n`);
            }),
          ),
        );
        const client = await opened.connect('http', server.url);
        assert.equal((await client.callTool('x', {})).content.length, 1);
      });
    }

    it('one that comes with 202 is read all the same', async () => {
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) => response.writeHead(202, json).end(JSON.stringify(resultFor(request)))),
        ),
      );
      const client = await opened.connect('http', server.url);
      assert.equal((await client.callTool('x', {})).content.length, 1);
    });

    it('compressed ones are read', async () => {
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) => {
            response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
            response.end(zlib.gzipSync(JSON.stringify(resultFor(request, 'x'.repeat(10_000)))));
          }),
        ),
      );
      const client = await opened.connect('http', server.url);
      assert.equal(String((await client.callTool('x', {})).content[0]?.['text']).length, 10_000);
    });

    it('a page instead of JSON is told as one', async () => {
      const server = await opened.server(
        startStreamableServer(
          onCall((_request, response) =>
            response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Login</title>'),
          ),
        ),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(
        client.callTool('x', {}),
        isTransportError('http-status', /text\/html.*Login/, { status: 200 }),
      );
    });

    it('JSON that is cut short is told as that, and the call may have run', async () => {
      const half = '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"te';
      const server = await opened.server(
        startStreamableServer(
          onCall((_request, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(half)),
        ),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(
        client.callTool('x', {}),
        isTransportError('http-status', /tools\/call .*cut short or broken/, { status: 200, mayHaveRun: true }),
      );
    });

    it('an acceptance without an answer rejects the call, which may have run', async () => {
      const server = await opened.server(
        startStreamableServer(onCall((_request, response) => response.writeHead(202).end())),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(
        client.callTool('x', {}),
        isTransportError('closed', /HTTP 202 and no answer/, { mayHaveRun: true }),
      );
    });

    it('a stream that ends or breaks off without an id rejects the call, which may have run', async () => {
      const server = await opened.server(
        startStreamableServer(
          onCall((_request, response, count) => {
            response.writeHead(200, events);
            response.write(': working\n\n', () => (count === 1 ? response.end() : response.destroy()));
          }),
        ),
      );
      const client = await opened.connect('http', server.url);
      for (const how of [/ended before it was complete/, /broke off/]) {
        await assert.rejects(client.callTool('x', {}), isTransportError('closed', how, { mayHaveRun: true }));
      }
      assert.equal((await client.listTools()).length, 2);
    });

    it('a stream that stays open after its answer does not delay it, and is ended', async () => {
      const clock = new FakeClock();
      let ended = (): void => undefined;
      const closed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) => {
            response.on('close', () => ended());
            response.writeHead(200, events).write(event(resultFor(request)));
          }),
        ),
      );
      const client = await opened.connect('http', server.url, { clock });
      await client.callTool('x', {});
      clock.pass(5000);
      await closed;
    });
  });

  describe('refusals', () => {
    for (const [status, code] of [
      [400, 'http-status'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
      [429, 'http-status'],
      [500, 'http-status'],
    ] as const) {
      it(`${status} on one call rejects that call alone`, async () => {
        const server = await opened.server(
          startStreamableServer({
            intercept: (request, response) => {
              if (!request.body.includes('"refused"')) return false;
              response.writeHead(status).end('not this one');
              return true;
            },
          }),
        );
        const client = await opened.connect('http', server.url);
        const refused = client.callTool('refused', {});
        const other = client.callTool('other', {});
        await assert.rejects(
          refused,
          isTransportError(code, /tools\/call was answered with HTTP .*: not this one/, {
            status,
            mayHaveRun: status >= 500,
          }),
        );
        assert.equal((await other).isError, false);
        assert.equal(server.requests.filter((request) => methodOf(request) === 'initialize').length, 1);
      });
    }

    it('with a JSON-RPC error that carries our id is that error', async () => {
      const error = { code: -32602, message: 'Invalid arguments' };
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) =>
            response
              .writeHead(400, { 'Content-Type': 'application/json' })
              .end(JSON.stringify({ jsonrpc: '2.0', id: messageOf(request)['id'], error })),
          ),
        ),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(client.callTool('x', {}), { name: 'RpcError', ...error });
    });

    it('of a notification do not end the session', async () => {
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (methodOf(request) !== 'notifications/initialized') return false;
            response.writeHead(400).end('what is this?');
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url);
      assert.equal((await client.listTools()).length, 2);
      assert.equal(opened.notes('info').filter((note) => note.includes('what is this?')).length, 1);
    });
  });

  it('calls that fail repeat no credential that the server quotes', async () => {
    const server = await opened.server(
      startStreamableServer({
        intercept: (request, response) => {
          if (methodOf(request) !== 'tools/call') return false;
          const { authorization = '' } = request.headers;
          if (request.body.includes('"refuse"')) response.writeHead(500).end(`no: ${authorization}`);
          else
            answerWith(response, 'json', {
              jsonrpc: '2.0',
              id: messageOf(request)['id'],
              error: { code: 1, message: authorization },
            });
          return true;
        },
      }),
    );
    for (const protocolVersion of [undefined, '2025-06-18']) {
      const client = await opened.connect('http', server.url, {
        protocolVersion,
        headers: { Authorization: 'Bearer planted99' },
      });
      for (const tool of ['refuse', 'fail']) {
        await assert.rejects(client.callTool(tool, {}), (error) => {
          assert.ok(error instanceof Error);
          assert.ok(!`${error.message} ${error.stack}`.includes('planted99'), error.message);
          return true;
        });
      }
    }
  });

  describe('a session that the server has forgotten', () => {
    it('is renewed by one handshake for all calls, each of which runs once', async () => {
      const server = await opened.server(startStreamableServer());
      const client = await opened.connect('http', server.url);
      await client.listTools();
      const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
      server.sessions.clear();
      const results = await Promise.all(['a', 'b', 'c'].map((name) => client.callTool(name, {})));
      assert.deepEqual(
        results.map(({ content }) => content[0]?.['text']),
        ['a {}', 'b {}', 'c {}'],
      );
      await changed;
      const methods = server.requests.map((request) => methodOf(request) ?? request.method);
      assert.equal(methods.filter((method) => method === 'initialize').length, 2);
      assert.equal(methods.filter((method) => method === 'tools/list').length, 2);
      const since = server.requests.slice(methods.lastIndexOf('initialize'));
      const after = since.filter(({ headers }) => headers['mcp-session-id'] !== 'session-1');
      assert.equal(after[0]?.headers['mcp-session-id'], undefined);
      const order = after.filter(({ method }) => method === 'POST').map(methodOf);
      assert.deepEqual(order.slice(0, 4), ['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
      assert.ok(after.slice(1).every(({ headers }) => headers['mcp-session-id'] === 'session-2'));
    });

    for (const [status, body] of [
      [400, '{"error":{"message":"Bad Request: No valid session ID provided"}}'],
      [403, 'Session expired'],
      [409, '{"detail":"unknown session"}'],
      [410, ''],
      [422, '{"message":"Invalid Mcp-Session-Id: session does not exist"}'],
    ] as const) {
      it(`is found in a ${status} that says ${body || 'nothing'}`, async () => {
        let forgotten = false;
        const server = await opened.server(
          startStreamableServer({
            intercept: (request, response) => {
              if (!forgotten || methodOf(request) !== 'tools/call' || request.headers['mcp-session-id'] === 'session-2')
                return false;
              response.writeHead(status).end(body);
              return true;
            },
          }),
        );
        const client = await opened.connect('http', server.url);
        forgotten = true;
        assert.equal((await client.callTool('x', {})).isError, false);
      });
    }

    it('a second 404 ends the matter for that call', async () => {
      const server = await opened.server(
        startStreamableServer(onCall((_request, response) => response.writeHead(404).end('gone again'))),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(
        client.callTool('x', {}),
        isTransportError('session-lost', /404.*gone again/, { mayHaveRun: false }),
      );
      assert.equal(server.requests.filter((request) => methodOf(request) === 'tools/call').length, 2);
      assert.equal(server.requests.filter((request) => methodOf(request) === 'initialize').length, 2);
    });

    it('a 404 without a session is an ordinary refusal', async () => {
      const server = await opened.server(
        startStreamableServer({ sessions: false, ...onCall((_request, response) => response.writeHead(404).end()) }),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(client.callTool('x', {}), isTransportError('http-status', /404/));
      assert.equal(server.requests.filter((request) => methodOf(request) === 'initialize').length, 1);
    });

    it('when the renewal fails, the calls fail, and the next call tries again', async () => {
      let down = false;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (!down || methodOf(request) !== 'initialize') return false;
            response.writeHead(503).end('starting');
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url);
      server.sessions.clear();
      down = true;
      await assert.rejects(client.callTool('x', {}), isTransportError('http-status', /initialize.*503.*starting/));
      down = false;
      assert.equal((await client.callTool('x', {})).isError, false);
    });

    it('is found by the listening stream too, without harm to a call that runs', async () => {
      const clock = new FakeClock();
      let finish = (): void => undefined;
      const server = await opened.server(
        startStreamableServer(
          onCall((request, response) => {
            finish = () => answerWith(response, 'json', resultFor(request));
          }),
        ),
      );
      const client = await opened.connect('http', server.url, { clock });
      await server.request(({ method }) => method === 'GET');
      const call = client.callTool('x', {});
      await server.post('tools/call');
      server.sessions.clear();
      const gone = new Promise((resolve) => server.listening[0]?.on('close', resolve));
      server.listening[0]?.end();
      await gone;
      while (clock.waiting < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      // The scripted server checks sessions on POST alone, so the refusal of the GET is played here.
      clock.pass(1000);
      await server.request(({ method }) => method === 'GET', 2);
      finish();
      assert.equal((await call).content.length, 1);
    });
  });

  describe('the listening stream', () => {
    it('brings requests and notices, also after it was reopened', async () => {
      const clock = new FakeClock();
      const server = await opened.server(startStreamableServer());
      const client = await opened.connect('http', server.url, { clock });
      await server.request(({ method }) => method === 'GET');
      const heard: string[] = [];
      client.onDidReceiveNotification(({ method }) => heard.push(method));
      server.listening[0]?.write(`id: e1\nretry: 300\n${event({ jsonrpc: '2.0', method: 'notifications/one' })}`);
      server.listening[0]?.end();
      while (clock.next !== 300) await new Promise((resolve) => setTimeout(resolve, 5));
      clock.pass(300);
      const second = await server.request(({ method }) => method === 'GET', 2);
      assert.equal(second.headers['last-event-id'], 'e1');
      server.say({ jsonrpc: '2.0', id: 's1', method: 'ping' });
      assert.deepEqual(messageOf(await server.request(({ body }) => body.includes('"s1"'))), {
        jsonrpc: '2.0',
        id: 's1',
        result: {},
      });
      assert.deepEqual(heard, ['notifications/one']);
    });

    it('is not reopened without a pause, also when the server asks for that', async () => {
      const clock = new FakeClock();
      const server = await opened.server(startStreamableServer());
      await opened.connect('http', server.url, { clock });
      await server.request(({ method }) => method === 'GET');
      server.listening[0]?.end(`id: e1\nretry: 0\n${event({ jsonrpc: '2.0', method: 'notifications/one' })}`);
      while (clock.next !== 100) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 1);
    });

    for (const status of [400, 401, 403, 404, 405, 501]) {
      it(`its refusal with ${status} costs nothing but one info line`, async () => {
        const clock = new FakeClock();
        const server = await opened.server(
          startStreamableServer({
            sessions: false,
            intercept: (request, response) => {
              if (request.method !== 'GET') return false;
              response.writeHead(status).end();
              return true;
            },
          }),
        );
        const client = await opened.connect('http', server.url, { clock });
        while (opened.notes('info').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.equal((await client.listTools()).length, 2);
        clock.pass(600_000);
        await client.callTool('x', {});
        assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 1);
        assert.equal(opened.notes('info', 'warning', 'error').length, 1);
      });
    }

    it('refused with 404 from the start is no loss of the session', async () => {
      const clock = new FakeClock();
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (request.method !== 'GET') return false;
            response.writeHead(404).end('Cannot GET /mcp');
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url, { clock });
      while (opened.notes('info').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal((await client.listTools()).length, 2);
      assert.equal(server.requests.filter((request) => methodOf(request) === 'initialize').length, 1);
    });

    it('refused with 404 after it was there is a loss of the session, which is renewed', async () => {
      const clock = new FakeClock();
      let forgotten = false;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (request.method !== 'GET' || !forgotten) return false;
            forgotten = false;
            response.writeHead(404).end();
            return true;
          },
        }),
      );
      await opened.connect('http', server.url, { clock });
      await server.request(({ method }) => method === 'GET');
      while (server.listening.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      forgotten = true;
      server.listening[0]?.end();
      while (clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      clock.pass(clock.next ?? 0);
      const third = await server.request(({ method }) => method === 'GET', 3);
      assert.equal(third.headers['mcp-session-id'], 'session-2');
    });

    for (const status of [409, 429, 500, 503]) {
      it(`is tried again after ${status}, less and less often, while everything else works`, async () => {
        const clock = new FakeClock();
        let refuse = true;
        const server = await opened.server(
          startStreamableServer({
            intercept: (request, response) => {
              if (request.method !== 'GET' || !refuse) return false;
              response.writeHead(status).end();
              return true;
            },
          }),
        );
        const client = await opened.connect('http', server.url, { clock });
        const waits: number[] = [];
        for (let round = 1; round <= 5; round++) {
          await server.request(({ method }) => method === 'GET', round);
          while (clock.next === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
          waits.push(clock.next);
          clock.pass(clock.next);
        }
        assert.ok(
          waits.every((wait, index) => wait >= 1000 * 2 ** index * 0.79 && wait <= 1000 * 2 ** index * 1.21),
          String(waits),
        );
        refuse = false;
        assert.equal((await client.callTool('x', {})).isError, false);
        assert.deepEqual(opened.notes('info', 'warning', 'error'), []);
      });
    }

    it('one dead socket leads to one new attempt', async () => {
      const clock = new FakeClock();
      const server = await opened.server(startStreamableServer());
      await opened.connect('http', server.url, { clock });
      for (let round = 1; round <= 3; round++) {
        await server.request(({ method }) => method === 'GET', round);
        while (server.listening.length < round) await new Promise((resolve) => setTimeout(resolve, 1));
        server.listening[round - 1]?.destroy();
        while (clock.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        assert.equal(clock.waiting, 1);
        clock.pass(clock.next ?? 0);
      }
      assert.equal(server.requests.filter(({ method }) => method === 'GET').length, 3);
    });

    it('is not opened before the handshake is complete', async () => {
      const server = await opened.server(startStreamableServer());
      await opened.connect('http', server.url);
      await server.request(({ method }) => method === 'GET');
      assert.deepEqual(
        server.requests.slice(0, 3).map((request) => methodOf(request) ?? request.method),
        ['initialize', 'notifications/initialized', 'GET'],
      );
    });
  });

  describe('an answer that breaks off', () => {
    it('is resumed after its last event, after the time that the server asked for, as often as needed', async () => {
      const clock = new FakeClock();
      let call: RecordedRequest | undefined;
      let resumed = 0;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (methodOf(request) === 'tools/call') {
              call = request;
              response.writeHead(200, events).end('id: e1\nretry: 300\ndata:\n\n');
              return true;
            }
            if (request.headers['last-event-id'] === undefined) return false;
            response.writeHead(200, events);
            if (++resumed === 1) response.end();
            else if (call) response.end(event(resultFor(call), 'e2'));
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url, { clock });
      const running = client.callTool('x', {});
      for (let round = 1; round <= 2; round++) {
        while (clock.next !== 300) await new Promise((resolve) => setTimeout(resolve, 5));
        clock.pass(300);
        await server.request(({ headers }) => headers['last-event-id'] === 'e1', round);
      }
      assert.deepEqual((await running).content, [{ type: 'text', text: 'ok' }]);
      assert.equal(server.requests.filter((request) => methodOf(request) === 'tools/call').length, 1);
    });

    it('is resumed after a cut, and survives a server that is away for a while', async () => {
      let call: RecordedRequest | undefined;
      let refusals = 0;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (methodOf(request) === 'tools/call') {
              call = request;
              response.writeHead(200, events).write('id: e1\nretry: 10\ndata:\n\n', () => response.destroy());
              return true;
            }
            if (request.headers['last-event-id'] === undefined) return false;
            if (++refusals <= 2) response.writeHead(503).end();
            else if (call) response.writeHead(200, events).end(event(resultFor(call), 'e2'));
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url);
      assert.deepEqual((await client.callTool('x', {})).content, [{ type: 'text', text: 'ok' }]);
    });

    it('fails, as something that may have run, when the server knows no resumption', async () => {
      const server = await opened.server(
        startStreamableServer({
          listening: false,
          ...onCall((_request, response) => response.writeHead(200, events).end('id: e1\nretry: 1\ndata:\n\n')),
        }),
      );
      const client = await opened.connect('http', server.url);
      await assert.rejects(
        client.callTool('x', {}),
        isTransportError('http-status', /405.*tools\/call was not answered and may have run/, { mayHaveRun: true }),
      );
    });

    it('is not resumed once it was cancelled', async () => {
      const clock = new FakeClock();
      const server = await opened.server(
        startStreamableServer(
          onCall((_request, response) => response.writeHead(200, events).end('id: e1\nretry: 100\ndata:\n\n')),
        ),
      );
      const client = await opened.connect('http', server.url, { clock });
      const controller = new AbortController();
      const call = client.callTool('x', {}, { signal: controller.signal });
      const failed = assert.rejects(call, isTransportError('cancelled', /./));
      while (clock.next !== 100) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      await failed;
      clock.pass(60_000);
      await server.post('notifications/cancelled');
      assert.ok(server.requests.every(({ headers }) => headers['last-event-id'] === undefined));
    });
  });

  it('cancelling tells the server and ends the POST', async () => {
    let ended = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const server = await opened.server(
      startStreamableServer(onCall((_request, response) => response.on('close', () => ended()))),
    );
    const client = await opened.connect('http', server.url);
    const controller = new AbortController();
    const call = client.callTool('x', {}, { signal: controller.signal });
    const failed = assert.rejects(call, isTransportError('cancelled', /./, { mayHaveRun: true }));
    const { id } = messageOf(await server.post('tools/call'));
    controller.abort();
    await failed;
    await closed;
    assert.equal(Object(messageOf(await server.post('notifications/cancelled'))['params']).requestId, id);
  });

  it('closing rejects what runs and leaves nothing open', async () => {
    const server = await opened.server(startStreamableServer(onCall(() => undefined)));
    const client = await opened.connect('http', server.url);
    const call = client.callTool('x', {});
    const failed = assert.rejects(call, isTransportError('closed', /closed by this side/));
    await server.post('tools/call');
    await client.close();
    await failed;
    while (server.sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  describe('redirects', () => {
    for (const status of [307, 308]) {
      it(`${status} from /mcp to /mcp/ keeps everything, and is followed once for a session`, async () => {
        const server = await opened.server(startStreamableServer());
        const outer = await opened.server(
          startServer((request, response) => {
            if (request.url === '/mcp?x=1') return response.writeHead(status, { Location: '/mcp/?x=1' }).end();
            void forward(request, response, `${server.origin}/mcp`);
          }),
        );
        const client = await opened.connect('http', `${outer.origin}/mcp?x=1`, {
          headers: { Authorization: 'Bearer t' },
        });
        assert.equal((await client.listTools()).length, 2);
        await client.callTool('x', {});
        await client.close();
        assert.equal(outer.requests.filter(({ url }) => url === '/mcp?x=1').length, 1);
        assert.ok(outer.requests.every(({ headers }) => headers['authorization'] === 'Bearer t'));
      });
    }

    it('session id and configured headers do not cross an origin', async () => {
      const other = await opened.server(startServer((_request, response) => response.writeHead(401).end()));
      let away = false;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (!away || request.method !== 'POST') return false;
            response.writeHead(307, { Location: `${other.origin}/mcp` }).end();
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url, { headers: { 'X-Api-Key': 's3cret', Cookie: 'c=1' } });
      away = true;
      await assert.rejects(client.callTool('x', {}), isTransportError('unauthorized', /401/));
      const { headers } = await other.request(() => true);
      for (const name of ['x-api-key', 'cookie', 'mcp-session-id']) assert.equal(headers[name], undefined, name);
      away = false;
    });

    it('a loop is told as one', async () => {
      const server = await opened.server(
        startServer((_request, response) => response.writeHead(307, { Location: '/mcp' }).end()),
      );
      await assert.rejects(
        opened.connect('http', `${server.origin}/mcp`),
        isTransportError('redirect', /redirects more than 5 times/),
      );
    });
  });
});

/** Passes a request on to another server, body and answer whole. */
async function forward(request: RecordedRequest, response: ServerResponse, url: string): Promise<void> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name) ? [[name, value]] : [],
  );
  const body = request.method === 'POST' ? { body: request.body } : {};
  if (request.method === 'GET') return void response.writeHead(405).end();
  const answer = await fetch(url, { method: request.method, headers, ...body });
  response.writeHead(
    answer.status,
    Object.fromEntries([...answer.headers].filter(([name]) => /^(content-type|mcp-)/.test(name))),
  );
  response.end(await answer.text());
}
