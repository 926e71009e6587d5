import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import type { Client } from '../../../../src/mcp/client.ts';
import { connect } from '../../../../src/mcp/connect.ts';
import { memoryVerdicts, type Verdict, type Verdicts } from '../../../../src/mcp/verdicts.ts';
import { isTransportError, Opened, roundTrips, settle } from '../../../support/connected.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { startServer, type RecordedRequest, type TestServer } from '../../../support/httpServer.ts';
import { methodOf, startSseServer } from '../../../support/sseServer.ts';
import { discoverResult, startStatelessServer } from '../../../support/statelessServer.ts';
import {
  answerWith,
  messageOf,
  startStreamableServer,
  type StreamableScript,
} from '../../../support/streamableServer.ts';

/** A server with sessions that does with `server/discover` what the test says. */
function onDiscover(answer: (request: RecordedRequest, response: ServerResponse) => void): StreamableScript {
  return {
    listening: false,
    intercept: (request, response) => {
      if (methodOf(request) !== 'server/discover') return false;
      answer(request, response);
      return true;
    },
  };
}

function refuse(response: ServerResponse, status: number, body = ''): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}

/** What was sent, in order of arrival within each kind: `GET`, `DELETE` or the method of a message. */
function sent(server: TestServer): string[] {
  return server.requests.map((request) => (request.method === 'POST' ? String(methodOf(request)) : request.method));
}

