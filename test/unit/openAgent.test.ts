import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import type { AgentOptions } from '../../src/openAgent.ts';
import { agentOf, answerText, Closing, turnOf } from '../support/agents.ts';
import { outline } from '../support/agentRun.ts';
import { dig, digList } from '../support/dig.ts';
import { jpeg, png } from '../support/images.ts';
import type { McpScript } from '../support/mcpScript.ts';
import { startScriptedModel, textAnswer, toolCallAnswer, type ScriptedModel } from '../support/scriptedModel.ts';
import { startSseServer, type SseServer } from '../support/sseServer.ts';

/** The message that a model request ends with. */
function lastMessage(model: ScriptedModel, request: number): JsonObject {
  const message = dig(model.requests[request]?.body, 'messages', -1);
  assert.ok(isRecord(message));
  return message;
}

const errorsOf = (events: readonly AgentEvent[]): boolean[] =>
  events.flatMap((event) => (event.kind === 'tool-end' ? [event.isError] : []));

const notices = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));

/** A server on stdin and stdout whose one tool tells its environment. */
const environmentServer = `
  const answers = {
    initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'environment', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(process.env) }] }),
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = answers[method];
    if (answer) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer() }));
  });
`;

type Approve = NonNullable<AgentOptions['approve']>;

const approvals: Record<string, Approve> = {
  throws: () => Promise.reject(new Error('no window')),
  'throws at once': () => {
    throw new Error('no window');
  },
  'returns nothing': async () => JSON.parse('null'),
  'returns something else': async () => JSON.parse('"yes"'),
  denies: async () => 'deny',
  'denies with no reason': async () => JSON.parse('{}'),
  'denies with a reason that is no text': async () => JSON.parse('{"deny":5}'),
  'denies with a reason': async () => ({ deny: 'too dangerous' }),
};

