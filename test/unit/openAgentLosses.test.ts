import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import { agentOf, answerText, Closing, turnOf } from '../support/agents.ts';
import { outline } from '../support/agentRun.ts';
import { dig, digList } from '../support/dig.ts';
import { until } from '../support/fakeServers.ts';
import type { McpScript, Reply } from '../support/mcpScript.ts';
import { startScriptedModel, textAnswer, toolCallAnswer, type ScriptedModel } from '../support/scriptedModel.ts';
import { startSseServer, type SseScript, type SseServer } from '../support/sseServer.ts';
import { startUsersServer } from '../support/usersServer.ts';

const tool = (name: string, annotations = {}): object => ({ name, inputSchema: { type: 'object' }, annotations });
const silence = (): Promise<Reply> => new Promise(() => {});

const notices = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));

const endTexts = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'tool-end' ? [JSON.stringify(event.content)] : []));

describe('losses that an agent outlives', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  const serverWith = async (script: SseScript): Promise<SseServer> => closing.add(await startSseServer(script));
  const startModel = async (): Promise<ScriptedModel> => closing.add(await startScriptedModel());
  const at = (model: ScriptedModel) => ({ url: model.url, id: 'scripted' });
  const callsTo = (server: SseServer): number => server.messages.filter(({ method }) => method === 'tools/call').length;

  it('mentions a dead server once, and goes on with the others', async () => {
    const server = await serverWith({});
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'b78_getUsers' }]), textAnswer('ok'), textAnswer('ok'));
    const servers = { dead: { type: 'sse', url: 'http://127.0.0.1:9/sse' }, users: { type: 'sse', url: server.url } };
    const agent = agentOf(closing, { servers, model: at(model) });
    const first = await turnOf(agent, 'go');
    assert.equal(notices(first).length, 1);
    assert.match(notices(first)[0] ?? '', /"dead" is not available.*127\.0\.0\.1:9/);
    assert.deepEqual(first.at(-1), { kind: 'done', reason: 'stop' });
    assert.deepEqual(notices(await turnOf(agent, 'again')), []);
  });

  it('does not wait for a server that never answers', async () => {
    const mute = await serverWith({ reply: silence });
    const server = await serverWith({});
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'b78_getUsers' }]), textAnswer('ok'), textAnswer('ok'));
    const servers = { mute: { type: 'sse', url: mute.url }, users: { type: 'sse', url: server.url } };
    const agent = agentOf(closing, { servers, model: at(model) });
    const start = performance.now();
    const events = await turnOf(agent, 'go');
    const first = performance.now() - start;
    assert.ok(first < 30_000);
    assert.match(notices(events)[0] ?? '', /"mute" is still connecting/);
    assert.equal(callsTo(server), 1);
    const second = performance.now();
    await turnOf(agent, 'again');
    assert.ok(performance.now() - second < first, 'a later turn does not wait');
  });

  it('names server, method and seconds when a time limit is over', async () => {
    const silentOn = (method: string): McpScript => ({
      reply: (message) => (message['method'] === method ? silence() : undefined),
    });
    const [first, second] = [await serverWith(silentOn('initialize')), await serverWith(silentOn('tools/list'))];
    const agent = agentOf(closing, {
      servers: {
        first: { type: 'sse', url: first.url, timeout: 1 },
        second: { type: 'sse', url: second.url, timeout: 1 },
      },
    });
    await agent.ready();
    const [one, two] = agent.servers();
    assert.match(one?.error ?? '', /first.*1 s.*initialize/s);
    assert.match(two?.error ?? '', /second.*tools\/list.*1 s/s);
    assert.equal(
      first.messages.some(({ method }) => method === 'notifications/cancelled'),
      false,
    );
  });

  it('turns a call that is never answered into a result', async () => {
    const server = await serverWith({
      tools: [tool('slow')],
      reply: (message) => (message['method'] === 'tools/call' ? silence() : undefined),
    });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_slow' }]), textAnswer('ok'));
    const servers = { users: { type: 'sse', url: server.url, timeout: 1 } };
    const agent = agentOf(closing, { servers, model: at(model) });
    const events = await turnOf(agent, 'go');
    assert.match(endTexts(events)[0] ?? '', /tools\/call was not answered within 1 s.*may have run/);
    const { params } = await server.message('notifications/cancelled');
    assert.equal(dig(params, 'requestId'), 3);
  });

  it('gives three parallel calls three results of their own, in order, whatever fails', async () => {
    const good = await serverWith({
      tools: [tool('ok'), tool('bad')],
      reply: ({ method, params }) =>
        method === 'tools/call' && dig(params, 'name') === 'bad'
          ? { error: { code: -32000, message: 'it broke' } }
          : undefined,
    });
    const dying = await serverWith({
      tools: [tool('die')],
      reply: (message) => {
        if (message['method'] !== 'tools/call') return undefined;
        dying.sessions.at(-1)?.response.destroy();
        return silence();
      },
    });
    const model = await startModel();
    model.enqueue(
      toolCallAnswer([
        { name: 'bb7_ok', id: 'c1' },
        { name: 'bb7_bad', id: 'c2' },
        { name: 'b78_die', id: 'c3' },
      ]),
      textAnswer('done'),
    );
    const servers = { good: { type: 'sse', url: good.url }, dying: { type: 'sse', url: dying.url } };
    const agent = agentOf(closing, { servers, model: at(model) });
    await turnOf(agent, 'go');
    const results = digList(model.requests[1]?.body, 'messages').filter((message) => dig(message, 'role') === 'tool');
    const text = (place: number): string => String(dig(results, place, 'content'));
    assert.deepEqual(
      results.map((message) => dig(message, 'tool_call_id')),
      ['c1', 'c2', 'c3'],
    );
    assert.match(text(0), /^ok \{\}/);
    assert.match(text(1), /it broke.*-32000/);
    assert.match(text(2), /may have run/);
  });

  it('makes a call that was answered with an error once, without reconnecting', async () => {
    const answers: Reply[] = [
      { error: { code: -32602, message: 'Unknown argument' } },
      { result: { content: [{ type: 'text', text: 'no disk' }], isError: true } },
      { error: { code: -32603, message: 'Internal error' } },
    ];
    const server = await serverWith({
      tools: [tool('work', { readOnlyHint: true, idempotentHint: true })],
      reply: (message) => (message['method'] === 'tools/call' ? answers.shift() : undefined),
    });
    const model = await startModel();
    const call = (n: number) => toolCallAnswer([{ name: 'bb7_work', arguments: { n } }]);
    model.enqueue(call(1), call(2), call(3), textAnswer('done'));
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    const events = await turnOf(agent, 'go');
    assert.equal(callsTo(server), 3);
    assert.equal(server.sessions.length, 1);
    assert.deepEqual(
      outline(events).filter((line) => line.startsWith('end')),
      ['end with error', 'end with error', 'end with error'],
    );
    const texts = endTexts(events).join();
    for (const text of ['Unknown argument', 'no disk', 'Internal error']) assert.match(texts, new RegExp(text));
  });

  it('ends a call within seconds when its stream dies, and comes back with a new handshake and a new list', async () => {
    let isSecond = false;
    const server: SseServer = await serverWith({
      reply: (message) => {
        if (message['method'] === 'tools/list' && isSecond)
          return { result: { tools: [tool('getUsers'), tool('added')] } };
        if (message['method'] !== 'tools/call' || isSecond) return undefined;
        isSecond = true;
        server.sessions[0]?.response.destroy();
        return silence();
      },
    });
    const model = await startModel();
    model.enqueue(
      toolCallAnswer([{ name: 'bb7_addUser' }]),
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('ok'),
    );
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    const start = performance.now();
    const events = await turnOf(agent, 'go');
    assert.ok(performance.now() - start < 5000);
    assert.deepEqual(
      outline(events).filter((line) => /^(start|end)/.test(line)),
      ['start bb7_addUser', 'end with error', 'start bb7_getUsers', 'end'],
    );
    assert.match(endTexts(events)[0] ?? '', /may have run/);
    const after = server.messages.slice(server.messages.findIndex(({ method }) => method === 'tools/call') + 1);
    assert.deepEqual(
      after.map(({ method }) => method),
      ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'],
    );
    const posts = server.requests.filter(({ url }) => url.includes('/mcp/messages'));
    assert.ok(
      posts.slice(-4).every(({ url }) => url.includes('session-2')),
      'the old address is never used again',
    );
    assert.deepEqual(
      agent.servers()[0]?.tools.map(({ serverName }) => serverName),
      ['getUsers', 'added'],
    );
  });

  it('makes a read-only call once more when nothing of its answer came', async () => {
    let calls = 0;
    const server: SseServer = await serverWith({
      tools: [tool('look', { readOnlyHint: true })],
      reply: (message) => {
        if (message['method'] !== 'tools/call' || ++calls > 1) return undefined;
        server.sessions[0]?.response.destroy();
        return silence();
      },
    });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_look' }]), textAnswer('ok'));
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    const events = await turnOf(agent, 'go');
    assert.equal(callsTo(server), 2);
    assert.match(endTexts(events)[0] ?? '', /look \{\}/);
  });

  it('has a call connect at once to a server that is back', async () => {
    const server = await startUsersServer();
    const port = Number(new URL(server.url).port);
    const model = await startModel();
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    await agent.ready();
    const lost = until(
      (listener) => agent.onDidChange(listener),
      () => agent.servers()[0]?.state === 'failed',
    );
    await server.close();
    await lost;
    assert.notEqual(agent.servers()[0]?.error, undefined);
    // Each attempt in vain waits longer for the next, so that only the call can be the reason to connect in time.
    model.enqueue(
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('down'),
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('up'),
    );
    const down = await turnOf(agent, 'go');
    assert.match(endTexts(down)[0] ?? '', /was not run, because server \\"users\\" cannot be reached now/);
    closing.add(await startUsersServer(port));
    const up = await turnOf(agent, 'again');
    assert.match(endTexts(up)[0] ?? '', /John/);
    assert.equal(agent.servers()[0]?.error, undefined);
  });

  it('finds its way back to a server that was restarted behind a gateway which kept the stream open', async () => {
    let isRestarted = false;
    const server: SseServer = await serverWith({
      intercept: (request, response) => {
        if (!isRestarted || !request.url.includes('session-1')) return false;
        response.writeHead(404).end('Session not found');
        return true;
      },
    });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_addUser', arguments: { n: 1 } }]), textAnswer('ok'));
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    await agent.ready();
    isRestarted = true;
    const events = await turnOf(agent, 'go');
    assert.match(endTexts(events)[0] ?? '', /addUser/);
    assert.equal(callsTo(server), 1);
    assert.equal(server.sessions.length, 2);
  });

  it('keeps one stream a server, however its socket dies', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } } });
    await agent.ready();
    const open = new Set<unknown>();
    let most = 0;
    const isIn = (state: string) => () => agent.servers()[0]?.state === state;
    const changes = (listener: () => void) => agent.onDidChange(listener);
    for (let time = 1; time <= 2; time++) {
      const session = server.sessions.at(-1);
      open.add(session);
      session?.response.on('close', () => open.delete(session));
      const failed = until(changes, isIn('failed'));
      session?.response.socket?.destroy();
      await failed;
      await until(changes, isIn('ready'));
      most = Math.max(most, open.size);
      assert.equal(server.sessions.length, time + 1);
    }
    assert.equal(most, 0);
  });

  it('brings the tools of a slow server into a turn that runs', async () => {
    let release: (() => void) | undefined;
    const slow = await serverWith({
      tools: [tool('late')],
      reply: (message) =>
        message['method'] === 'initialize' ? new Promise((resolve) => (release = () => resolve(undefined))) : undefined,
    });
    const quick = await serverWith({ tools: [tool('wake')] });
    const model = closing.add(
      await startScriptedModel({
        respond: async (request) => {
          const offered = JSON.stringify(request.body.tools);
          if (offered.includes('bb7_late') && !request.text.includes('call_late'))
            return toolCallAnswer([{ name: 'bb7_late', id: 'call_late' }]);
          if (request.text.includes('call_late')) return textAnswer('both');
          release?.();
          await until(
            (listener) => agent.onDidChange(listener),
            () => agent.servers()[0]?.state === 'ready',
          );
          return toolCallAnswer([{ name: 'b78_wake' }]);
        },
      }),
    );
    const agent = agentOf(closing, {
      servers: { slow: { type: 'sse', url: slow.url }, quick: { type: 'sse', url: quick.url } },
      model: at(model),
    });
    assert.equal(answerText(await turnOf(agent, 'go')), 'both');
  });

  it('gives the model the names that exist when it calls one that does not', async () => {
    const server = await serverWith({ tools: [tool('search_files')] });
    const model = await startModel();
    model.enqueue(
      toolCallAnswer([{ name: 'search_files' }]),
      toolCallAnswer([{ name: 'bb7_search_files' }]),
      textAnswer('ok'),
    );
    const agent = agentOf(closing, { servers: { files: { type: 'sse', url: server.url } }, model: at(model) });
    const events = await turnOf(agent, 'go');
    const start = events.find(({ kind }) => kind === 'tool-start');
    assert.ok(start?.kind === 'tool-start');
    assert.deepEqual([start.server, start.tool, start.name], ['', 'search_files', 'search_files']);
    assert.match(endTexts(events)[0] ?? '', /bb7_search_files/);
    assert.equal(callsTo(server), 1);
  });

  it('tells progress while a call runs and ignores what comes after it', async () => {
    const server: SseServer = await serverWith({
      tools: [tool('work')],
      reply: ({ method, params }) => {
        if (method !== 'tools/call') return undefined;
        const progressToken = dig(params, '_meta', 'progressToken');
        const session = server.sessions[0];
        const progress = (message: string, token = progressToken): void =>
          session?.say({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, progress: 1, total: 2, message },
          });
        progress('half way');
        progress('not ours', 'zz');
        setImmediate(() => progress('too late'));
        return undefined;
      },
    });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_work' }]), textAnswer('ok'));
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    const events = await turnOf(agent, 'go');
    assert.deepEqual(outline(events).slice(1, 4), ['start bb7_work', 'progress half way', 'end']);
    assert.equal(agent.servers()[0]?.state, 'ready');
  });
});

