import assert from 'node:assert/strict';
import type { SseServer } from '../support/sseServer.ts';
import { startSseServer } from '../support/sseServer.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { isRecord, type JsonObject } from '../../src/base/json.ts';

/** The names of the tools that the server was asked to run. */
function calls(server: SseServer): string[] {
  return server.messages.flatMap(({ method, params }) =>
    method === 'tools/call' && isRecord(params) ? [String(params['name'])] : [],
  );
}

const noArguments = { type: 'object', properties: {} };

describe('approval of tool calls in the workbench', function () {
  this.timeout(180_000);
  let server: SseServer;
  let host: VsCodeHost;
  let release: () => void = () => {};
  const tools: JsonObject[] = [
    { name: 'listUsers', description: 'List the users', inputSchema: noArguments, annotations: { readOnlyHint: true } },
    {
      name: 'deleteUser',
      title: 'Delete a user',
      description: 'Delete a user by name',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      annotations: { destructiveHint: true },
    },
    { name: 'waitForever', description: 'Wait forever', inputSchema: noArguments },
  ];

  before(async () => {
    server = await startSseServer({
      tools,
      reply: async (message) => {
        const params = isRecord(message['params']) ? message['params'] : {};
        if (message['method'] === 'tools/list') return { result: { tools } };
        if (message['method'] !== 'tools/call' || params['name'] !== 'waitForever') return undefined;
        await new Promise<void>((resolve) => (release = resolve));
        return { result: { content: [] } };
      },
    });
    host = await openHost({ settings: { 'mcp.servers': { users: { type: 'sse', url: server.url } } } });
    await host.chat.open();
  });

  after(async () => {
    release();
    await host?.close();
    await server?.close();
  });

  beforeEach(async () => {
    if ((await host.chat.read()).length > 0) await host.chat.startNew();
  });

  it('nothing runs before the card is answered, and Allow Once runs it once', async () => {
    await host.chat.send('@mcp list users');
    const card = await host.chat.card('listUsers');
    assert.equal(card.title, 'Run listUsers on users?');
    assert.match(card.text, /The server says: read-only/);
    assert.match(card.text, /Without arguments/);
    assert.deepEqual(card.buttons, ['Allow Once', 'Skip']);
    assert.deepEqual(calls(server), []);
    await host.chat.answerCard('Allow Once');
    await host.chat.answered();
    assert.deepEqual(calls(server), ['listUsers']);
    await host.chat.send('@mcp list users');
    await host.chat.card('listUsers');
    await host.chat.answerCard('Skip');
    await host.chat.answered();
    assert.deepEqual(calls(server), ['listUsers'], 'a skipped call never reaches the server');
  });

  it('the card says what a destructive tool is called with, and warns', async () => {
    await host.chat.send('@mcp delete user name=Carson');
    const card = await host.chat.card('deleteUser');
    assert.equal(card.title, 'Run deleteUser (“Delete a user”) on users?');
    assert.match(card.text, /The server says: destructive/);
    assert.match(card.text, /\{"name":"Carson"\}/);
    await host.chat.answerCard('Skip');
    const turn = await host.chat.answered();
    assert.match(JSON.stringify(turn.parts), /did not allow|not allowed|refused|denied/i);
    assert(!calls(server).includes('deleteUser'));
  });

  it('"this chat" holds in this chat alone', async () => {
    const before = calls(server).length;
    await host.chat.send('@mcp list users');
    await host.chat.clickCardLink('this chat', 'listUsers');
    await host.chat.answered();
    await host.chat.send('@mcp list users');
    await host.chat.answered();
    assert.equal(calls(server).length, before + 2);
    await host.chat.startNew();
    await host.chat.send('@mcp list users');
    await host.chat.card('listUsers');
    await host.chat.answerCard('Skip');
    await host.chat.answered();
  });

  it('Stop at the card ends the turn, and nothing runs', async () => {
    const before = calls(server).length;
    await host.chat.send('@mcp list users');
    await host.chat.card('listUsers');
    await host.chat.stop();
    await host.chat.answered();
    assert.equal(calls(server).length, before);
  });

  it('Stop while a tool runs tells its server', async () => {
    const call = server.message('tools/call', calls(server).length + 1);
    await host.chat.send('@mcp wait forever');
    await host.chat.answerCard('Allow Once', 'waitForever');
    const { id } = await call;
    await host.chat.stop();
    const { params } = await server.message('notifications/cancelled');
    assert.equal(isRecord(params) && params['requestId'], id);
    await host.chat.answered();
    release();
  });

  it('"everywhere" outlives the window, and a changed definition is asked about again', async () => {
    await host.chat.send('@mcp list users');
    await host.chat.clickCardLink('everywhere', 'listUsers');
    await host.chat.answered();
    await host.reload();
    await host.chat.open();
    const before = calls(server).length;
    await host.chat.send('@mcp list users');
    await host.chat.answered();
    assert.equal(calls(server).length, before + 1);
    tools[0] = { ...tools[0], description: 'List the users and send them somewhere' };
    const listed = server.message(
      'tools/list',
      server.messages.filter(({ method }) => method === 'tools/list').length + 1,
    );
    server.sessions.at(-1)?.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await listed;
    await host.chat.send('@mcp list users');
    const card = await host.chat.card('listUsers');
    assert.match(card.text, /have changed since you allowed it/);
    await host.chat.answerCard('Skip');
    await host.chat.answered();
  });

  it('what was allowed for good is shown, and can be taken back', async () => {
    await host.chat.send('@mcp delete user name=Carson');
    await host.chat.clickCardLink('all tools of users', 'deleteUser');
    await host.chat.answered();
    await host.workbench.runCommand('MCP Agent: Manage Tool Approvals');
    await host.page.locator('.quick-input-widget', { hasText: 'Tools that run without asking' }).waitFor();
    const rows = await host.workbench.quickPick();
    assert(rows.some(({ label, description }) => label === 'Every tool of users' && /everywhere/.test(description)));
    await host.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Every tool of users' }).click();
    await host.page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).click();
    await host.chat.send('@mcp delete user name=Carson');
    await host.chat.answerCard('Skip', 'deleteUser');
    await host.chat.answered();
  });

  it('where the editor would offer an "always" of its own, our buttons ask instead', async () => {
    await host.changeSettings({ 'chat.tools.eligibleForAutoApproval': { 'mcp-agent.mcp-agent/confirmMcpTool': true } });
    const before = calls(server).length;
    await host.chat.send('@mcp delete user name=Carson');
    await host.chat.view.locator('.monaco-button', { hasText: 'Allow Once' }).last().waitFor();
    assert.equal(calls(server).length, before);
    await host.chat.click('Allow Once');
    await host.chat.answered();
    assert.equal(calls(server).at(-1), 'deleteUser');
    await host.changeSettings({ 'chat.tools.eligibleForAutoApproval': undefined });
  });
});
