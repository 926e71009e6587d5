import assert from 'node:assert/strict';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { startDemoServer, type DemoServer } from '../../scripts/demo/usersServer.ts';
import {
  jsonAnswer,
  startScriptedModel,
  textAnswer,
  toolCallAnswer,
  type ScriptedModel,
} from '../support/scriptedModel.ts';

const task =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';

/** The messages of a model request. */
function messagesOf(body: JsonObject): JsonObject[] {
  const { messages } = body;
  return Array.isArray(messages) ? messages.filter(isRecord) : [];
}

describe('the captured conversation in the workbench', function () {
  this.timeout(240_000);
  let server: DemoServer;
  let model: ScriptedModel;
  let host: VsCodeHost;

  before(async () => {
    server = await startDemoServer();
    model = await startScriptedModel();
    host = await openHost({
      settings: {
        'mcp.servers': { 'spring-ai-mcp-sample': { type: 'sse', url: server.url } },
        'mcpAgent.endpoints': [{ name: 'Scripted', url: model.url, models: [{ id: 'gpt-4o', name: 'Scripted GPT' }] }],
        'mcpAgent.maxSteps': 6,
      },
    });
    await host.chat.open();
  });

  after(async () => {
    await host?.close();
    await model?.close();
    await server?.close();
  });

  it('opening the window reaches neither the server nor the model', () => {
    assert.deepEqual(server.requests, []);
    assert.deepEqual([...model.requests, ...model.otherRequests], []);
  });

  it('runs getUsers, addUser, getUsers and says hello, each call asked about', async () => {
    await host.chat.chooseModel('Scripted GPT');
    model.enqueue(
      toolCallAnswer([{ id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers' }], 'I check the list.'),
      toolCallAnswer([{ name: 'bb7_addUser', arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } } }]),
      toolCallAnswer([{ name: 'bb7_getUsers' }]),
      textAnswer('Hello Carson! You were added.'),
    );
    await host.chat.send(`@mcp ${task}`);
    for (const tool of ['getUsers', 'addUser', 'getUsers']) {
      await host.chat.card(`Run ${tool}`);
      await host.chat.answerCard('Allow Once', `Run ${tool}`);
    }
    const turn = await host.chat.answered();
    assert.match(describeTurns([turn]), /Hello Carson! You were added\./);
    assert(server.users.some(({ name, email }) => name === 'Carson' && email === 'carson@example.com'));
  });

  it('the wire is that of the capture: GET and POST together, ids 1, 2, 3, the own names, one list', () => {
    const [first, second] = server.requests;
    assert.deepEqual(new Set([first?.method, second?.method]), new Set(['GET', 'POST']));
    assert.equal(first?.url, second?.url);
    const messages = server.messages();
    const afterwards = messages.slice(messages.findIndex(({ method }) => method === 'notifications/initialized') - 1);
    assert.deepEqual(
      afterwards.map(({ method }) => method),
      ['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'tools/call', 'tools/call'],
    );
    assert.deepEqual(
      afterwards.flatMap(({ id }) => (id === undefined ? [] : [id])),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(
      afterwards.at(3)?.['params'] && isRecord(afterwards.at(3)?.['params']) ? afterwards.at(3)?.['params'] : {},
      {
        name: 'getUsers',
        arguments: {},
        ...metaOf(afterwards.at(3)),
      },
    );
  });

  it('every model request carries all earlier calls and results, so they grow', () => {
    const sizes = model.requests.map(({ text }) => text.length);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
    const last = messagesOf(model.requests.at(-1)?.body ?? {});
    assert.deepEqual(
      last.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'],
    );
    assert.match(JSON.stringify(last), /call_nL7ToTNvrfLwUPYoqtUH8Yx3.*john@example\.com/s);
    assert(
      messagesOf(model.requests[0]?.body ?? {}).some(({ content }) =>
        JSON.stringify(content).includes('user named Carson'),
      ),
    );
    assert(!JSON.stringify(model.requests[0]?.body).includes('@mcp'), 'the mention is not part of the prompt');
  });

  it('rows show what went in and what came out', async () => {
    await host.chat.unfold();
    // The editors wrap long lines.
    const text = describeTurns([await host.chat.lastTurn()]).replaceAll(/\s+/g, '');
    assert.match(text, /addUser—spring-ai-mcp-sample/);
    assert.match(text, /"name":"Carson","email":"carson@example\.com"/);
    assert.match(text, /john@example\.com/);
  });

  it('the next turn knows the calls of the turns before', async () => {
    model.enqueue(textAnswer('There are three users.'));
    const before = model.requests.length;
    await host.chat.send('@mcp How many are there?');
    await host.chat.answered();
    const messages = messagesOf((await model.request(before + 1)).body);
    assert.deepEqual(
      messages.slice(-3).map(({ role }) => role),
      ['tool', 'assistant', 'user'],
    );
    assert.match(JSON.stringify(messages), /call_nL7ToTNvrfLwUPYoqtUH8Yx3/);
  });

  it('pauses at the step limit, and Continue goes on', async () => {
    await host.chat.startNew();
    await host.chat.send('@mcp list users for ever');
    for (let step = 0; step < 6; step += 1)
      model.enqueue(toolCallAnswer([{ name: 'bb7_getUsers', arguments: { step } }]));
    await host.chat.clickCardLink('this chat', 'Run getUsers');
    const paused = await host.chat.answered();
    assert.match(describeTurns([paused]), /6 steps[\s\S]*\[Continue\]/);
    model.enqueue(textAnswer('Now I am done.'));
    await host.chat.click('Continue');
    await host.chat.view.getByText('Now I am done.').waitFor();
    const done = await host.chat.answered();
    assert.match(describeTurns([done]), /Now I am done\./);
    assert.equal(messagesOf(model.requests.at(-1)?.body ?? {}).filter(({ role }) => role === 'tool').length, 6);
  });

  it('an error of the model names the endpoint, the cause and what to do', async () => {
    await host.chat.startNew();
    model.enqueue(jsonAnswer({ error: { message: 'Incorrect API key provided' } }, 401));
    await host.chat.send('@mcp hello');
    const turn = await host.chat.answered();
    const error = turn.parts.find((part) => part.kind === 'error');
    assert(error?.kind === 'error', describeTurns([turn]));
    assert.match(error.text, /Scripted/);
    assert.match(error.text, /key/i);
  });

  it('the planner holds the same conversation, in English and in Chinese', async () => {
    await host.chat.chooseModel('Planner');
    for (const prompt of [
      task.replaceAll('Carson', 'Alice').replaceAll('carson@', 'alice@'),
      '先帮我查一下用户列表，看看有没有叫 Bob 的用户。如果没有，就添加一个新用户：Bob bob@example.com；然后再查一次列表，看新用户是否添加成功。最后，向 Bob 问好。',
    ]) {
      await host.chat.startNew();
      await host.chat.send(`@mcp ${prompt}`);
      await host.chat.clickCardLink('this chat', 'Run getUsers');
      await host.chat.card('Run addUser');
      await host.chat.answerCard('Allow Once', 'Run addUser');
      await host.chat.answered();
    }
    assert.deepEqual(
      server.users.slice(-2).map(({ name, email }) => [name, email]),
      [
        ['Alice', 'alice@example.com'],
        ['Bob', 'bob@example.com'],
      ],
    );
    assert.match(describeTurns([await host.chat.lastTurn()]), /Bob/);
  });
});

/** Our requests may carry a progress token besides. */
function metaOf(message: JsonObject | undefined): JsonObject {
  const params = message?.['params'];
  return isRecord(params) && params['_meta'] !== undefined ? { _meta: params['_meta'] } : {};
}
