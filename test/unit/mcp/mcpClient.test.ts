import assert from 'node:assert/strict';
import { isTransportError, Opened } from '../../support/connected.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { startServer } from '../../support/httpServer.ts';
import { startSseServer, type SseScript } from '../../support/sseServer.ts';
import { messageOf, startStreamableServer } from '../../support/streamableServer.ts';

const callsGive = (result: unknown): SseScript => ({
  reply: ({ method }) => (method === 'tools/call' ? { result } : undefined),
});

describe('the client', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  describe('results of calls', () => {
    const text = { type: 'text', text: 'a' };
    for (const [name, given, expected] of [
      ['no content', {}, { content: [] }],
      ['null as content', { content: null, isError: true }, { content: [], isError: true }],
      ['only structured content', { structuredContent: { a: 1 } }, { content: [], structuredContent: { a: 1 } }],
      ['one block without a list', { content: text }, { content: [text] }],
      ['plain text', { content: 'a' }, { content: [text] }],
      ['entries that are no blocks', { content: [text, null, {}] }, { content: [text] }],
      ['an unknown block', { content: [{ type: 'hologram', data: 1 }] }, { content: [{ type: 'hologram', data: 1 }] }],
      ['more members', { content: [text], _meta: { a: 1 } }, { content: [text], _meta: { a: 1 } }],
    ] as const) {
      it(`are read with ${name}`, async () => {
        const server = await opened.server(startSseServer(callsGive(given)));
        const client = await opened.connect('sse', server.url);
        assert.deepEqual(await client.callTool('x', {}), expected);
      });
    }

    for (const given of [null, 'text', [], 7]) {
      it(`that are no object are an error (${JSON.stringify(given)})`, async () => {
        const server = await opened.server(startSseServer(callsGive(given)));
        const client = await opened.connect('sse', server.url);
        await assert.rejects(client.callTool('x', {}), { name: 'ProtocolError', code: 'result' });
      });
    }
  });

  it('sends the arguments as an object in any case', async () => {
    const server = await opened.server(startSseServer());
    const client = await opened.connect('sse', server.url);
    const callLoosely = (...args: unknown[]): unknown => Reflect.apply(Reflect.get(client, 'callTool'), client, args);
    await callLoosely('none', {});
    await callLoosely('missing');
    await callLoosely('null', null);
    const sent = server.messages
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => Object(params).arguments);
    assert.deepEqual(sent, [{}, {}, {}]);
  });

  it('runs a call that fails in the ordinary way once, and stays connected', async () => {
    const answers = [
      { error: { code: -32602, message: 'Unknown tool' } },
      { result: { content: [], isError: true } },
      { error: { code: -32603, message: 'boom' } },
    ];
    const server = await opened.server(
      startSseServer({ reply: ({ method }) => (method === 'tools/call' ? answers.shift() : undefined) }),
    );
    const client = await opened.connect('sse', server.url);
    await assert.rejects(client.callTool('x', {}), { name: 'RpcError', code: -32602, message: 'Unknown tool' });
    assert.equal((await client.callTool('x', {})).isError, true);
    await assert.rejects(client.callTool('x', {}), { name: 'RpcError', code: -32603 });
    assert.equal(server.messages.filter(({ method }) => method === 'tools/call').length, 3);
    assert.equal(server.sessions.length, 1);
  });

  it('finishes a call to a tool that is no longer listed', async () => {
    let finish = (): void => undefined;
    let tools = [{ name: 'slow', inputSchema: {} }];
    const server = await opened.server(
      startSseServer({
        reply: async ({ method }) => {
          if (method === 'tools/list') return { result: { tools } };
          if (method !== 'tools/call') return undefined;
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return undefined;
        },
      }),
    );
    const client = await opened.connect('sse', server.url);
    await client.listTools();
    const call = client.callTool('slow', {});
    await server.message('tools/call');
    const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
    tools = [];
    server.sessions[0]?.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await changed;
    assert.deepEqual(await client.listTools(), []);
    finish();
    assert.equal((await call).isError, false);
  });

  it('lists anew after a notice although none was announced, and not for a server without tools', async () => {
    const server = await opened.server(startSseServer({ capabilities: { tools: {} } }));
    const client = await opened.connect('sse', server.url);
    await client.listTools();
    const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
    server.sessions[0]?.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await changed;
    await client.listTools();
    assert.equal(server.messages.filter(({ method }) => method === 'tools/list').length, 2);
    const without = await opened.server(startSseServer({ capabilities: { resources: {} } }));
    assert.deepEqual(await (await opened.connect('sse', without.url)).listTools(), []);
    assert.ok(without.messages.every(({ method }) => method !== 'tools/list'));
  });

  it('tells a warning also to those who begin to listen after it', async () => {
    const reply: SseScript['reply'] = ({ method }) =>
      method === 'tools/list' ? { result: { tools: [], nextCursor: '' } } : undefined;
    const server = await opened.server(startSseServer({ reply }));
    const client = await opened.connect('sse', server.url);
    await client.listTools();
    const heard: string[] = [];
    client.onDidWarn((text) => heard.push(text));
    assert.match(heard[0] ?? '', /repeats the page cursor/);
    assert.equal(heard.length, 1);
  });

  it('hands on notifications, and sends requests and notifications of any kind', async () => {
    const server = await opened.server(
      startSseServer({
        reply: ({ method, params }) => (method === 'resources/read' ? { result: { echoed: params } } : undefined),
      }),
    );
    const client = await opened.connect('sse', server.url);
    const heard: unknown[] = [];
    client.onDidReceiveNotification((notification) => heard.push(notification));
    server.sessions[0]?.say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
    assert.deepEqual(await client.request('resources/read', { uri: 'a:b' }), { echoed: { uri: 'a:b' } });
    await client.notify('notifications/roots/list_changed');
    assert.deepEqual(heard, [{ method: 'notifications/message', params: { level: 'info', data: 'x' } }]);
    assert.deepEqual(await server.message('notifications/roots/list_changed'), {
      jsonrpc: '2.0',
      method: 'notifications/roots/list_changed',
    });
  });

  it('a call with progress outlives its limit, and the id is told as soon as it is known', async () => {
    const clock = new FakeClock();
    const server = await opened.server(
      startSseServer({ reply: ({ method }) => (method === 'tools/call' ? 'silence' : undefined) }),
    );
    const client = await opened.connect('sse', server.url, { clock, timeoutMs: 60_000 });
    let id: number | string | undefined;
    const told: string[] = [];
    const heard = (count: number) => (): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => (told.length >= count ? resolve() : void setTimeout(check, 2));
        check();
      });
    const call = client.callTool(
      'slow',
      {},
      { onRequestId: (value) => (id = value), onProgress: ({ message }) => told.push(message ?? '') },
    );
    const { params } = await server.message('tools/call');
    const progressToken = Object(params)._meta.progressToken;
    for (let step = 1; step <= 7; step++) {
      clock.pass(20_000);
      server.sessions[0]?.say({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: step, message: `at ${step}` },
      });
      await heard(step)();
    }
    server.sessions[0]?.say({ jsonrpc: '2.0', id, result: { content: [] } });
    assert.deepEqual((await call).content, []);
    assert.equal(told.at(-1), 'at 7');
  });

  it('a silent server keeps nobody for ever: list and call have limits of their own', async () => {
    const server = await opened.server(
      startSseServer({ reply: ({ method }) => (String(method).startsWith('tools/') ? 'silence' : undefined) }),
    );
    const healthy = await opened.server(startStreamableServer());
    const client = await opened.connect('sse', server.url, { timeoutMs: 200 });
    const other = await opened.connect('http', healthy.url);
    const list = assert.rejects(
      client.listTools(),
      isTransportError('timeout', /^users: tools\/list was not answered within 0\.2 s/),
    );
    const call = assert.rejects(
      client.callTool('x', {}, { timeoutMs: 100 }),
      isTransportError('timeout', /^users: tools\/call was not answered within 0\.1 s/, { mayHaveRun: true }),
    );
    assert.equal((await other.listTools()).length, 2);
    await Promise.all([list, call]);
  });

  it('a silent event stream is never cut for its silence', async () => {
    const clock = new FakeClock();
    const server = await opened.server(startSseServer());
    const client = await opened.connect('sse', server.url, { clock });
    clock.pass(24 * 3600 * 1000);
    assert.equal((await client.callTool('x', {})).isError, false);
    assert.equal(server.sessions.length, 1);
  });

  it('the endpoint is resolved against where the stream was redirected to, without the configured headers on another origin', async () => {
    const server = await opened.server(startSseServer());
    const door = await opened.server(
      startServer((request, response) => {
        if (request.method === 'GET') response.writeHead(307, { Location: server.url }).end();
        else response.writeHead(404).end();
      }),
    );
    const client = await opened.connect('sse', `${door.origin}/sse`, { headers: { 'X-Api-Key': 's3cret' } });
    assert.equal((await client.callTool('x', {})).isError, false);
    assert.ok(server.requests.length >= 4);
    assert.ok(server.requests.every(({ headers }) => headers['x-api-key'] === undefined));
    assert.ok(door.requests.every(({ headers }) => headers['x-api-key'] === 's3cret'));
  });

  it('no error text carries a configured secret', async () => {
    const secret = 's3cret-value';
    const server = await opened.server(startServer((_request, response) => response.writeHead(500).end('broken')));
    const connecting = opened.connect('auto', `${server.origin}/sse?token=${secret}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    await assert.rejects(connecting, (error) => {
      assert.ok(error instanceof Error);
      assert.ok(!error.message.includes(secret) && !String(error.stack).includes(secret));
      return true;
    });
  });

  it('answers to the server’s requests come from the handlers', async () => {
    const server = await opened.server(startStreamableServer());
    await opened.connect('http', server.url, {
      handlers: { 'roots/list': () => Promise.resolve({ roots: [{ uri: 'file:///a' }] }) },
    });
    await server.request(({ method }) => method === 'GET');
    while (server.listening.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    server.say({ jsonrpc: '2.0', id: 'r', method: 'roots/list' });
    const answer = await server.request(({ body }) => body.includes('"id":"r"'));
    assert.deepEqual(messageOf(answer), { jsonrpc: '2.0', id: 'r', result: { roots: [{ uri: 'file:///a' }] } });
  });
});
