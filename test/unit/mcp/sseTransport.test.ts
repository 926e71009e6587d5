import assert from 'node:assert/strict';
import type { McpScript } from '../../support/mcpScript.ts';
import { isTransportError, Opened, settle } from '../../support/connected.ts';
import { methodOf, startSseServer, type SseScript } from '../../support/sseServer.ts';
import { messageOf } from '../../support/streamableServer.ts';

const text = '北京 – café 🌍';

/** The test answers the calls itself. */
const silentCalls: McpScript = { reply: ({ method }) => (method === 'tools/call' ? 'silence' : undefined) };

/** The event stream is called by this content type, or by none. */
function typed(type: string | undefined): SseScript {
  return {
    intercept: (request, response) => {
      if (request.method !== 'GET') return false;
      const writeHead = response.writeHead.bind(response);
      response.writeHead = (status: number) => writeHead(status, type === undefined ? {} : { 'Content-Type': type });
      return false;
    },
  };
}

describe('HTTP+SSE', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  describe('framing', () => {
    const frames: Record<string, (message: unknown) => string> = {
      'CR LF': (message) => `event: message\r\ndata: ${JSON.stringify(message)}\r\n\r\n`,
      CR: (message) => `event: message\rdata: ${JSON.stringify(message)}\r\r`,
      'no event name': (message) => `data: ${JSON.stringify(message)}\n\n`,
      'several data lines': (message) => `data: ${JSON.stringify(message, null, 1).replaceAll('\n', '\ndata: ')}\n\n`,
      'an event with an id and empty data before each': (message) =>
        `id: 7\ndata:\n\nid: 8\n\nid: 9\ndata: ${JSON.stringify(message)}\n\n`,
      'heartbeats before each': (message) =>
        `data: {"type":"heartbeat"}\n\nevent: keepalive\ndata: {}\n\n: ping\n\ndata: ping\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`,
    };
    for (const [name, frame] of Object.entries(frames)) {
      it(`reads ${name}, without a word above debug`, async () => {
        const server = await opened.server(startSseServer({ frame }));
        const client = await opened.connect('sse', server.url);
        assert.equal((await client.listTools()).length, 2);
        const { content } = await client.callTool('echo', { text });
        assert.deepEqual(content, [{ type: 'text', text: `echo ${JSON.stringify({ text })}` }]);
        assert.deepEqual(opened.notes('info', 'warning', 'error'), []);
      });
    }

    const announcements: Record<string, string> = {
      'data before the event name':
        'data: /mcp/messages?sessionId=session-1\r\nid: 1\r\nretry: 10\r\nevent: endpoint\r\n\r\n',
      'no blanks after the colon': 'event:endpoint\ndata:/mcp/messages?sessionId=session-1\n\n',
      'a byte order mark': '\uFEFFevent: endpoint\ndata: /mcp/messages?sessionId=session-1\n\n',
      'blanks around the value': 'event: endpoint\ndata:   /mcp/messages?sessionId=session-1 \n\n',
      'an absolute address': 'event: endpoint\ndata: ORIGIN/mcp/messages?sessionId=session-1\n\n',
      'a relative address': 'event: endpoint\ndata: mcp/messages?sessionId=session-1\n\n',
    };
    for (const [name, announcement] of Object.entries(announcements)) {
      it(`takes an endpoint with ${name}`, async () => {
        const announce = (_session: string, { origin }: { origin: string }): string =>
          announcement.replace('ORIGIN', origin);
        const server = await opened.server(startSseServer({ announce }));
        const client = await opened.connect('sse', server.url);
        assert.equal((await client.listTools()).length, 2);
        assert.ok(server.requests.some(({ url }) => url === '/mcp/messages?sessionId=session-1'));
      });
    }

    it('reads an answer cut at every byte', async () => {
      const server = await opened.server(startSseServer(silentCalls));
      const client = await opened.connect('sse', server.url);
      const [session] = server.sessions;
      for (let cut = 1; ; cut++) {
        const call = client.callTool('cut', {});
        const { id } = await server.message('tools/call', cut);
        const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
        const bytes = Buffer.from(`event: message\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`);
        session?.write(bytes.subarray(0, cut));
        await settle();
        session?.write(bytes.subarray(cut));
        assert.deepEqual((await call).content, [{ type: 'text', text }]);
        if (cut >= bytes.length) break;
      }
    });

    it('reads 61 KB in pieces of 1 KB, and three answers in one', async () => {
      const long = 'ü'.repeat(30_500);
      const server = await opened.server(startSseServer(silentCalls));
      const client = await opened.connect('sse', server.url);
      const event = (id: unknown, said: string): string =>
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } })}\n\n`;
      const call = client.callTool('long', {});
      const bytes = Buffer.from(event((await server.message('tools/call')).id, long));
      for (let start = 0; start < bytes.length; start += 1024)
        server.sessions[0]?.write(bytes.subarray(start, start + 1024));
      assert.deepEqual((await call).content, [{ type: 'text', text: long }]);
      const calls = ['a', 'b', 'c'].map((name) => client.callTool(name, {}));
      const ids = await Promise.all([2, 3, 4].map(async (count) => (await server.message('tools/call', count)).id));
      server.sessions[0]?.write(ids.map((id) => event(id, String(id))).join(''));
      const results = await Promise.all(calls);
      assert.deepEqual(new Set(results.map(({ content }) => content[0]?.['text'])), new Set(ids.map(String)));
    });

    const types = [
      'Text/Event-Stream; Charset=UTF-8',
      'text/event-stream;charset=utf-8',
      'TEXT/EVENT-STREAM',
      'text/event-stream, text/event-stream',
      'text/plain',
      'application/octet-stream',
      undefined,
    ];
    for (const type of types) {
      it(`takes the content type ${type ?? 'that is not there'}`, async () => {
        const server = await opened.server(startSseServer(typed(type)));
        const client = await opened.connect('sse', server.url);
        assert.equal(client.transport, 'sse');
        assert.equal((await client.listTools()).length, 2);
      });
    }

    it('finds out that it is one without its content type, cut at any of its first bytes', async () => {
      const announcement = '\r\nid: 1\nevent: endpoint\ndata: /mcp/messages?sessionId=session-1\n\n';
      for (let cut = 1; cut < 12; cut++) {
        const server = await opened.server(
          startSseServer({ ...typed(undefined), announce: () => announcement.slice(0, cut) }),
        );
        const connecting = opened.connect('sse', server.url);
        await server.request(({ method }) => method === 'GET');
        await new Promise((resolve) => setTimeout(resolve, 5));
        server.sessions[0]?.write(announcement.slice(cut));
        assert.equal((await connecting).transport, 'sse', `cut at ${cut}`);
      }
    });

    for (const [type, start] of [
      ['application/json', '{"status":"up"}'],
      ['text/html', '<html><title>Sign in</title>'],
      ['text/plain', 'It works!'],
    ] as const) {
      it(`says at once what came where it is ${type} and never ends`, async () => {
        const server = await opened.server(startSseServer({ ...typed(type), announce: () => start }));
        await assert.rejects(
          opened.connect('sse', server.url),
          isTransportError('http-status', new RegExp(`answered with ${type} instead of text/event-stream`)),
        );
      });
    }

    it('ends with a typed error when a message is larger than the cap', async () => {
      const server = await opened.server(startSseServer(silentCalls));
      const client = await opened.connect('sse', server.url, { timeoutMs: 60_000 });
      const closed = new Promise<Error | undefined>((resolve) => client.onDidClose(resolve));
      const call = client.callTool('huge', {});
      await server.message('tools/call');
      const chunk = 'x'.repeat(1024 * 1024);
      server.sessions[0]?.write('data: ');
      for (let count = 0; count < 66; count++) server.sessions[0]?.write(chunk);
      await assert.rejects(call, isTransportError('too-large', /users: .*64 MiB/));
      isTransportError('too-large', /64 MiB/)(await closed);
    }).timeout(60_000);
  });

  describe('messages', () => {
    for (const [name, status, headers, body] of [
      ['202 and nothing', 202, {}, ''],
      ['200 and nothing, called JSON', 200, { 'Content-Type': 'application/json' }, ''],
      ['204', 204, {}, ''],
      ['200 and null', 200, { 'Content-Type': 'application/json' }, 'null'],
      ['200 and text', 200, { 'Content-Type': 'text/plain' }, 'Accepted'],
      ['200 and broken JSON', 200, { 'Content-Type': 'application/json' }, '{oops'],
    ] as const) {
      it(`are accepted with ${name}`, async () => {
        const server = await opened.server(
          startSseServer({
            intercept: (request, response, { sessions }) => {
              if (request.method !== 'POST' || request.url === '/sse') return false;
              response.writeHead(status, headers).end(body);
              const { id, method } = messageOf(request);
              const result =
                method === 'initialize'
                  ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: {} }
                  : { tools: [] };
              if (id !== undefined) sessions[0]?.say({ jsonrpc: '2.0', id, result });
              return true;
            },
          }),
        );
        const client = await opened.connect('sse', server.url);
        assert.deepEqual(await client.listTools(), []);
        assert.deepEqual(opened.notes('warning', 'error'), []);
      });
    }

    for (const [how, type, frame] of [
      ['as JSON', 'application/json', (json: string) => json],
      ['as JSON that is called text', 'text/plain; charset=utf-8', (json: string) => json],
      ['as an event', 'text/event-stream', (json: string) => `: here\n\nevent: message\ndata: ${json}\n\n`],
    ] as const) {
      it(`may be answered in the body of the POST, ${how}`, async () => {
        const server = await opened.server(
          startSseServer({
            intercept: (request, response) => {
              if (methodOf(request) !== 'tools/call') return false;
              const result = { content: [{ type: 'text', text: 'here' }] };
              const answer = JSON.stringify({ jsonrpc: '2.0', id: messageOf(request)['id'], result });
              response.writeHead(200, { 'Content-Type': type }).end(frame(answer));
              return true;
            },
          }),
        );
        const client = await opened.connect('sse', server.url);
        assert.deepEqual((await client.callTool('x', {})).content, [{ type: 'text', text: 'here' }]);
      });
    }

    for (const [status, code, mayHaveRun] of [
      [400, 'http-status', false],
      [401, 'unauthorized', false],
      [403, 'forbidden', false],
      [404, 'http-status', false],
      [413, 'http-status', false],
      [429, 'http-status', false],
      [500, 'http-status', true],
      [503, 'http-status', true],
    ] as const) {
      it(`one that is refused with ${status} rejects its own call alone, at once`, async () => {
        const server = await opened.server(
          startSseServer({
            intercept: (request, response) => {
              if (!request.body.includes('"refused"')) return false;
              response.writeHead(status, { 'Content-Type': 'text/plain' }).end('not this one\nsecond line');
              return true;
            },
          }),
        );
        const client = await opened.connect('sse', server.url);
        const refused = client.callTool('refused', {});
        const other = client.callTool('other', {});
        await assert.rejects(
          refused,
          isTransportError(code, new RegExp(`^users: tools/call .*HTTP ${status}.*: not this one$`), {
            status,
            mayHaveRun,
          }),
        );
        assert.equal((await other).isError, false);
        assert.equal((await client.callTool('later', {})).isError, false);
        assert.equal(server.sessions.length, 1);
      });
    }

    it('are answered when the server asks: ping, roots/list, and a refusal for the rest', async () => {
      const server = await opened.server(startSseServer());
      await opened.connect('sse', server.url);
      const [session] = server.sessions;
      session?.say({ jsonrpc: '2.0', id: 'a', method: 'ping' });
      session?.say({ jsonrpc: '2.0', id: 'b', method: 'roots/list' });
      session?.say({ jsonrpc: '2.0', id: 'c', method: 'sampling/createMessage', params: {} });
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((id) => server.request(({ body }) => body.includes(`"id":"${id}"`))),
      );
      assert.deepEqual(
        answers.map((request) => messageOf(request)),
        [
          { jsonrpc: '2.0', id: 'a', result: {} },
          { jsonrpc: '2.0', id: 'b', result: { roots: [] } },
          { jsonrpc: '2.0', id: 'c', error: { code: -32601, message: 'Method not found: sampling/createMessage' } },
        ],
      );
    });

    it('a cancelled call is told to the server with its id, and a late answer is ignored', async () => {
      const server = await opened.server(startSseServer(silentCalls));
      const client = await opened.connect('sse', server.url);
      const controller = new AbortController();
      const call = client.callTool('slow', {}, { signal: controller.signal });
      const failed = assert.rejects(call, isTransportError('cancelled', /tools\/call was cancelled/));
      const { id } = await server.message('tools/call');
      controller.abort();
      await failed;
      const notice = await server.message('notifications/cancelled');
      assert.deepEqual(Object(notice['params']).requestId, id);
      server.sessions[0]?.say({ jsonrpc: '2.0', id, result: {} });
      assert.equal((await client.listTools()).length, 2);
      assert.deepEqual(opened.notes('info', 'warning', 'error'), []);
    });
  });

  describe('the end of the stream', () => {
    for (const [name, end] of [
      ['ended', 'end'],
      ['cut', 'destroy'],
    ] as const) {
      it(`rejects all calls at once when it is ${name}, and tells that the connection is closed, once`, async () => {
        const server = await opened.server(startSseServer(silentCalls));
        const client = await opened.connect('sse', server.url, { timeoutMs: 60_000 });
        const told: (Error | undefined)[] = [];
        client.onDidClose((error) => told.push(error));
        const calls = [client.callTool('a', {}), client.callTool('b', {})];
        const failures = calls.map((call) =>
          assert.rejects(
            call,
            isTransportError('closed', /^users: .*tools\/call was not answered and may have run/, { mayHaveRun: true }),
          ),
        );
        await server.message('tools/call', 2);
        server.sessions[0]?.response[end]();
        await Promise.all(failures);
        assert.equal(told.length, 1);
        isTransportError('closed', /^users: /)(told[0]);
        await assert.rejects(
          client.callTool('c', {}),
          isTransportError('closed', /the connection is closed/, { mayHaveRun: false }),
        );
        assert.equal(server.sessions.length, 1);
      });
    }

    it('drops what was not finished', async () => {
      const server = await opened.server(startSseServer(silentCalls));
      const client = await opened.connect('sse', server.url);
      const call = client.callTool('a', {});
      const { id } = await server.message('tools/call');
      server.sessions[0]?.response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n`);
      await assert.rejects(call, isTransportError('closed', /may have run/));
      const rest = opened.facts.find((fact) => fact.kind === 'sse-event' && fact.incomplete === true);
      assert.ok(rest?.kind === 'sse-event' && rest.data.startsWith('data: {"jsonrpc"'), 'the tap is told');
    });
  });

  describe('a second endpoint on the same stream', () => {
    it('is a new session: a new handshake, a new list, and what was pending is rejected', async () => {
      const server = await opened.server(
        startSseServer({
          reply: ({ method, params }) =>
            method === 'tools/call' && JSON.stringify(params).includes('stuck') ? 'silence' : undefined,
        }),
      );
      const client = await opened.connect('sse', server.url);
      await client.listTools();
      const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
      const stuck = assert.rejects(
        client.callTool('stuck', {}),
        isTransportError('session-lost', /new session/, { mayHaveRun: true }),
      );
      await server.message('tools/call');
      server.sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1&round=2\n\n');
      await stuck;
      assert.equal((await client.callTool('after', {})).isError, false);
      await changed;
      const second = server.requests.filter(({ url }) => url.includes('round=2')).map(methodOf);
      assert.deepEqual(second.slice(0, 2), ['initialize', 'notifications/initialized']);
      assert.deepEqual(new Set(second.slice(2)), new Set(['tools/list', 'tools/call']));
    });

    it('has a listing that was under way asked for again', async () => {
      let listings = 0;
      const server = await opened.server(
        startSseServer({
          reply: ({ method }) => (method === 'tools/list' && ++listings === 1 ? 'silence' : undefined),
        }),
      );
      const client = await opened.connect('sse', server.url);
      const listing = client.listTools();
      await server.message('tools/list');
      server.sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1&round=2\n\n');
      assert.equal((await listing).length, 2);
    });

    for (const at of ['initialize', 'notifications/initialized']) {
      it(`while ${at} is under way lets the handshake begin again there`, async () => {
        const server = await opened.server(
          startSseServer({
            intercept: (request, response, { sessions }) => {
              if (methodOf(request) !== at || request.url === '/sse' || request.url.includes('round=2')) return false;
              sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1&round=2\n\n');
              response.writeHead(202).end();
              return true;
            },
          }),
        );
        const client = await opened.connect('sse', server.url);
        assert.equal((await client.listTools()).length, 2);
        const second = server.requests.filter(({ url }) => url.includes('round=2')).map(methodOf);
        assert.deepEqual(second.slice(0, 2), ['initialize', 'notifications/initialized']);
        assert.deepEqual(new Set(second.slice(2)), new Set(['tools/list']));
      });
    }

    it('is nothing when it is the same', async () => {
      const server = await opened.server(startSseServer());
      const client = await opened.connect('sse', server.url);
      server.sessions[0]?.write('event: endpoint\ndata: /mcp/messages?sessionId=session-1\n\n');
      await client.listTools();
      assert.equal(server.messages.filter(({ method }) => method === 'initialize').length, 1);
    });

    it('on another origin ends the connection', async () => {
      const server = await opened.server(startSseServer());
      const client = await opened.connect('sse', server.url);
      const closed = new Promise<Error | undefined>((resolve) => client.onDidClose(resolve));
      server.sessions[0]?.write('event: endpoint\ndata: http://evil.example/m\n\n');
      assert.match((await closed)?.message ?? '', /another origin, http:\/\/evil\.example/);
    });
  });

  it('keeps no connection when it is closed', async () => {
    const server = await opened.server(startSseServer());
    const client = await opened.connect('sse', server.url);
    await client.listTools();
    await client.close();
    while (server.sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('two clients on a server that mixes up their streams do not take each other’s answers', async () => {
    const server = await opened.server(startSseServer(silentCalls));
    const first = await opened.connect('sse', server.url);
    const second = await opened.connect('sse', server.url);
    const ofFirst = first.callTool('one', {}, { timeoutMs: 300 });
    const ofSecond = second.callTool('two', {});
    const foreign = (await server.message('tools/call', 1))['id'];
    const own = (await server.message('tools/call', 2))['id'];
    const say = (id: unknown, said: string): void =>
      server.sessions[1]?.say({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } });
    say(foreign, 'of the first');
    say(own, 'of the second');
    assert.deepEqual((await ofSecond).content, [{ type: 'text', text: 'of the second' }]);
    await assert.rejects(ofFirst, isTransportError('timeout', /users: tools\/call was not answered within 0\.3 s/));
  });
});
