import assert from 'node:assert/strict';
import { askForUsers, startDemoServer, type DemoServer } from '../../scripts/demo/usersServer.ts';
import { tasks } from '../../scripts/demo/options.ts';
import { hostVersions } from '../support/host/hostServer.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';

const oldest = hostVersions.at(-1);

describe(`the captured task on the oldest VS Code that is supported (${oldest?.replace(/^4/, '1')})`, function () {
  this.timeout(240_000);
  let server: DemoServer;
  let host: VsCodeHost;

  before(async () => {
    server = await startDemoServer();
    host = await openHost({
      version: oldest,
      settings: { 'mcp.servers': { users: { type: 'sse', url: server.url } } },
    });
    await host.chat.open();
  });

  after(async () => {
    await host?.close();
    await server?.close();
  });

  it('runs to its end with the built-in planner: the list, the new user, the list again, hello', async () => {
    await host.chat.send(`@mcp ${tasks.en}`);
    for (const tool of ['getUsers', 'addUser', 'getUsers']) await host.chat.answerCard('Allow Once', tool);
    const { parts } = await host.chat.answered();
    assert.deepEqual(
      parts.filter((part) => part.kind === 'tool' || part.kind === 'error').map((part) => part.kind),
      ['tool', 'tool', 'tool'],
    );
    assert.match(parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n'), /Hello,? Carson/);
    assert.match(await askForUsers(server.url), /"name":"Carson","email":"carson@example.com"/);
  });

  it('a tool row holds what went in and what came out', async () => {
    await host.chat.unfold();
    const { parts } = await host.chat.lastTurn();
    const details = parts.flatMap((part) => (part.kind === 'tool' ? [part.details.replaceAll(/\s/g, '')] : []));
    assert.match(details[1] ?? '', /"email":"carson@example.com"/);
    assert.match(details[2] ?? '', /carson@example.com/);
  });
});
