import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import type { ApprovalQuestion } from '../../src/agent/agentEvent.ts';
import type { TapFact } from '../../src/base/tap.ts';
import { agentOf, answerText, Closing, turnOf } from '../support/agents.ts';
import { dig, digList } from '../support/dig.ts';
import { methodOf, startSseServer } from '../support/sseServer.ts';
import { chunk, startScriptedModel, streamAnswer, textAnswer, toolCallAnswer } from '../support/scriptedModel.ts';
import { startUsersServer } from '../support/usersServer.ts';

const task =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';
const chineseTask =
  '首先帮我查看用户列表里有没有叫 Carson 的用户。如果没有,就添加一个新用户:Carson carson@example.com;然后再次查看列表,确认新用户是否添加成功。最后,向 Carson 问好。';

/** The tool that is asked for in the captured chunk. */
const capturedChunk = {
  choices: [
    {
      index: 0,
      delta: {
        content: null,
        role: 'assistant',
        tool_calls: [
          {
            function: { arguments: '', name: 'bb7_getUsers' },
            id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3',
            index: 0,
            type: 'function',
          },
        ],
      },
    },
  ],
  created: 1745649196,
  id: 'chatcmpl-BQTO863fJsOBHD4tU1LN3AEk5Uuo2',
  model: 'gpt-4o-2024-11-20',
  system_fingerprint: 'fp_ee1d74bde0',
};

const carson = { arg0: { name: 'Carson', email: 'carson@example.com' } };

function toolsCalled(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'tool-start' ? [event.tool] : []));
}

