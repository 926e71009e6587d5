import assert from 'node:assert/strict';
import type { Tool as ListedTool } from '../../../src/mcp/schema.ts';
import { ServerConnection } from '../../../src/servers/serverConnection.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import type { ServerSpec } from '../../../src/servers/serverSpec.ts';
import { serverIdentity } from '../../../src/servers/serverIdentity.ts';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import { startFacts } from '../../../src/settings/startFacts.ts';
import { specFromEntry } from '../../../src/specFromEntry.ts';
import { ServerTool } from '../../../src/tools/serverTool.ts';
import { decideBy, type Grant } from '../../../src/vscode/approvalStore.ts';
import { showInvisible } from '../../../src/vscode/plainText.ts';

function specOf(value: unknown, source: string, more: Partial<ServerSpec> = {}): ServerSpec {
  const [entry] = parseServers({ users: value }, source).entries;
  assert(entry);
  return { ...specFromEntry(entry, 'bb7', () => Promise.reject(new Error('it was started'))), ...more };
}

const listed: ListedTool = { name: 'send', description: 'Send', inputSchema: { type: 'object' } };

function toolOf(spec: ServerSpec, definition: ListedTool = listed): ServerTool {
  const connection = new ServerConnection(spec, { open: () => Promise.reject(new Error('it was started')) });
  return new ServerTool({ name: 'bb7_send', connection, listed: definition });
}

/** "Always allow", given for a tool of one server. */
function grantFor({ approvalKey }: ServerTool, isForServer = false): Grant {
  const { server, tool, definition } = approvalKey;
  return isForServer ? { server, label: 'users' } : { server, label: 'users', tool, definition };
}

describe('a hostile workspace', () => {
  const entry = { command: 'node', args: ['server.js'] };
  const good = toolOf(specOf(entry, 'wf0', { place: 'file:///home/ann/good' }));

  for (const isForServer of [false, true]) {
    const kind = isForServer ? 'all tools of a server' : 'a tool';
    const decide = (tool: ServerTool): string => decideBy([grantFor(good, isForServer)], tool.approvalKey);

    it(`does not inherit what was allowed for ${kind} of another workspace with the same words in it`, () => {
      assert.equal(decide(good), 'allowed');
      assert.equal(decide(toolOf(specOf(entry, 'wf0', { place: 'file:///home/ann/hostile' }))), 'ask');
    });

    it(`does not inherit what was allowed for ${kind} under another name, scope, command or address`, () => {
      const place = 'file:///home/ann/good';
      assert.equal(decide(toolOf(specOf({ command: 'node', args: ['other.js'] }, 'wf0', { place }))), 'ask');
      assert.equal(decide(toolOf(specOf({ url: 'http://127.0.0.1:9/mcp' }, 'wf0', { place }))), 'ask');
      assert.equal(decide(toolOf(specOf(entry, 'wf1', { place }))), 'ask');
      assert.equal(decide(toolOf(specOf(entry, 'usrlocal'))), 'ask');
      assert.equal(decide(toolOf(specOf(entry, 'wf0', { place, identity: serverIdentity('wf0', 'users2') }))), 'ask');
    });
  }

  it('does not inherit what was allowed for a tool when its description, parameters, results or claims change', () => {
    const grant = grantFor(good);
    const place = 'file:///home/ann/good';
    const changes: Partial<ListedTool>[] = [
      { description: 'Send, and read ~/.ssh' },
      { title: 'Harmless' },
      { inputSchema: { type: 'object', properties: { to: {} } } },
      { outputSchema: { type: 'object' } },
      { annotations: { readOnlyHint: true } },
    ];
    for (const change of changes) {
      const tool = toolOf(specOf(entry, 'wf0', { place }), { ...listed, ...change });
      assert.equal(decideBy([grant], tool.approvalKey), 'changed', JSON.stringify(change));
    }
    assert.equal(
      decideBy([grant], toolOf(specOf(entry, 'wf0', { place }), { ...listed, name: 'send2' }).approvalKey),
      'ask',
    );
  });

  it('has nothing started while a server is held back, by whatever means', async () => {
    let opened = 0;
    const pool = new ServerPool({
      open: () => {
        opened += 1;
        return Promise.reject(new Error('opened'));
      },
    });
    const resolve = (): Promise<never> => {
      opened += 1;
      return Promise.reject(new Error('resolved'));
    };
    const spec = specOf(entry, 'wf0', { held: 'not allowed yet', resolve });
    pool.reconcile([spec]);
    pool.restart(spec.identity);
    pool.wake();
    await pool.tryAgain();
    await pool.ready();
    await assert.rejects(pool.servers[0]?.ensureReady(new AbortController().signal) ?? Promise.resolve(), /is stopped/);
    assert.equal(pool.servers[0]?.state.kind, 'stopped');
    assert.equal(opened, 0);
    const { held: _, ...allowed } = spec;
    pool.reconcile([allowed]);
    await pool.ready();
    assert.equal(opened, 1, 'it starts as soon as it may');
    pool.reconcile([{ ...allowed, held: 'its configuration changed' }]);
    assert.equal(pool.servers[0]?.state.kind, 'stopped', 'one that runs is stopped as soon as it is held back');
    await pool.close();
  });

  it('cannot hide in its command what would be run', () => {
    const { entries } = parseServers(
      { 'ok\u202E': { command: 'node', args: ['-e', 'x()\u2028// harmless', '\u200B--flag\u2060', 'a\rb\nc', '   '] } },
      'wf0',
    );
    const [hidden] = entries;
    assert(hidden);
    const { target, name } = startFacts(hidden, { inputs: [] });
    const shown = showInvisible(target.text);
    assert.doesNotMatch(shown, /[\r\n\u2028\u200B\u2060\u202E]/);
    for (const mark of ['<U+2028>', '<U+200B>', '<U+2060>', '\\r', '\\n', '"   "'])
      assert(shown.includes(mark), `${mark} in ${shown}`);
    assert(showInvisible(name).includes('<U+202E>'));
  });
});
