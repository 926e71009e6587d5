import assert from 'node:assert/strict';
import { describeTurns } from '../support/host/chat.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { startDemoServer, type DemoServer } from '../../scripts/demo/usersServer.ts';
import { startManyServers, type ManyMcpServers } from '../support/manyMcpServers.ts';
import { toolsOf } from '../support/requestFault.ts';
import {
  jsonAnswer,
  startScriptedModel,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModel,
} from '../support/scriptedModel.ts';

const task =
  'First, help me check the user list to see if there is a user named Carson. If not, add a new user: Carson carson@example.com; then check the list again to see if the new user was added successfully. Finally, say hello to Carson.';

const script: readonly (() => ScriptedAnswer)[] = [
  () => toolCallAnswer([{ name: 'bb7_getUsers' }], 'I check the list.'),
  () => toolCallAnswer([{ name: 'bb7_addUser', arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } } }]),
  () => toolCallAnswer([{ name: 'bb7_getUsers' }]),
  () => textAnswer('Hello Carson!'),
];

describe('two hundred servers with ten thousand tools in the workbench', function () {
  this.timeout(240_000);
  const times: string[] = [];
  let users: DemoServer;
  let many: ManyMcpServers;
  let model: ScriptedModel;
  let host: VsCodeHost;

  /** Notes how long something took, for the report at the end. */
  async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    times.push(`${what}: ${Math.round(performance.now() - start)} ms`);
    return result;
  }

  before(async () => {
    users = await startDemoServer();
    many = await startManyServers(200, 50);
    let step = 0;
    model = await startScriptedModel({
      respond: ({ body }) => {
        const { length } = toolsOf(body);
        if (length > 128) return jsonAnswer({ error: { message: `Invalid 'tools': ${length} are too many` } }, 400);
        return script[step++]?.() ?? textAnswer('Nothing more.');
      },
    });
    host = await openHost({
      settings: {
        'mcp.servers': { users: { type: 'sse', url: users.url, autoApprove: ['*'] }, ...many.entries },
        'mcpAgent.endpoints': [{ name: 'Scripted', url: model.url, models: [{ id: 'gpt-4o', name: 'Scripted GPT' }] }],
      },
    });
    await host.chat.open();
    await host.chat.chooseModel('Scripted GPT');
  });

  after(async () => {
    console.log(times.map((line) => `      ${line}`).join('\n'));
    await host?.close();
    await model?.close();
    await many?.close();
    await users?.close();
  });

  it('list their tools', async () => {
    await timed('connect 201 servers', async () => {
      await host.chat.send('@mcp /servers');
      await host.page.locator('.statusbar-item', { hasText: 'MCP 201/201' }).waitFor();
    });
    await host.chat.answered();
    await timed('list their tools in the chat', async () => {
      await host.chat.send('@mcp /tools');
      await host.chat.answered();
    });
    const text = describeTurns([await host.chat.lastTurn()]);
    assert.match(text, /10,00\d of 10,00\d tools are on/);
  });

  it('carry out the captured task, with a model that takes 128 tools', async () => {
    await timed('the captured task, four requests and three calls', async () => {
      await host.chat.startNew();
      await host.chat.send(`@mcp ${task}`);
      assert.match(describeTurns([await host.chat.answered()]), /Hello Carson!/);
    });
    assert.ok(users.users.some(({ email }) => email === 'carson@example.com'));
    for (const { body } of model.requests) {
      const offered = toolsOf(body).map(({ name }) => name);
      assert.ok(offered.length <= 128);
      for (const name of ['bb7_getUsers', 'bb7_addUser', 'search_tools']) assert.ok(offered.includes(name), name);
    }
    const [first, ...others] = model.requests.map(({ body }) => JSON.stringify(body['tools']));
    for (const other of others) assert.equal(other, first, 'the offered tools stay the same from step to step');
  });

  it('carry it out with the planner, which names the server of another step', async () => {
    await host.chat.startNew();
    await host.chat.chooseModel('Planner');
    await timed('the captured task with the planner', async () => {
      await host.chat.send(`@mcp ${task.replaceAll('Carson', 'Alice').replaceAll('carson@', 'alice@')}`);
      await host.chat.answered();
    });
    assert.ok(users.users.some(({ email }) => email === 'alice@example.com'));
    await host.chat.send('@mcp count the pages on server137');
    await host.chat.answered();
    assert.deepEqual(many.calls, ['137 count_page']);
  });
});