describe('the captured conversation', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  it('runs with a scripted endpoint against a scripted server, request by request', async () => {
    const server = closing.add(await startSseServer());
    const model = closing.add(await startScriptedModel());
    model.enqueue(
      streamAnswer([capturedChunk, chunk({}, 'tool_calls')]),
      toolCallAnswer([{ name: 'bb7_addUser', arguments: carson }]),
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('Hello, Carson!'),
    );
    const asked: ApprovalQuestion[] = [];
    const agent = agentOf(closing, {
      servers: { 'spring-ai-mcp-sample': { type: 'sse', url: server.url } },
      model: { url: model.url, id: 'gpt-4o' },
      approve: async (question) => {
        asked.push(question);
        return 'allow';
      },
    });
    const events = await turnOf(agent, task);

    assert.deepEqual(toolsCalled(events), ['getUsers', 'addUser', 'getUsers']);
    assert.equal(answerText(events), 'Hello, Carson!');
    assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
    assert.deepEqual(asked[0], {
      callId: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3',
      server: 'spring-ai-mcp-sample',
      tool: 'getUsers',
      name: 'bb7_getUsers',
      arguments: {},
    });

    const sent = server.messages.map(({ id, method }) => `${String(id)} ${String(method)}`);
    assert.deepEqual(sent, [
      '1 initialize',
      'undefined notifications/initialized',
      '2 tools/list',
      '3 tools/call',
      '4 tools/call',
      '5 tools/call',
    ]);
    const add = server.messages[4];
    assert.equal(dig(add, 'params', 'name'), 'addUser');
    assert.deepEqual(dig(add, 'params', 'arguments'), carson);
    const probes = server.requests.filter(({ url }) => url === '/sse').map(({ method }) => method);
    assert.deepEqual(probes.sort(), ['GET', 'POST']);
    assert.equal(server.requests.filter((request) => methodOf(request) === 'tools/list').length, 1);
  });

  it('sends every earlier call and result of the task with each model request', async () => {
    const server = closing.add(await startSseServer());
    const model = closing.add(await startScriptedModel());
    model.enqueue(
      streamAnswer([capturedChunk, chunk({}, 'tool_calls')]),
      toolCallAnswer([{ name: 'bb7_addUser', arguments: carson }]),
      textAnswer('Hello, Carson!'),
      textAnswer('Yes.'),
    );
    const servers = { users: { type: 'sse', url: server.url } };
    const agent = agentOf(closing, { servers, model: { url: model.url, id: 'gpt-4o' } });
    await turnOf(agent, task);
    await turnOf(agent, 'Was that all?');

    const bodies = model.requests.map(({ body }) => body);
    const roles = bodies.map((body) =>
      digList(body, 'messages')
        .map((message) => dig(message, 'role'))
        .join(' '),
    );
    assert.deepEqual(roles, [
      'system user',
      'system user assistant tool',
      'system user assistant tool assistant tool',
      'system user assistant tool assistant tool assistant user',
    ]);
    for (const [index, { text }] of model.requests.slice(1).entries()) {
      assert.ok(text.length > (model.requests[index]?.text.length ?? 0), 'requests grow');
    }
    assert.deepEqual(dig(bodies[2], 'messages', 2, 'tool_calls'), [
      {
        id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3',
        type: 'function',
        function: { name: 'bb7_getUsers', arguments: '{}' },
      },
    ]);
    assert.equal(dig(bodies[2], 'messages', 3, 'tool_call_id'), 'call_nL7ToTNvrfLwUPYoqtUH8Yx3');
    assert.ok(bodies.every((body) => digList(body, 'tools').length === 2));
  });

  for (const [language, words, hello] of [
    ['English', task, /hello.*Carson/i],
    ['Chinese', chineseTask, /Carson/],
  ] as const) {
    it(`runs with the built-in planner against the official SDK's server, in ${language}`, async () => {
      const server = closing.add(await startUsersServer());
      const asked: string[] = [];
      const agent = agentOf(closing, {
        servers: { users: { type: 'sse', url: server.url } },
        approve: async ({ tool }) => {
          asked.push(tool);
          return 'allow';
        },
      });
      const events = await turnOf(agent, words);
      assert.deepEqual(server.calls, ['getUsers', 'addUser', 'getUsers']);
      assert.deepEqual(server.users.at(-1), { name: 'Carson', email: 'carson@example.com' });
      assert.deepEqual(asked, server.calls);
      assert.match(answerText(events), hello);
      assert.deepEqual(events.at(-1), { kind: 'done', reason: 'stop' });
    });
  }

  it('adds nobody when the person refuses', async () => {
    const server = closing.add(await startUsersServer());
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      approve: async ({ tool }) => (tool === 'addUser' ? { deny: 'not today' } : 'allow'),
    });
    await turnOf(agent, task);
    assert.equal(server.users.length, 2);
  });

  it('joins each call of the model to the request that carried it, for the wire record', async () => {
    const server = closing.add(await startSseServer());
    const model = closing.add(await startScriptedModel());
    model.enqueue(toolCallAnswer([{ name: 'bb7_getUsers', id: 'call_a' }]), textAnswer('ok'));
    const facts: TapFact[] = [];
    const agent = agentOf(closing, {
      servers: { users: { type: 'sse', url: server.url } },
      model: { url: model.url, id: 'gpt-4o' },
      tap: (fact) => void facts.push(fact),
    });
    await turnOf(agent, 'go');
    const call = facts.find((fact) => fact.kind === 'tool-call');
    assert.ok(call?.kind === 'tool-call');
    assert.equal(call.callId, 'call_a');
    const carrier = facts.find((fact) => {
      if (fact.kind !== 'message' || fact.direction !== 'out' || fact.connection !== call.connection) return false;
      const { message } = fact;
      return typeof message === 'object' && message !== null && 'id' in message && message.id === call.requestId;
    });
    assert.match(JSON.stringify(carrier), /"method":"tools\/call"/);
    const models = facts.filter(({ kind }) => kind === 'model-request' || kind === 'model-answer');
    assert.deepEqual(
      models.map(({ kind }) => kind),
      ['model-request', 'model-answer', 'model-request', 'model-answer'],
    );
    assert.ok(models.every((fact) => fact.kind !== 'model-request' || (!fact.logical && fact.exchange !== undefined)));
  });
});