describe('an agent without an editor', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  const serverWith = async (script: McpScript): Promise<SseServer> => closing.add(await startSseServer(script));
  const startModel = async (): Promise<ScriptedModel> => closing.add(await startScriptedModel());
  const at = (model: ScriptedModel) => ({ url: model.url, id: 'scripted' });

  it('tells of each server: its state, its tools by both names, and why it is not ready', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, {
      servers: {
        users: { type: 'sse', url: server.url },
        gone: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
        off: { type: 'sse', url: server.url, disabled: true },
      },
    });
    await agent.ready();
    const [users, gone, off] = agent.servers();
    assert.deepEqual(users, {
      name: 'users',
      state: 'ready',
      tools: [
        { name: 'bb7_getUsers', serverName: 'getUsers' },
        { name: 'bb7_addUser', serverName: 'addUser' },
      ],
    });
    assert.equal(gone?.state, 'failed');
    assert.match(gone?.error ?? '', /127\.0\.0\.1:9/);
    assert.deepEqual(off, { name: 'off', state: 'stopped', tools: [] });
  });

  it('leaves a malformed entry to its problems and runs the others', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, {
      servers: { bad: { type: 'sse' }, worse: 7, users: { type: 'sse', url: server.url } },
    });
    await agent.ready();
    assert.deepEqual(
      agent.servers().map(({ name, state }) => `${name} ${state}`),
      ['users ready'],
    );
    const paths = agent.problems.map(({ path }) => path);
    assert.ok(
      paths.some((path) => path.startsWith('mcp.servers.bad')) &&
        paths.some((path) => path.startsWith('mcp.servers.worse')),
    );
    assert.ok(agent.problems.every(({ message }) => message !== ''));
  });

  it('never throws for settings that are no settings', async () => {
    for (const servers of [undefined, null, [], 'x', 7, { a: null }]) {
      const agent = agentOf(closing, { servers });
      await agent.ready();
      assert.deepEqual(agent.servers(), []);
    }
  });

  it('names the variable or the input that has no value', async () => {
    const agent = agentOf(closing, {
      servers: {
        one: { type: 'sse', url: 'http://127.0.0.1:9/${env:NOT_THERE}' },
        two: { type: 'sse', url: 'http://127.0.0.1:9/', headers: { Authorization: 'Bearer ${input:token}' } },
      },
      inputs: [{ id: 'token', type: 'promptString', description: 'The token' }],
      env: {},
    });
    await agent.ready();
    const [one, two] = agent.servers();
    assert.deepEqual([one?.state, two?.state], ['failed', 'failed']);
    assert.match(one?.error ?? '', /NOT_THERE/);
    assert.match(two?.error ?? '', /token/);
  });

  it('fills in answers and defaults of inputs, and variables of the environment that was passed in', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, {
      servers: {
        users: {
          type: 'sse',
          url: server.url,
          headers: { 'X-Answer': '${input:answered}', 'X-Default': '${input:defaulted}', 'X-Env': '${env:WHERE}' },
        },
      },
      inputs: [
        { id: 'answered', type: 'promptString' },
        { id: 'defaulted', type: 'promptString', default: 'by default' },
      ],
      answers: { answered: 'forty-two' },
      env: { WHERE: 'here' },
    });
    await agent.ready();
    const { headers } = await server.request(({ method }) => method === 'GET');
    assert.deepEqual(
      [headers['x-answer'], headers['x-default'], headers['x-env']],
      ['forty-two', 'by default', 'here'],
    );
  });

  it('starts a process with the environment that was passed in and no other', async () => {
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_environment' }]), textAnswer('ok'));
    const agent = agentOf(closing, {
      servers: { local: { command: process.execPath, args: ['-e', environmentServer], env: { OWN: '${env:GIVEN}' } } },
      env: { GIVEN: 'given', PATH: process.env.PATH ?? '' },
      model: at(model),
    });
    await turnOf(agent, 'tell me');
    const environment: unknown = JSON.parse(String(lastMessage(model, 1).content));
    assert.deepEqual(environment, { GIVEN: 'given', OWN: 'given', PATH: process.env.PATH });
  });

  it('reaches both of two servers with equal tool names', async () => {
    const answering = (text: string): McpScript => ({
      tools: [{ name: 'send_email', inputSchema: { type: 'object' } }],
      reply: ({ method }) => (method === 'tools/call' ? { result: { content: [{ type: 'text', text }] } } : undefined),
    });
    const [one, two] = [await serverWith(answering('one')), await serverWith(answering('two'))];
    const model = await startModel();
    model.enqueue(
      toolCallAnswer([{ name: 'b78_send_email' }]),
      toolCallAnswer([{ name: 'bb7_send_email' }]),
      textAnswer('ok'),
    );
    const servers = { one: { type: 'sse', url: one.url }, two: { type: 'sse', url: two.url } };
    const agent = agentOf(closing, { servers, model: at(model) });
    await turnOf(agent, 'send');
    assert.deepEqual([lastMessage(model, 1).content, lastMessage(model, 2).content], ['two', 'one']);
    const [first, second] = digList(model.requests[0]?.body, 'tools');
    assert.notEqual(dig(first, 'function', 'description'), dig(second, 'function', 'description'));
  });

  it('offers all but what the settings leave out', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url, tools: ['get*'], prefix: 'my_users' } },
    });
    await agent.ready();
    assert.deepEqual(agent.servers()[0]?.tools, [{ name: 'my_users_getUsers', serverName: 'getUsers' }]);
  });

  it('connects a server that has no tools', async () => {
    for (const script of [
      { capabilities: { resources: {} }, reply: refuseList },
      { capabilities: {}, reply: refuseList },
      { capabilities: { tools: {} }, tools: [] },
    ]) {
      const server = await serverWith(script);
      const agent = agentOf(closing, { servers: { bare: { type: 'sse', url: server.url } } });
      await agent.ready();
      assert.deepEqual(agent.servers(), [{ name: 'bare', state: 'ready', tools: [] }]);
    }
  });

  it('tells once, in the first turn, of a tool that cannot be offered', async () => {
    const server = await serverWith({
      tools: [
        { name: 'broken', inputSchema: { type: 'array', items: {} } },
        { name: 'fine', inputSchema: { type: 'object' } },
      ],
    });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_fine' }]), textAnswer('one'), textAnswer('two'));
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
    const first = await turnOf(agent, 'a');
    const second = await turnOf(agent, 'b');
    assert.equal(notices(first).filter((text) => text.includes('broken')).length, 1);
    assert.deepEqual(notices(second), []);
    assert.equal(digList(model.requests[0]?.body, 'tools').length, 1);
    assert.deepEqual(errorsOf(first), [false]);
  });

  it('asks before each call, in order, and each answer counts for its call only', async () => {
    const server = await serverWith({ tools: [{ name: 'delete', inputSchema: { type: 'object' } }] });
    const model = await startModel();
    model.enqueue(
      toolCallAnswer([
        { name: 'bb7_delete', arguments: { id: 1 } },
        { name: 'bb7_delete', arguments: { id: 2 } },
      ]),
      textAnswer('ok'),
    );
    const asked: unknown[] = [];
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: at(model),
      approve: async (question) => {
        asked.push(question.arguments);
        return question.arguments.id === 1 ? 'deny' : 'allow';
      },
    });
    const events = await turnOf(agent, 'go');
    assert.deepEqual(asked, [{ id: 1 }, { id: 2 }]);
    assert.deepEqual(errorsOf(events), [true, false]);
    const calls = server.messages.filter(({ method }) => method === 'tools/call');
    assert.deepEqual(
      calls.map(({ params }) => dig(params, 'arguments')),
      [{ id: 2 }],
    );
  });

  it('asks once the reader of the events has the start of the call, and runs what was asked about', async () => {
    const server = await serverWith({});
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_addUser', arguments: { id: 1 } }]), textAnswer('ok'));
    const order: string[] = [];
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: at(model),
      approve: async (question) => {
        order.push('approve');
        Object.assign(question.arguments, { id: 2 });
        return 'allow';
      },
    });
    for await (const event of agent.run('go')) {
      if (event.kind.startsWith('tool-')) order.push(event.kind);
      if (event.kind === 'tool-start') Object.assign(event.arguments, { id: 3 });
    }
    assert.deepEqual(order, ['tool-start', 'approve', 'tool-end']);
    const [call] = server.messages.filter(({ method }) => method === 'tools/call');
    assert.deepEqual(dig(call?.params, 'arguments'), { id: 1 });
  });

  it('asks one question at a time, also about calls that may run beside each other', async () => {
    const look = { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
    const server = await serverWith({ tools: [look] });
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_look' }, { name: 'bb7_look' }, { name: 'bb7_look' }]), textAnswer('ok'));
    let open = 0;
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: at(model),
      approve: async () => {
        assert.equal(++open, 1);
        await new Promise(setImmediate);
        open--;
        return 'allow';
      },
    });
    assert.deepEqual(errorsOf(await turnOf(agent, 'go')), [false, false, false]);
  });

  for (const [name, approve] of Object.entries(approvals)) {
    it(`sends nothing when the approval ${name}`, async () => {
      const server = await serverWith({});
      const model = await startModel();
      model.enqueue(toolCallAnswer([{ name: 'bb7_addUser' }]), textAnswer('ok'));
      const agent = agentOf(closing, {
        servers: { users: { type: 'sse', url: server.url } },
        model: at(model),
        approve,
      });
      const events = await turnOf(agent, 'go');
      assert.deepEqual(errorsOf(events), [true]);
      assert.equal(
        server.messages.some(({ method }) => method === 'tools/call'),
        false,
      );
      assert.match(String(lastMessage(model, 1).content), /The user did not allow this call/);
      if (name === 'denies with a reason') assert.match(String(lastMessage(model, 1).content), /too dangerous/);
      assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
    });
  }

  it('works on when its tap or a listener throws', async () => {
    const server = await serverWith({});
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_getUsers' }]), textAnswer('ok'));
    let told = 0;
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: at(model),
      tap: () => {
        told++;
        throw new Error('no record');
      },
    });
    agent.onDidChange(() => {
      throw new Error('no view');
    });
    const events = await turnOf(agent, 'go');
    assert.deepEqual(errorsOf(events), [false]);
    assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
    assert.ok(told > 0);
  });

  it('does not ask about what the settings let run', async () => {
    const server = await serverWith({});
    const model = await startModel();
    model.enqueue(toolCallAnswer([{ name: 'bb7_getUsers' }, { name: 'bb7_addUser' }]), textAnswer('ok'));
    const asked: string[] = [];
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url, autoApprove: ['get*'] } },
      model: at(model),
      approve: async ({ tool }) => {
        asked.push(tool);
        return 'allow';
      },
    });
    await turnOf(agent, 'go');
    assert.deepEqual(asked, ['addUser']);
  });

  for (const written of ['', '{}', 'null', ' ']) {
    it(`sends an object of arguments when the model wrote ${JSON.stringify(written)}`, async () => {
      const server = await serverWith({ tools: [{ name: 'ping', inputSchema: { type: 'object' } }] });
      const model = await startModel();
      model.enqueue(toolCallAnswer([{ name: 'bb7_ping', arguments: written }]), textAnswer('ok'));
      const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } }, model: at(model) });
      await turnOf(agent, 'go');
      const { params } = await server.message('tools/call');
      assert.deepEqual(dig(params, 'arguments'), {});
    });
  }

  it('tells figures once a request and passes the error of an endpoint on', async () => {
    const model = await startModel();
    model.enqueue(textAnswer('one two'), { status: 401, body: ['{"error":{"message":"bad key"}}'] });
    const agent = agentOf(closing, { model: at(model) });
    assert.deepEqual(outline(await turnOf(agent, 'hi')), ['one ', 'two', 'usage 100 2', 'done stop']);
    const failed = await turnOf(agent, 'again');
    const done = failed.at(-1);
    assert.ok(done?.kind === 'done' && done.reason === 'error');
    assert.match(done.error ?? '', /401/);
    model.enqueue(textAnswer('back'));
    assert.equal(answerText(await turnOf(agent, 'once more')), 'back');
  });

  it('never offers an endpoint more tools than it takes, and says which are left out', async () => {
    const listOf = (name: string): McpScript => ({
      tools: Array.from({ length: 60 }, (_, index) => ({ name: `${name}${index}`, inputSchema: { type: 'object' } })),
    });
    const servers: Record<string, unknown> = {};
    for (const name of ['one', 'two', 'three'])
      servers[name] = { type: 'sse', url: (await serverWith(listOf(name))).url };
    const model = closing.add(
      await startScriptedModel({
        respond: ({ body }) => {
          if (digList(body, 'tools').length > 128) return { status: 400, body: ['too many tools'] };
          return textAnswer('fine');
        },
      }),
    );
    const agent = agentOf(closing, { servers, model: at(model) });
    await agent.ready();
    const hidden = agent.servers()[2]?.tools.at(-1)?.name ?? '';
    const events = await turnOf(agent, `Call ${hidden} please`);
    assert.equal(answerText(events), 'fine');
    assert.match(notices(events).join(), /tools do not fit into a request.*of "three"/);
    const offered = digList(model.requests[0]?.body, 'tools').map((tool) => dig(tool, 'function', 'name'));
    assert.ok(offered.includes(hidden));
    await turnOf(agent, 'again');
    assert.deepEqual(digList(model.requests[1]?.body, 'tools'), digList(model.requests[0]?.body, 'tools'));
  });

  describe('with images in results', () => {
    const picture = (data: unknown, mimeType = 'image/png'): McpScript => ({
      tools: [{ name: 'draw', inputSchema: { type: 'object' } }],
      reply: ({ method }) =>
        method === 'tools/call' ? { result: { content: [{ type: 'image', data, mimeType }] } } : undefined,
    });

    async function drawing(script: McpScript, imageInput: boolean): Promise<ScriptedModel> {
      const server = await serverWith(script);
      const model = await startModel();
      model.enqueue(toolCallAnswer([{ name: 'bb7_draw' }]), textAnswer('drawn'), textAnswer('hello'));
      const servers = { pictures: { type: 'sse', url: server.url } };
      const agent = agentOf(closing, { servers, model: { ...at(model), imageInput } });
      await turnOf(agent, 'draw');
      assert.equal(answerText(await turnOf(agent, 'hi')), 'hello');
      return model;
    }

    it('passes them to a model that sees', async () => {
      const model = await drawing(picture(png), true);
      assert.match(model.requests[1]?.text ?? '', new RegExp(`data:image/png;base64,${png.slice(0, 20)}`));
    });

    it('tells a model that does not see what there was', async () => {
      const model = await drawing(picture(png), false);
      assert.match(String(lastMessage(model, 1).content), /Image, image\/png, 1 KB/);
      assert.doesNotMatch(model.requests[1]?.text ?? '', /base64/);
    });

    it('corrects a wrong label', async () => {
      const model = await drawing(picture(jpeg), true);
      assert.match(model.requests[1]?.text ?? '', /data:image\/jpeg;base64/);
    });

    it('never keeps one that a model would refuse', async () => {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
      for (const data of [svg, '%%%', '', undefined]) {
        const model = await drawing(picture(data, 'image/svg+xml'), true);
        assert.ok(model.requests.every(({ text }) => !text.includes('image_url')));
        assert.match(String(lastMessage(model, 1).content), /Image.*left out, because/);
      }
    });
  });

  it('passes on what is said while a turn runs, and nothing when none does', async () => {
    const model = closing.add(await startScriptedModel());
    model.enqueue(toolCallAnswer([{ name: 'bb7_getUsers' }]), textAnswer('Voilà.'), textAnswer('Again.'));
    const server = closing.add(await startSseServer());
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: { url: model.url, id: 'm' },
    });
    assert.equal(agent.say('nobody hears this'), false);
    for await (const event of agent.run('list them'))
      if (event.kind === 'tool-start') assert.ok(agent.say('in French'));
    assert.match(model.requests[1]?.text ?? '', /in French"\}\]?/);
    await turnOf(agent, 'and now?');
    assert.doesNotMatch(model.requests[2]?.text ?? '', /nobody hears this/);
  });

  it('refuses a second turn while one runs, and every turn when it is closed', async () => {
    const model = await startModel();
    model.enqueue({ body: [], end: 'hang' });
    const agent = agentOf(closing, { model: at(model) });
    const first = turnOf(agent, 'one');
    await model.request(1);
    assert.deepEqual(outline(await turnOf(agent, 'two')), ['done error']);
    await agent.close();
    assert.deepEqual(outline(await first), ['done cancelled']);
    assert.deepEqual(outline(await turnOf(agent, 'three')), ['done error']);
  });

  it('ends the stream of each server when it is closed', async () => {
    const server = await serverWith({});
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: server.url } } });
    await agent.ready();
    const ended = new Promise((resolve) => server.sessions[0]?.response.on('close', resolve));
    await agent.close();
    await ended;
    assert.deepEqual(agent.servers(), [{ name: 'users', state: 'stopped', tools: [] }]);
  });
});

function refuseList({ method }: { method?: unknown }): { error: unknown } | undefined {
  return method === 'tools/list' ? { error: { code: -32601, message: 'Method not found' } } : undefined;
}