describe('a turn that is stopped', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  it('cancels the open call at its server, settles it, and asks the model no more', async () => {
    const server = closing.add(
      await startSseServer({
        tools: [tool('slow')],
        reply: (message) => (message['method'] === 'tools/call' ? silence() : undefined),
      }),
    );
    const model = closing.add(await startScriptedModel());
    model.enqueue(toolCallAnswer([{ name: 'bb7_slow' }, { name: 'bb7_slow' }]), textAnswer('later'));
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: { url: model.url, id: 'scripted' },
    });
    const controller = new AbortController();
    const turn = turnOf(agent, 'go', controller.signal);
    const { id } = await server.message('tools/call', 2);
    controller.abort();
    const events = await turn;
    assert.deepEqual(outline(events).slice(-3), ['end with error', 'end with error', 'done cancelled']);
    assert.match(endTexts(events)[0] ?? '', /stopped this call.*may have run/);
    const cancelled = [
      await server.message('notifications/cancelled', 1),
      await server.message('notifications/cancelled', 2),
    ];
    const ids = cancelled.map(({ params }) => dig(params, 'requestId'));
    assert.ok(ids.includes(id));
    assert.equal(model.requests.length, 1);
    assert.deepEqual(outline(await turnOf(agent, 'and now?')).slice(-1), ['done stop']);
  });

  it('closes the request to the model', async () => {
    const model = closing.add(await startScriptedModel());
    model.enqueue({ body: ['data: {"choices":[{"delta":{"content":"Well"}}]}\n\n'], end: 'hang' }, textAnswer('fine'));
    const agent = agentOf(closing, { model: { url: model.url, id: 'scripted' } });
    const controller = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.run('go', { signal: controller.signal })) {
      events.push(event);
      if (event.kind === 'text-delta') controller.abort();
    }
    assert.deepEqual(outline(events), ['Well', 'done cancelled']);
    assert.equal(await model.requests[0]?.ended, 'closed');
    await turnOf(agent, 'hello?');
    assert.match(model.requests[1]?.text ?? '', /"Well"/);
  });

  it('does not wait for an answer to its question', async () => {
    const server = closing.add(await startSseServer());
    const model = closing.add(await startScriptedModel());
    model.enqueue(toolCallAnswer([{ name: 'bb7_addUser' }]));
    const controller = new AbortController();
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: { url: model.url, id: 'scripted' },
      approve: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    assert.deepEqual(outline(await turnOf(agent, 'go', controller.signal)).slice(-3), [
      'start bb7_addUser',
      'end with error',
      'done cancelled',
    ]);
    assert.equal(
      server.messages.some(({ method }) => method === 'tools/call'),
      false,
    );
  });

  it('ends while it still waits for its servers', async () => {
    const mute = closing.add(await startSseServer({ reply: silence }));
    const agent = agentOf(closing, { servers: { mute: { type: 'sse', url: mute.url } } });
    assert.deepEqual(outline(await turnOf(agent, 'go', AbortSignal.timeout(50))), ['done cancelled']);
  });
});