describe('finding the revision', () => {
  const opened = new Opened();
  let verdicts: Verdicts;
  beforeEach(() => {
    verdicts = memoryVerdicts();
  });
  afterEach(() => opened.close());

  const find = (kind: 'http' | 'auto' | 'sse', url: string, more: { timeoutMs?: number } = {}) =>
    opened.connect(kind, url, { protocolVersion: undefined, verdicts, ...more });

  describe('of a server that needs a session', () => {
    for (const [how, answer] of Object.entries<(request: RecordedRequest, response: ServerResponse) => void>({
      'refuses with 400 and no session': (_request, response) =>
        refuse(response, 400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Server not initialized"}}'),
      'refuses with 404': (_request, response) => refuse(response, 404),
      'answers with 500': (_request, response) => refuse(response, 500, 'NullPointerException'),
      'breaks the connection off': (_request, response) => void response.destroy(),
      'answers that it knows no such method': (request, response) =>
        answerWith(response, 'json', {
          jsonrpc: '2.0',
          id: messageOf(request)['id'],
          error: { code: -32601, message: 'no' },
        }),
      'answers with a success that means nothing': (request, response) =>
        answerWith(response, 'events', { jsonrpc: '2.0', id: messageOf(request)['id'], result: {} }),
      'answers with a page': (_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
      'never answers': () => undefined,
    })) {
      for (const kind of ['http', 'auto'] as const) {
        it(`which to the question ${how}: the session is used, without delay (type ${kind})`, async () => {
          const server = await opened.server(startStreamableServer(onDiscover(answer)));
          const start = performance.now();
          const client = await find(kind, server.url);
          const took = performance.now() - start;
          assert.equal((await client.listTools()).length, 2);
          assert.equal(client.protocolVersion, '2025-06-18');
          assert.ok(took < 1500, `${took} ms`);
          assert.equal(roundTrips(opened.facts), 3);
          const probe = await server.post('server/discover');
          assert.equal(typeof messageOf(probe)['id'], 'string');
          assert.equal(messageOf(await server.post('initialize'))['id'], 1);
          assert.equal(messageOf(await server.post('tools/list'))['id'], 2);
        });
      }
    }

    it('which opens one for the question too: that one is ended', async () => {
      const server = await opened.server(
        startStreamableServer(
          onDiscover((_request, response) => {
            response.writeHead(400, { 'Mcp-Session-Id': 'for-nothing' }).end();
          }),
        ),
      );
      const client = await find('http', server.url);
      const end = await server.request(({ method }) => method === 'DELETE');
      assert.equal(end.headers['mcp-session-id'], 'for-nothing');
      await client.listTools();
    });

    for (const [how, hinder] of Object.entries<(response: ServerResponse) => void>({
      '409': (response) => refuse(response, 409, 'busy'),
      '429': (response) => refuse(response, 429, 'one at a time'),
      '500': (response) => refuse(response, 500, 'already connected to a transport'),
      'a broken connection': (response) => void response.destroy(),
    })) {
      it(`which bears one request at a time and answers the handshake with ${how}: it is asked once more, alone`, async () => {
        let hindered = false;
        const server = await opened.server(
          startStreamableServer({
            listening: false,
            intercept: (request, response) => {
              if (methodOf(request) === 'server/discover') {
                refuse(response, 400);
                return true;
              }
              if (methodOf(request) !== 'initialize' || hindered) return false;
              hindered = true;
              hinder(response);
              return true;
            },
          }),
        );
        const client = await find('http', server.url);
        assert.equal((await client.listTools()).length, 2);
        assert.equal(sent(server).filter((method) => method === 'server/discover').length, 1);
      });
    }

    it('which is out of order says so, and is asked once', async () => {
      const server = await opened.server(startServer((_request, response) => refuse(response, 503, 'maintenance')));
      await assert.rejects(
        find('http', server.origin),
        isTransportError('http-status', /maintenance/, { status: 503 }),
      );
      assert.deepEqual(new Set(sent(server)), new Set(['initialize', 'server/discover']));
      assert.equal(server.requests.length, 2);
    });
  });

  it('of a server that breaks off, given up meanwhile: it is over, and nothing fails unheard', async () => {
    const server = await opened.server(
      startServer((request, response) => {
        if (methodOf(request) === 'initialize') refuse(response, 500);
      }),
    );
    const clock = new FakeClock();
    const giveUp = new AbortController();
    const attempt = opened.connect('http', server.origin, {
      protocolVersion: undefined,
      verdicts,
      clock,
      signal: giveUp.signal,
    });
    while (clock.next !== 3000) await settle();
    giveUp.abort();
    await assert.rejects(attempt, isTransportError('cancelled', /was cancelled/));
    clock.pass(3000);
    await settle();
    assert.equal(sent(server).filter((method) => method === 'initialize').length, 1);
  });

  describe('of a server that speaks 2026-07-28', () => {
    for (const kind of ['http', 'auto'] as const) {
      it(`and no other: found in two round trips to the first list (type ${kind})`, async () => {
        const server = await opened.server(startStatelessServer());
        const client = await find(kind, server.url);
        await client.listTools();
        assert.equal(client.protocolVersion, '2026-07-28');
        assert.equal(roundTrips(opened.facts), 2);
        assert.ok(!sent(server).includes('notifications/initialized'));
      });
    }

    it('and the others, too: the session that was opened for nothing is ended, and nothing else goes to it', async () => {
      let answerInitialize = (): void => undefined;
      const server = await opened.server(
        startStatelessServer({
          intercept: (request, response) => {
            if (request.method === 'DELETE') response.writeHead(204).end();
            else if (methodOf(request) === 'initialize') {
              const result = {
                protocolVersion: '2025-11-25',
                capabilities: {},
                serverInfo: { name: 'x', version: '1' },
              };
              const message = { jsonrpc: '2.0', id: 1, result };
              answerInitialize = () => answerWith(response, 'json', message, { 'Mcp-Session-Id': 'unused' });
            } else return false;
            return true;
          },
        }),
      );
      const client = await find('http', server.url);
      await client.listTools();
      assert.equal(client.protocolVersion, '2026-07-28');
      answerInitialize();
      const end = await server.request(({ method }) => method === 'DELETE');
      assert.equal(end.headers['mcp-session-id'], 'unused');
      assert.ok(!sent(server).includes('notifications/initialized'));
    });

    it('and answers the handshake a little earlier: the question is waited for as long as that took, or 50 ms', async () => {
      const server = await opened.server(
        startStreamableServer(
          onDiscover((request, response) => {
            const { id } = messageOf(request);
            void server.post('notifications/initialized').then(() => {
              answerWith(response, 'json', { jsonrpc: '2.0', id, result: discoverResult({ tools: {} }) });
            });
          }),
        ),
      );
      const client = await find('http', server.url);
      assert.equal(client.protocolVersion, '2026-07-28');
      await server.request(({ method }) => method === 'DELETE');
    });

    it('and asks for it again though it was offered: once more, and no more', async () => {
      const error = {
        code: -32022,
        message: 'Unsupported',
        data: { supported: ['2026-07-28'], requested: '2026-07-28' },
      };
      let refusals = 1;
      const server = await opened.server(
        startStatelessServer({
          reply: ({ method }) => (method === 'server/discover' && refusals-- > 0 ? { error } : undefined),
        }),
      );
      assert.equal((await find('http', server.url)).protocolVersion, '2026-07-28');
      const ids = server.requests
        .filter((request) => methodOf(request) === 'server/discover')
        .map((one) => messageOf(one)['id']);
      assert.equal(new Set(ids).size, 2);
      verdicts = memoryVerdicts();
      refusals = 100;
      await assert.rejects(find('http', server.url));
      assert.ok(sent(server).filter((method) => method === 'server/discover').length <= 4);
    });
  });

  it('of a server that speaks only one to come: the error names what it speaks', async () => {
    const error = { code: -32022, message: 'Unsupported', data: { supported: ['2031-01-01'] } };
    const server = await opened.server(
      startServer((request, response) =>
        refuse(response, 400, JSON.stringify({ jsonrpc: '2.0', id: messageOf(request)['id'], error })),
      ),
    );
    await assert.rejects(find('http', server.origin), {
      name: 'ProtocolError',
      code: 'version',
      message: /^users: .*2031-01-01/,
    });
  });

  describe('of a server of HTTP+SSE', () => {
    it('takes four round trips to the first list, also beside the question', async () => {
      const server = await opened.server(startSseServer());
      const client = await find('auto', server.url);
      await client.listTools();
      assert.equal(client.transport, 'sse');
      assert.equal(roundTrips(opened.facts), 4);
      assert.deepEqual(
        server.messages.map(({ id }) => id),
        [1, undefined, 2],
      );
    });

    it('of declared type sse is not asked at all', async () => {
      const server = await opened.server(startSseServer());
      await find('sse', server.url);
      assert.ok(!sent(server).includes('server/discover'));
    });
  });

  describe('of an entry that says sse', () => {
    const warnings = (client: Client): string[] => {
      const told: string[] = [];
      client.onDidWarn?.((text) => told.push(text));
      return told;
    };

    it('and a server that speaks only Streamable HTTP: it is used, and the person is told which type to write', async () => {
      const server = await opened.server(startStreamableServer());
      const client = await find('sse', server.url);
      assert.equal(client.transport, 'http');
      assert.match(warnings(client).join(), /speaks Streamable HTTP, not HTTP\+SSE.*"type": "http"/);
    });

    it('and a server that speaks only 2026-07-28: likewise', async () => {
      const server = await opened.server(startStatelessServer({ capabilities: { tools: {} } }));
      const client = await find('sse', server.url);
      assert.equal(client.protocolVersion, '2026-07-28');
      assert.match(warnings(client).join(), /Streamable HTTP \(revision 2026-07-28\).*"type": "http"/);
    });

    it('and is right: nothing is told, and the next connect sends the GET alone', async () => {
      const server = await opened.server(startSseServer());
      const client = await find('sse', server.url);
      assert.deepEqual(warnings(client), []);
      await client.close();
      const before = server.requests.length;
      await find('sse', server.url);
      assert.deepEqual(sent(server).slice(before), ['GET', 'initialize', 'notifications/initialized']);
    });

    it('and an address that is none of these: the refusals of both are the error', async () => {
      const server = await opened.server(startServer((_request, response) => refuse(response, 404, 'no such page')));
      await assert.rejects(find('sse', server.origin), isTransportError('http-status', /neither HTTP transport works/));
    });

    it('and was remembered as HTTP+SSE: a server that has moved to Streamable HTTP is found', async () => {
      const server = await opened.server(startStreamableServer());
      verdicts.set(server.url, { transport: 'sse', era: 'session', at: Date.now() });
      assert.equal((await find('sse', server.url)).transport, 'http');
    });
  });

  describe('that was remembered and is silent now', () => {
    it('is forgotten when the time is over, so that the next attempt asks in every way', async () => {
      const server = await opened.server(
        startServer((request, response) => {
          if (request.method === 'GET') response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
        }),
      );
      const known: Verdict[] = [
        { transport: 'http', era: 'session', at: Date.now() },
        { transport: 'http', era: 'stateless', at: Date.now() },
        { transport: 'sse', era: 'session', at: Date.now() },
      ];
      for (const verdict of known) {
        verdicts.set(`${server.origin}/`, verdict);
        const late = opened.connect('auto', server.origin, { protocolVersion: undefined, verdicts, timeoutMs: 60 });
        await assert.rejects(late, isTransportError('timeout', /no connection within/));
        assert.equal(verdicts.get(`${server.origin}/`), undefined);
      }
    });
  });

  describe('behind a sign-in', () => {
    for (const status of [401, 403]) {
      it(`${status} proves nothing, is reported and not remembered`, async () => {
        const server = await opened.server(
          startServer((_request, response) => refuse(response, status, '{"error":"sign in"}')),
        );
        for (const kind of ['http', 'auto'] as const) {
          const code = status === 401 ? 'unauthorized' : 'forbidden';
          await assert.rejects(find(kind, server.origin), isTransportError(code, /sign in/, { status }));
        }
        assert.equal(verdicts.get(`${server.origin}/`), undefined);
      });
    }

    it('finds the revision once the person has signed in, with one sign-in for all', async () => {
      const server = await opened.server(
        startStatelessServer({
          intercept: (request, response) => {
            if (request.headers.authorization === 'Bearer good') return false;
            response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
            return true;
          },
        }),
      );
      let token: string | undefined;
      let challenges = 0;
      const authorization = {
        headers: () => Promise.resolve<Record<string, string>>(token === undefined ? {} : { Authorization: token }),
        challenge: () => {
          challenges++;
          token = 'Bearer good';
          return Promise.resolve(true);
        },
      };
      const client = await opened.connect('http', server.url, { protocolVersion: undefined, verdicts, authorization });
      assert.equal(client.protocolVersion, '2026-07-28');
      assert.equal(challenges, 1);
    });
  });

  describe('is remembered', () => {
    const verdictOf = (server: { url: string }): Verdict | undefined => verdicts.get(server.url);

    it('a session: the next connect sends the handshake alone', async () => {
      const server = await opened.server(
        startStreamableServer(onDiscover((_request, response) => refuse(response, 400))),
      );
      await (await find('auto', server.url)).close();
      assert.deepEqual([verdictOf(server)?.transport, verdictOf(server)?.era], ['http', 'session']);
      const before = server.requests.length;
      await find('auto', server.url);
      assert.deepEqual(sent(server).slice(before), ['initialize', 'notifications/initialized']);
    });

    it('2026-07-28: the next connect sends the question alone', async () => {
      const server = await opened.server(startStatelessServer({ capabilities: { tools: {} } }));
      await (await find('auto', server.url)).close();
      const before = server.requests.length;
      await find('auto', server.url);
      assert.deepEqual(sent(server).slice(before), ['server/discover']);
    });

    it('HTTP+SSE: the next connect sends the GET alone', async () => {
      const server = await opened.server(startSseServer());
      await (await find('auto', server.url)).close();
      const before = server.requests.length;
      await find('auto', server.url);
      assert.deepEqual(sent(server).slice(before), ['GET', 'initialize', 'notifications/initialized']);
    });

    it('by origin and path, and by a query without what it may hide', async () => {
      const keys: string[] = [];
      const memory = memoryVerdicts();
      verdicts = {
        get: (address) => memory.get(address),
        set: (address, verdict) => {
          keys.push(address);
          memory.set(address, verdict);
        },
      };
      const server = await opened.server(startStatelessServer());
      for (const query of ['?key=s3cret', '?key=s3cret', '?server=other', ''])
        await (await find('http', server.url + query)).close();
      assert.equal(new Set(keys).size, 3);
      assert.ok(keys.every((key) => key.startsWith(server.url) && !/s3cret|other/.test(key)));
    });

    it('a server that is another one now is found out anew', async () => {
      const wrong: Verdict[] = [
        { transport: 'http', era: 'session', at: Date.now() },
        { transport: 'http', era: 'stateless', at: Date.now() },
        { transport: 'sse', era: 'session', at: Date.now() },
      ];
      const starts: (() => Promise<TestServer & { readonly url: string }>)[] = [
        () => startStatelessServer(),
        () => startStreamableServer(onDiscover((_request, response) => refuse(response, 400))),
        () => startSseServer(),
      ];
      for (const verdict of wrong) {
        for (const start of starts) {
          const server = await opened.server(start());
          verdicts.set(server.url, verdict);
          const client = await find('auto', server.url);
          assert.equal(
            (await client.listTools()).length,
            2,
            JSON.stringify([verdict, client.transport, client.protocolVersion]),
          );
        }
      }
    });

    it('for a day where it is a session, because the server may speak more by then', async () => {
      const server = await opened.server(
        startStatelessServer({ reply: ({ method }) => (method === 'initialize' ? 'silence' : undefined) }),
      );
      verdicts.set(server.url, { transport: 'http', era: 'session', at: Date.now() - 25 * 3600 * 1000 });
      assert.equal((await find('http', server.url)).protocolVersion, '2026-07-28');
    });
  });

  describe('where one is asked for', () => {
    it('2026-07-28: only the question leaves, and the handshake when it fails as of an earlier revision', async () => {
      const server = await opened.server(
        startStreamableServer(onDiscover((_request, response) => refuse(response, 400))),
      );
      const client = await opened.connect('http', server.url, { protocolVersion: '2026-07-28', verdicts });
      assert.deepEqual(sent(server).slice(0, 2), ['server/discover', 'initialize']);
      assert.equal(Object(messageOf(await server.post('initialize'))['params']).protocolVersion, '2025-11-25');
      assert.equal(client.protocolVersion, '2025-06-18');
    });

    it('2026-07-28, and the server is out of order: that is the error, and no handshake follows', async () => {
      const server = await opened.server(startServer((_request, response) => refuse(response, 502)));
      const connecting = opened.connect('http', server.origin, { protocolVersion: '2026-07-28', verdicts });
      await assert.rejects(connecting, isTransportError('http-status', /502/));
      assert.deepEqual(sent(server), ['server/discover']);
    });

    it('one with a session: only the handshake leaves', async () => {
      const server = await opened.server(startStreamableServer({ listening: false }));
      await opened.connect('http', server.url, { protocolVersion: '2025-06-18', verdicts });
      assert.deepEqual(sent(server).slice(0, 2), ['initialize', 'notifications/initialized']);
    });
  });

  describe('over stdio', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'mcp-agent-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** A process that notes the first method of its life, and lets `code` answer `message`. */
    function scripted(code: string) {
      const log = join(folder, 'log');
      const text = `
        let first = true;
        const say = (id, more) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
        const discovered = ${JSON.stringify(discoverResult({ tools: {} }))};
        const initialized = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const message = JSON.parse(line);
          if (first) require('node:fs').appendFileSync(${JSON.stringify(log)}, message.method + ' ');
          first = false;
          ${code}
        });`;
      const config = {
        kind: 'stdio',
        name: 'scripted',
        command: process.execPath,
        args: ['-e', text],
        timeoutMs: 20_000,
      } as const;
      return { config, firsts: () => readFileSync(log, 'utf8').trim().split(' ') };
    }

    const modern = `if (message.method === 'server/discover') say(message.id, { result: discovered });`;

    it('a server that ends at the handshake is asked in a fresh process, and that is remembered', async () => {
      const { config, firsts } = scripted(`${modern} if (message.method === 'initialize') process.exit(3);`);
      for (const expected of [
        ['initialize', 'server/discover'],
        ['initialize', 'server/discover', 'server/discover'],
      ]) {
        const client = await connect(config, { verdicts });
        assert.equal(client.protocolVersion, '2026-07-28');
        await client.close();
        assert.deepEqual(firsts(), expected);
      }
    });

    it('a server that refuses the handshake is asked in the same process', async () => {
      const refusal = `if (message.method === 'initialize') say(message.id, { error: { code: -32602, message: 'no _meta' } });`;
      const { config, firsts } = scripted(modern + refusal);
      const client = await connect(config, { verdicts });
      assert.equal(client.protocolVersion, '2026-07-28');
      await client.close();
      assert.deepEqual(firsts(), ['initialize']);
    });

    it('a server that ends anyway is started twice the first time and once from then on, and its end is the error', async () => {
      const { config, firsts } = scripted(`console.error('no API key'); process.exit(7);`);
      await assert.rejects(connect(config, { verdicts }), /no API key/);
      await assert.rejects(connect(config, { verdicts }), /no API key/);
      assert.deepEqual(firsts(), ['initialize', 'server/discover', 'initialize']);
    });

    it('where 2026-07-28 is asked for, a server that ends at the question gets the handshake in a fresh process', async () => {
      const { config, firsts } = scripted(
        `if (message.method === 'initialize') say(message.id, { result: initialized }); else if (message.id) process.exit(1);`,
      );
      const client = await connect(config, { verdicts, protocolVersion: '2026-07-28' });
      assert.equal(client.protocolVersion, '2025-06-18');
      await client.close();
      assert.deepEqual(firsts(), ['server/discover', 'initialize']);
    });

    it('cancels by a notice, and tells of changes by the number of the subscription', async () => {
      const { config } = scripted(
        `${modern}
        if (message.method === 'notifications/cancelled') say('x', { method: 'notifications/told', params: message.params, id: undefined });`,
      );
      const client = await connect(config, { verdicts, protocolVersion: '2026-07-28' });
      const told = new Promise<unknown>((resolve) => client.onDidReceiveNotification(({ params }) => resolve(params)));
      const controller = new AbortController();
      let id: unknown;
      const call = client.callTool('x', {}, { signal: controller.signal, onRequestId: (number) => (id = number) });
      controller.abort();
      await assert.rejects(call, isTransportError('cancelled', /tools\/call/));
      assert.deepEqual(await told, { requestId: id, reason: 'cancelled' });
      await client.close();
    });
  });
});
