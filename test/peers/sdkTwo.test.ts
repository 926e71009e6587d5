import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { Client } from '../../src/mcp/client.ts';
import { connect } from '../../src/mcp/connect.ts';
import type { HttpServerConfig } from '../../src/mcp/serverConfig.ts';
import { Opened } from '../support/connected.ts';
import { dig } from '../support/dig.ts';
import { listenWith, sdkTwoWays } from '../support/sdkTwoServer.ts';

/** Lists all that the server offers, and uses one of each kind. */
async function useAll(client: Client): Promise<void> {
  assert.equal(client.serverInfo.name, 'sdk2');
  assert.equal(client.instructions, 'Echo what you like.');
  assert.deepEqual((await client.listTools()).map(({ name }) => name).sort(), ['echo', 'fail']);
  const echoed = await Promise.all([1, 2, 3].map((n) => client.callTool('echo', { text: `${n} 🌍` })));
  assert.deepEqual(
    echoed.map(({ content }) => content[0]?.['text']),
    [1, 2, 3].map((n) => JSON.stringify({ text: `${n} 🌍` })),
  );
  const failed = await client.callTool('fail', {});
  assert.equal(failed.isError, true);
  assert.match(JSON.stringify(failed.content), /it broke/);
  await assert.rejects(async () => {
    const unknown = await client.callTool('unknown', {});
    if (unknown.isError === true) throw new Error('refused');
  });
  assert.equal(dig(await client.request('resources/read', { uri: 'note://one' }), 'contents', 0, 'text'), 'a note');
  assert.equal(dig(await client.request('prompts/get', { name: 'greet' }), 'messages', 0, 'content', 'text'), 'hello');
}

describe('servers on the second official SDK', function () {
  this.timeout(30_000);
  const opened = new Opened();
  afterEach(() => opened.close());

  /** How it is served, as what type it is configured, and the revision that is found. */
  const cases: readonly [way: string, kind: HttpServerConfig['kind'], revision: string][] = [
    ['both eras', 'http', '2026-07-28'],
    ['both eras', 'auto', '2026-07-28'],
    ['both eras', 'sse', '2025-11-25'],
    ['the stateless revision alone', 'http', '2026-07-28'],
    ['the stateless revision alone', 'auto', '2026-07-28'],
    ['sessions', 'http', '2025-11-25'],
    ['sessions', 'auto', '2025-11-25'],
    ['sessions', 'sse', '2025-11-25'],
  ];
  for (const [way, kind, revision] of cases) {
    it(`with ${way}, as type ${kind}: finds ${revision}, lists and uses all, and does so again`, async () => {
      const make = sdkTwoWays[way];
      assert.ok(make);
      const { url } = await opened.server(listenWith(make()));
      for (const name of ['first', 'second']) {
        const client = await opened.connect(kind, url, { name, protocolVersion: undefined });
        assert.deepEqual([client.transport, client.protocolVersion], ['http', revision]);
        await useAll(client);
      }
    });
  }

  for (const mode of ['both', 'modern']) {
    it(`over stdio, serving ${mode}: lists and uses all`, async () => {
      const script = fileURLToPath(new URL('../support/sdkTwoStdio.ts', import.meta.url));
      const client = await connect({ kind: 'stdio', name: 'peer', command: process.execPath, args: [script, mode] });
      await opened.server(Promise.resolve(client));
      await useAll(client);
    });
  }
});
