import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../src/mcp/client.ts';
import { connect, type ConnectOptions } from '../../src/mcp/connect.ts';
import { Opened } from '../support/connected.ts';
import { everythingHandlers, everythingScript, useEverything } from '../support/everythingPeer.ts';
import { installedFile } from '../support/installedFile.ts';
import { startPeer } from '../support/peerProcess.ts';

describe('reference servers', function () {
  this.timeout(60_000);
  const opened = new Opened();
  afterEach(() => opened.close());

  const overStdio = async (
    path: string,
    args: readonly string[] = [],
    options: ConnectOptions = {},
  ): Promise<Client> => {
    const client = await connect(
      { kind: 'stdio', name: 'peer', command: process.execPath, args: [installedFile(path), ...args] },
      options,
    );
    await opened.server(Promise.resolve(client));
    return client;
  };

  it('everything over stdio: lists and uses one of each kind', async () => {
    await useEverything(
      await overStdio(everythingScript, ['stdio'], { handlers: everythingHandlers, protocolVersion: undefined }),
    );
  });

  for (const [mode, path, transport] of [
    ['sse', '/sse', 'sse'],
    ['streamableHttp', '/mcp', 'http'],
  ] as const) {
    it(`everything over ${mode}: lists and uses one of each kind, found without a type too`, async () => {
      const start = startPeer(
        installedFile(everythingScript),
        () => [mode],
        (port) => ({ PORT: String(port) }),
      );
      const { port } = await opened.server(start);
      const url = `http://127.0.0.1:${port}${path}`;
      const client = await opened.connect(transport, url, { handlers: everythingHandlers, protocolVersion: undefined });
      assert.equal(client.transport, transport);
      await useEverything(client);
      const untyped = await opened.connect('auto', url, { handlers: everythingHandlers, protocolVersion: undefined });
      assert.equal(untyped.transport, transport);
      assert.equal((await untyped.listTools()).length, (await client.listTools()).length);
    });
  }

  describe('with a folder', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'mcp-agent-peer-'));
      writeFileSync(join(folder, 'note.txt'), 'hello from the file');
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('filesystem: reads, writes, lists, and refuses what lies outside', async () => {
      const client = await overStdio('@modelcontextprotocol/server-filesystem/dist/index.js', [folder]);
      assert.ok((await client.listTools()).length >= 10);
      const note = await client.callTool('read_text_file', { path: join(folder, 'note.txt') });
      assert.match(JSON.stringify(note.content), /hello from the file/);
      await client.callTool('write_file', { path: join(folder, 'new.txt'), content: 'ü🌍' });
      const listed = await client.callTool('list_directory', { path: folder });
      assert.match(JSON.stringify(listed.content), /new\.txt/);
      assert.equal((await client.callTool('read_text_file', { path: '/etc/hostname' })).isError, true);
    });

    it('memory: keeps what it is told', async () => {
      const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
      const args = [installedFile('@modelcontextprotocol/server-memory/dist/index.js')];
      const client = await connect({ kind: 'stdio', name: 'memory', command: process.execPath, args, env });
      await opened.server(Promise.resolve(client));
      assert.ok((await client.listTools()).length >= 9);
      const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
      await client.callTool('create_entities', { entities });
      assert.match(JSON.stringify((await client.callTool('read_graph', {})).structuredContent), /Ada/);
    });
  });

  it('sequential thinking: takes a thought', async () => {
    const client = await overStdio('@modelcontextprotocol/server-sequential-thinking/dist/index.js');
    assert.deepEqual(
      (await client.listTools()).map(({ name }) => name),
      ['sequentialthinking'],
    );
    const thought = { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const result = await client.callTool('sequentialthinking', thought);
    assert.notEqual(result.isError, true);
    assert.match(JSON.stringify(result.content), /thoughtNumber/);
  });
});
