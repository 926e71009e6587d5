import assert from 'node:assert/strict';
import { Opened, roundTrips } from '../../support/connected.ts';
import { methodOf, startSseServer } from '../../support/sseServer.ts';
import { messageOf } from '../../support/streamableServer.ts';

describe('the captured conversation', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  for (const kind of ['sse', 'auto'] as const) {
    it(`is held to the letter for a server of type ${kind}`, async () => {
      const users = [{ name: 'John', email: 'john@example.com' }];
      const server = await opened.server(
        startSseServer({
          reply: ({ method, params }) => {
            if (method !== 'tools/call') return undefined;
            const call = JSON.stringify(params);
            if (call.includes('addUser')) users.push({ name: 'Carson', email: 'carson@example.com' });
            return { result: { content: [{ type: 'text', text: JSON.stringify(users) }], isError: false } };
          },
        }),
      );
      const client = await opened.connect(kind, server.url, { protocolVersion: undefined });
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ['getUsers', 'addUser'],
      );
      await client.listTools();
      const first = await client.callTool('getUsers', {});
      assert.ok(!JSON.stringify(first).includes('Carson'));
      await client.callTool('addUser', { arg0: { name: 'Carson', email: 'carson@example.com' } });
      const last = await client.callTool('getUsers', {});
      assert.ok(JSON.stringify(last).includes('Carson'));
      assert.equal(client.protocolVersion, '2024-11-05');
      await client.close();

      const [one, two] = server.requests;
      assert.deepEqual(new Set([one?.method, two?.method]), new Set(['GET', 'POST']));
      assert.deepEqual([one?.url, two?.url], ['/sse', '/sse']);
      for (const probe of [one, two]) assert.match(probe?.headers.accept ?? '', /text\/event-stream/);

      const messages = server.requests.filter(({ url }) => url.startsWith('/mcp/messages?sessionId=session-1'));
      const seen = messages.map((request) => [messageOf(request)['id'], methodOf(request)]);
      assert.deepEqual(seen, [
        [1, 'initialize'],
        [undefined, 'notifications/initialized'],
        [2, 'tools/list'],
        [3, 'tools/call'],
        [4, 'tools/call'],
        [5, 'tools/call'],
      ]);
      const [initialize, initialized, list, call] = server.messages;
      assert.deepEqual(initialize?.['params'], {
        protocolVersion: '2025-11-25',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'mcp-agent', version: '0.1.0' },
      });
      assert.deepEqual(initialized, { jsonrpc: '2.0', method: 'notifications/initialized' });
      assert.deepEqual(list, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
      const { _meta: meta, ...params } = Object(call?.['params']);
      assert.deepEqual(params, { name: 'getUsers', arguments: {} });
      assert.deepEqual(meta, { progressToken: 3 });
      assert.match(messages[0]?.body ?? '', /^\{"jsonrpc":"2\.0","id":1,"method":"initialize","params":/);
    });
  }

  it('takes four round trips to the first list', async () => {
    const server = await opened.server(startSseServer());
    const client = await opened.connect('auto', server.url, { protocolVersion: undefined });
    await client.listTools();
    assert.equal(roundTrips(opened.facts), 4);
  });

  it('does not ask for the list before the server has accepted notifications/initialized', async () => {
    let accept = (): void => undefined;
    const server = await opened.server(
      startSseServer({
        intercept: (request, response) => {
          if (methodOf(request) !== 'notifications/initialized') return false;
          accept = () => response.writeHead(202).end();
          return true;
        },
      }),
    );
    const connecting = opened.connect('sse', server.url);
    await server.request((request) => methodOf(request) === 'notifications/initialized');
    assert.equal(server.requests.length, 4);
    accept();
    const client = await connecting;
    await client.listTools();
    assert.equal(methodOf(await server.request(({ body }) => body.includes('tools/list'))), 'tools/list');
  });

  it('closing ends the GET', async () => {
    const server = await opened.server(startSseServer());
    const client = await opened.connect('sse', server.url);
    const closed = new Promise((resolve) => server.sessions[0]?.response.on('close', resolve));
    const told: unknown[] = [];
    client.onDidClose((error) => told.push(error));
    await client.close();
    await closed;
    assert.deepEqual(told, [undefined]);
    await client.close();
    assert.equal(told.length, 1);
  });

  it('is told to the tap', async () => {
    const server = await opened.server(startSseServer());
    const client = await opened.connect('sse', server.url);
    await client.callTool('getUsers', {});
    await client.close();
    const kinds = new Set(opened.facts.map(({ kind }) => kind));
    for (const kind of [
      'connection-open',
      'http-request',
      'http-response',
      'sse-event',
      'message',
      'http-end',
      'connection-close',
    ] as const) {
      assert.ok(kinds.has(kind), kind);
    }
    const answer = opened.facts.find(
      (fact) => fact.kind === 'message' && fact.direction === 'in' && JSON.stringify(fact.message).includes('"id":2'),
    );
    assert.ok(answer?.kind === 'message' && answer.exchange !== undefined);
    const call = opened.facts.find(
      (fact) =>
        fact.kind === 'message' && fact.direction === 'out' && JSON.stringify(fact.message).includes('tools/call'),
    );
    const request = opened.facts.find(
      (fact) => fact.kind === 'http-request' && call?.kind === 'message' && fact.exchange === call.exchange,
    );
    assert.ok(request?.kind === 'http-request' && request.body?.includes('tools/call'));
    assert.equal(new Set(opened.facts.map(({ connection }) => connection)).size, 1);
  });
});
