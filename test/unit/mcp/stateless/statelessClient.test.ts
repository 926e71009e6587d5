import assert from 'node:assert/strict';
import type { Client } from '../../../../src/mcp/client.ts';
import type { ConnectOptions } from '../../../../src/mcp/connect.ts';
import { isRecord, type JsonObject } from '../../../../src/base/json.ts';
import { isTransportError, Opened, roundTrips, settle } from '../../../support/connected.ts';
import { startStatelessServer, type StatelessScript, type StatelessServer } from '../../../support/statelessServer.ts';
import { messageOf } from '../../../support/streamableServer.ts';

const complete = (text: string) => ({ result: { resultType: 'complete', content: [{ type: 'text', text }] } });

function paramsOf(message: JsonObject): JsonObject {
  return isRecord(message['params']) ? message['params'] : {};
}

/** A server that answers calls in its own way. */
function onCall(
  answer: (params: JsonObject, count: number) => ReturnType<NonNullable<StatelessScript['reply']>>,
): StatelessScript {
  let count = 0;
  return { reply: (message) => (message['method'] === 'tools/call' ? answer(paramsOf(message), ++count) : undefined) };
}

const question = {
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};
const asks = (members: JsonObject) => ({ result: { resultType: 'input_required', ...members } });

describe('a server of 2026-07-28', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function open(
    script: StatelessScript = {},
    options: Pick<ConnectOptions, 'handlers' | 'capabilities' | 'clientInfo'> = {},
  ): Promise<[Client, StatelessServer]> {
    const server = await opened.server(startStatelessServer(script));
    return [await opened.connect('http', server.url, { protocolVersion: '2026-07-28', ...options }), server];
  }

  for (const answers of ['json', 'events'] as const) {
    it(`is listed and called like any other, in two round trips to the first list (${answers})`, async () => {
      const [client, server] = await open({ answers, capabilities: { tools: {} } });
      assert.equal((await client.listTools()).length, 2);
      assert.equal(roundTrips(opened.facts), 2);
      const { content } = await client.callTool('echo', { text: '北京 🌍' });
      assert.deepEqual(content, [{ type: 'text', text: '{"text":"北京 🌍"}' }]);
      assert.equal(client.protocolVersion, '2026-07-28');
      assert.deepEqual(client.serverInfo, { name: 'stateless', version: '2.0.0' });
      assert.equal(client.instructions, 'Be brief.');
      await client.close();
      assert.ok(server.requests.every(({ method }) => method === 'POST'));
    });
  }

  it('gets with every request who asks, what it can and in which revision', async () => {
    const handlers = { 'sampling/createMessage': () => Promise.resolve({}) };
    const capabilities = { roots: { listChanged: true }, extensions: { 'com.example/x': {} } };
    const [client, server] = await open({}, { handlers, capabilities, clientInfo: { name: 'me', version: '3' } });
    await client.callTool('getUsers', {});
    const { _meta: meta } = paramsOf(messageOf(await server.post('tools/call')));
    assert.ok(isRecord(meta));
    assert.deepEqual(meta['io.modelcontextprotocol/clientInfo'], { name: 'me', version: '3' });
    assert.deepEqual(meta['io.modelcontextprotocol/clientCapabilities'], {
      roots: {},
      sampling: {},
      extensions: { 'io.modelcontextprotocol/tasks': {}, 'com.example/x': {} },
    });
    assert.equal(meta['io.modelcontextprotocol/logLevel'], undefined);
    await client.request('logging/setLevel', { level: 'warning' });
    await client.callTool('getUsers', {});
    const second = paramsOf(messageOf(await server.post('tools/call', 2)))['_meta'];
    assert.equal(Object(second)['io.modelcontextprotocol/logLevel'], 'warning');
  });

  it('is never sent what its revision does not have', async () => {
    const [client, server] = await open();
    assert.deepEqual(await client.request('ping'), {});
    await client.notify('notifications/roots/list_changed');
    await client.close();
    const methods = server.requests.map((request) => messageOf(request)['method']);
    assert.deepEqual(new Set(methods), new Set(['server/discover', 'subscriptions/listen']));
  });

  it('refuses one request with an error that is the answer to it alone', async () => {
    const [client] = await open();
    await assert.rejects(client.request('prompts/list'), { name: 'RpcError', code: -32601 });
    await client.callTool('getUsers', {});
  });

  it('answers with a type of result that is not known: the call fails', async () => {
    const [client] = await open(onCall(() => ({ result: { resultType: 'surprise', content: [] } })));
    await assert.rejects(client.callTool('x', {}), { name: 'ProtocolError', code: 'result' });
  });

  it('tells progress on the stream of the call', async () => {
    const [client] = await open({
      intercept: (request, response) => {
        if (!request.body.includes('"tools/call"')) return false;
        const { id, params } = messageOf(request);
        const token = Object(params)._meta.progressToken;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        for (const message of [
          {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, progress: 1, message: 'half' },
          },
          { jsonrpc: '2.0', id: 'not-allowed', method: 'roots/list' },
          { jsonrpc: '2.0', id, ...complete('done') },
        ])
          response.write(`data: ${JSON.stringify(message)}\n\n`);
        response.end();
        return true;
      },
    });
    const told: unknown[] = [];
    await client.callTool('x', {}, { onProgress: (progress) => told.push(progress) });
    assert.deepEqual(told, [{ progress: 1, message: 'half' }]);
  });

  it('sees a call cancelled by the end of its stream, without a word', async () => {
    let onEnd = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    const [client, server] = await open({
      intercept: (request, response) => {
        if (!request.body.includes('"tools/call"')) return false;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
        response.on('close', onEnd);
        return true;
      },
    });
    const controller = new AbortController();
    const call = client.callTool('x', {}, { signal: controller.signal });
    await server.post('tools/call');
    controller.abort();
    await assert.rejects(call, isTransportError('cancelled', /tools\/call was cancelled/));
    await ended;
    assert.ok(!server.requests.some(({ body }) => body.includes('notifications/cancelled')));
  });

  describe('headers', () => {
    const tool = (name: string, header: unknown) => ({
      name,
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header } } },
    });

    it('tools whose annotations break the rules are left out with a warning, the others are kept', async () => {
      const [client] = await open({ tools: [tool('bad', ''), tool('good', 'Region')] });
      const warned: string[] = [];
      client.onDidWarn((text) => warned.push(text));
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ['good'],
      );
      assert.equal(warned.length, 1);
      assert.match(warned[0] ?? '', /"bad" was left out/);
    });

    it('a mismatch makes the client list anew and call once more with the right ones, under a new id', async () => {
      let header = 'Region';
      const [client, server] = await open({
        reply: (message) => {
          if (message['method'] === 'tools/list')
            return { result: { resultType: 'complete', ttlMs: 60_000, tools: [tool('t', header)] } };
          return undefined;
        },
        intercept: (request, response) => {
          if (!request.body.includes('"tools/call"') || request.headers['mcp-param-zone'] === 'eu') return false;
          const error = { code: -32020, message: 'Mcp-Param-Zone is missing' };
          const body = JSON.stringify({ jsonrpc: '2.0', id: null, error });
          response.writeHead(400, { 'Content-Type': 'application/json' }).end(body);
          return true;
        },
      });
      await client.listTools();
      header = 'Zone';
      let changes = 0;
      client.onDidChangeTools(() => changes++);
      await client.callTool('t', { region: 'eu' });
      const [first, second] = [await server.post('tools/call'), await server.post('tools/call', 2)];
      assert.equal(first.headers['mcp-param-region'], 'eu');
      assert.equal(second.headers['mcp-param-zone'], 'eu');
      assert.notEqual(messageOf(first)['id'], messageOf(second)['id']);
      assert.equal(changes, 1);
    });

    it('a mismatch that the list does not explain is reported, and nothing is repeated', async () => {
      const [client, server] = await open(onCall(() => ({ error: { code: -32020, message: 'no' } })));
      await assert.rejects(client.callTool('getUsers', {}), { name: 'RpcError', code: -32020 });
      assert.equal(server.requests.filter(({ body }) => body.includes('"tools/call"')).length, 1);
    });
  });

  describe('questions in results', () => {
    it('are answered by the handlers, the state goes back byte for byte, each round has its own id', async () => {
      const state = ' {"a": 1,\t"é":"\\u0041"}\n=';
      const asked: unknown[] = [];
      const handlers = {
        'elicitation/create': (params: unknown) => {
          asked.push(params);
          return Promise.resolve({ action: 'accept', content: { name: 'Carson' } });
        },
        'roots/list': () => Promise.resolve({ roots: [{ uri: 'file:///w' }] }),
      };
      const [client, server] = await open(
        onCall(({ inputResponses }, count) => {
          if (count === 1)
            return asks({ requestState: state, inputRequests: { who: question, where: { method: 'roots/list' } } });
          if (count === 2) return asks({ inputRequests: { again: question } });
          return complete(JSON.stringify(inputResponses));
        }),
        { handlers },
      );
      const { content } = await client.callTool('x', { a: 1 });
      assert.match(JSON.stringify(content), /again/);
      assert.equal(asked.length, 2);
      assert.deepEqual(asked[0], question.params);
      const sent = await Promise.all([1, 2, 3].map((count) => server.post('tools/call', count)));
      const messages = sent.map(messageOf);
      assert.equal(new Set(messages.map(({ id }) => id)).size, 3);
      const [one, two, three] = messages.map(paramsOf);
      assert.equal(one?.['requestState'], undefined);
      assert.equal(two?.['requestState'], state);
      assert.deepEqual(two?.['inputResponses'], {
        who: { action: 'accept', content: { name: 'Carson' } },
        where: { roots: [{ uri: 'file:///w' }] },
      });
      assert.deepEqual([two?.['name'], two?.['arguments']], ['x', { a: 1 }]);
      assert.ok(!('requestState' in (three ?? {})), 'a state that was not sent anew is not repeated');
      assert.deepEqual(Object.keys(Object(three?.['inputResponses'])), ['again']);
    });

    it('stay with their own call, whatever runs beside it', async () => {
      let answer = (): void => undefined;
      const person = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const handlers = { 'elicitation/create': () => person.then(() => ({ action: 'decline' })) };
      const [client, server] = await open(
        onCall(({ name, inputResponses }) => {
          if (name === 'asks' && !inputResponses) return asks({ requestState: 's', inputRequests: { q: question } });
          return complete('ok');
        }),
        { handlers },
      );
      const slow = client.callTool('asks', {});
      await server.post('tools/call');
      await client.callTool('other', {});
      const other = paramsOf(messageOf(await server.post('tools/call', 2)));
      assert.deepEqual([other['name'], 'requestState' in other, 'inputResponses' in other], ['other', false, false]);
      answer();
      await slow;
    });

    it('a state alone is sent back without asking anybody', async () => {
      const [client, server] = await open(
        onCall((params, count) =>
          count < 3 ? asks({ requestState: `s${count}` }) : complete(String(params['requestState'])),
        ),
      );
      assert.match(JSON.stringify((await client.callTool('x', {})).content), /s2/);
      assert.ok(!('inputResponses' in paramsOf(messageOf(await server.post('tools/call', 3)))));
    });

    it('that nobody answers fail the call', async () => {
      const [client] = await open(
        onCall(() => asks({ inputRequests: { q: { method: 'sampling/createMessage', params: {} } } })),
      );
      await assert.rejects(client.callTool('x', {}), /sampling\/createMessage, which is not offered/);
    });

    it('that a handler refuses fail the call with its reason', async () => {
      const handlers = { 'elicitation/create': () => Promise.reject(new Error('the person is away')) };
      const [client] = await open(
        onCall(() => asks({ inputRequests: { q: question } })),
        { handlers },
      );
      await assert.rejects(client.callTool('x', {}), /the person is away/);
    });

    it('that never end are given up', async () => {
      const handlers = { 'elicitation/create': () => Promise.resolve({ action: 'accept' }) };
      const [client, server] = await open(
        onCall(() => asks({ inputRequests: { q: question } })),
        { handlers },
      );
      await assert.rejects(client.callTool('x', {}), /asked for input more than \d+ times/);
      assert.ok(server.requests.length < 50);
    });

    it('that ask nothing, or come where none may be asked, break the rules', async () => {
      const [client] = await open({
        reply: ({ method }) =>
          method === 'tools/call'
            ? asks({})
            : method === 'completion/complete'
              ? asks({ requestState: 's' })
              : undefined,
      });
      await assert.rejects(client.callTool('x', {}), { name: 'ProtocolError' });
      await assert.rejects(client.request('completion/complete', {}), { name: 'ProtocolError' });
    });

    it('a call that is cancelled while a person is asked takes the question back', async () => {
      const controller = new AbortController();
      let taken = false;
      const handlers = {
        'elicitation/create': (_params: unknown, signal: AbortSignal) => {
          signal.addEventListener('abort', () => (taken = true));
          setImmediate(() => controller.abort());
          return new Promise<never>(() => undefined);
        },
      };
      const [client, server] = await open(
        onCall(() => asks({ inputRequests: { q: question } })),
        { handlers },
      );
      await assert.rejects(
        client.callTool('x', {}, { signal: controller.signal }),
        isTransportError('cancelled', /tools\/call/),
      );
      assert.ok(taken);
      assert.equal(server.requests.filter(({ body }) => body.includes('"tools/call"')).length, 1);
    });
  });

  describe('tasks', () => {
    const task = (members: JsonObject) => ({ result: { taskId: 't1', ttlMs: null, pollIntervalMs: 20, ...members } });

    it('are asked after until they end, with their questions answered once and their words told as progress', async () => {
      let asked = 0;
      const handlers = {
        'elicitation/create': () => {
          asked++;
          return Promise.resolve({ action: 'accept', content: {} });
        },
      };
      let polls = 0;
      const [client, server] = await open(
        {
          reply: ({ method }) => {
            if (method === 'tools/call')
              return task({ resultType: 'task', status: 'working', statusMessage: 'queued' });
            if (method === 'tasks/update') return { result: { resultType: 'complete' } };
            if (method !== 'tasks/get') return undefined;
            if (++polls <= 2)
              return task({ resultType: 'complete', status: 'input_required', inputRequests: { q: question } });
            if (polls === 3) return task({ resultType: 'complete', status: 'working', statusMessage: 'nearly' });
            return task({
              resultType: 'complete',
              status: 'completed',
              result: { content: [{ type: 'text', text: 'built' }] },
            });
          },
        },
        { handlers },
      );
      const told: unknown[] = [];
      const { content } = await client.callTool('build', {}, { onProgress: ({ message }) => told.push(message) });
      assert.deepEqual(content, [{ type: 'text', text: 'built' }]);
      assert.deepEqual(told, ['queued', 'nearly']);
      assert.equal(asked, 1);
      const update = await server.post('tasks/update');
      assert.equal(update.headers['mcp-name'], 't1');
      assert.deepEqual(paramsOf(messageOf(update))['inputResponses'], { q: { action: 'accept', content: {} } });
    });

    it('that fail are an error, that of the request they stand for', async () => {
      const [client] = await open({
        reply: ({ method }) => {
          if (method === 'tools/call') return task({ resultType: 'task', status: 'failed' });
          return method === 'tasks/get'
            ? task({ status: 'failed', error: { code: -32603, message: 'disk full' } })
            : undefined;
        },
      });
      await assert.rejects(client.callTool('x', {}), { name: 'RpcError', code: -32603, message: 'disk full' });
    });

    it('are cancelled by a request of their own', async () => {
      const controller = new AbortController();
      const [client, server] = await open({
        reply: ({ method }) => {
          if (method === 'tools/call') return task({ resultType: 'task', status: 'working' });
          if (method === 'tasks/get') controller.abort();
          return method === 'tasks/get' || method === 'tasks/cancel' ? task({ status: 'working' }) : undefined;
        },
      });
      const call = client.callTool('x', {}, { signal: controller.signal });
      await assert.rejects(call, isTransportError('cancelled', /tools\/call was cancelled/, { mayHaveRun: true }));
      assert.deepEqual(paramsOf(messageOf(await server.post('tasks/cancel')))['taskId'], 't1');
    });
  });

  describe('changes', () => {
    const listing = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };

    it('are listened for where they are offered, and make the list be fetched anew', async () => {
      const tools: unknown[] = [];
      const [client, server] = await open({ capabilities: listing, tools });
      const listen = await server.post('subscriptions/listen');
      assert.deepEqual(paramsOf(messageOf(listen))['notifications'], {
        toolsListChanged: true,
        promptsListChanged: true,
      });
      await client.listTools();
      await client.listTools();
      assert.equal(
        server.requests.filter(({ body }) => body.includes('"tools/list"')).length,
        1,
        'kept until the notice',
      );
      tools.push({ name: 'new', inputSchema: { type: 'object' } });
      const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
      const others: unknown[] = [];
      client.onDidReceiveNotification(({ method }) => others.push(method));
      server.tell('notifications/prompts/list_changed');
      server.tell('notifications/tools/list_changed');
      await changed;
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ['new'],
      );
      assert.deepEqual(others, ['notifications/prompts/list_changed']);
    });

    it('of resources are told for those that were subscribed to', async () => {
      const [client, server] = await open({ capabilities: listing });
      await server.post('subscriptions/listen');
      await client.request('resources/subscribe', { uri: 'file:///a' });
      const second = await server.post('subscriptions/listen', 2);
      assert.deepEqual(Object(paramsOf(messageOf(second))['notifications'])['resourceSubscriptions'], ['file:///a']);
      await client.request('resources/unsubscribe', { uri: 'file:///a' });
      const third = await server.post('subscriptions/listen', 3);
      assert.ok(!('resourceSubscriptions' in Object(paramsOf(messageOf(third))['notifications'])));
    });

    it('the refusal to tell of them costs nothing but an info line', async () => {
      const [client, server] = await open({
        reply: ({ method }) =>
          method === 'subscriptions/listen' ? { error: { code: -32603, message: 'limit reached' } } : undefined,
      });
      await server.post('subscriptions/listen');
      await client.listTools();
      await settle();
      assert.equal(opened.notes('info').filter((text) => text.includes('limit reached')).length, 1);
      assert.equal(opened.notes('warning', 'error').length, 0);
    });

    it('are listened for again when the server ends the stream, and what was missed is fetched', async () => {
      const [client, server] = await open();
      await server.post('subscriptions/listen');
      await client.listTools();
      const [stream] = server.streams;
      stream?.response.end(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: stream.id, result: { resultType: 'complete' } })}\n\n`,
      );
      const changed = new Promise<void>((resolve) => client.onDidChangeTools(resolve));
      await server.post('subscriptions/listen', 2);
      await changed;
      assert.equal(server.requests.filter(({ body }) => body.includes('"tools/list"')).length, 2);
    }).timeout(15_000);

    it('close ends the stream', async () => {
      const [client, server] = await open();
      await server.post('subscriptions/listen');
      const ended = new Promise((resolve) => server.streams[0]?.response.on('close', resolve));
      await client.close();
      await ended;
    });
  });

  describe('lists that say how long they last', () => {
    const script = (ttlMs: unknown): StatelessScript => ({
      capabilities: { tools: {} },
      reply: ({ method }) =>
        method === 'tools/list' ? { result: { resultType: 'complete', ttlMs, tools: [] } } : undefined,
    });
    const lists = (server: StatelessServer) =>
      server.requests.filter(({ body }) => body.includes('"tools/list"')).length;

    it('are kept for that time and fetched anew afterwards', async () => {
      const [client, server] = await open(script(60_000));
      await client.listTools();
      await client.listTools();
      assert.equal(lists(server), 1);
    });

    for (const ttlMs of [0, -5, undefined, 'long']) {
      it(`are fetched each time when nobody would tell of a change (ttlMs ${String(ttlMs)})`, async () => {
        const [client, server] = await open(script(ttlMs));
        await client.listTools();
        await client.listTools();
        assert.equal(lists(server), 2);
      });
    }
  });

  it('that is replaced by one of another revision ends the client, so that it is connected anew', async () => {
    let replaced = false;
    const [client] = await open({
      intercept: (_request, response) => {
        if (replaced) response.writeHead(400).end('Server not initialized');
        return replaced;
      },
    });
    const closed = new Promise<Error | undefined>((resolve) => client.onDidClose(resolve));
    replaced = true;
    await assert.rejects(client.callTool('x', {}));
    assert.match((await closed)?.message ?? '', /does not speak revision 2026-07-28 any more/);
  });
});
