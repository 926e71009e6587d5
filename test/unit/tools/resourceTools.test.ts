import assert from 'node:assert/strict';
import { RpcError } from '../../../src/mcp/errors.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import { resourceTools } from '../../../src/tools/resourceTools.ts';
import type { ToolOutcome } from '../../../src/tools/tool.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeOpen, fakeSpec } from '../../support/fakeServers.ts';

/** A server with these resources by address. */
function holder(resources: Readonly<Record<string, string>>, templates: readonly string[] = []): FakeClient {
  const client = new FakeClient();
  Object.assign(client, {
    capabilities: { tools: {}, resources: {} },
    request: async (method: string, params: { readonly uri?: string }) => {
      if (method === 'resources/list')
        return { resources: Object.keys(resources).map((uri) => ({ uri, name: uri, description: 'Some\nwords' })) };
      if (method === 'resources/templates/list')
        return { resourceTemplates: templates.map((uriTemplate) => ({ uriTemplate, name: 't' })) };
      const text = resources[params.uri ?? ''];
      if (text === undefined) throw new RpcError(-32002, 'Resource not found');
      return { contents: [{ uri: params.uri, mimeType: 'text/plain', text }] };
    },
  });
  return client;
}

async function poolOf(clients: Readonly<Record<string, FakeClient>>): Promise<ServerPool> {
  const open = Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, () => client]));
  const pool = new ServerPool({ open: fakeOpen(open), clock: new FakeClock() });
  pool.reconcile(Object.keys(clients).map((name) => fakeSpec(name)));
  await pool.ready();
  return pool;
}

const textOf = ({ parts }: ToolOutcome): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join();

async function run(pool: ServerPool, name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
  const tool = resourceTools(() => pool.servers).find((each) => each.name === name);
  assert.ok(tool);
  return tool.call(args, { signal: new AbortController().signal, callId: 'c1' });
}

describe('the model’s tools for resources', () => {
  it('exist only where a ready server has resources', async () => {
    assert.deepEqual(
      resourceTools(() => []),
      [],
    );
    const without = await poolOf({ users: new FakeClient() });
    assert.deepEqual(
      resourceTools(() => without.servers),
      [],
    );
    const pool = await poolOf({ users: new FakeClient(), docs: holder({}) });
    assert.deepEqual(
      resourceTools(() => pool.servers).map(({ name }) => name),
      ['list_resources', 'read_resource'],
    );
  });

  it('list addresses and templates by server', async () => {
    const pool = await poolOf({ docs: holder({ 'a:1': 'x' }, ['a:{id}']), notes: holder({}) });
    const text = textOf(await run(pool, 'list_resources', {}));
    assert.match(text, /Server "docs":\n- a:1 "a:1": Some words\n- template a:\{id\} "t"/);
    assert.match(text, /Server "notes":\nno resources/);
    assert.doesNotMatch(textOf(await run(pool, 'list_resources', { server: 'notes' })), /docs/);
    assert.equal((await run(pool, 'list_resources', { server: 'other' })).isError, true);
  });

  it('read from the server that lists the address or a template of it', async () => {
    const pool = await poolOf({
      docs: holder({ 'a:1': 'from docs' }),
      notes: holder({ 'b:7': 'from notes' }, ['b:{id}']),
    });
    assert.match(textOf(await run(pool, 'read_resource', { uri: 'a:1' })), /from docs/);
    assert.match(textOf(await run(pool, 'read_resource', { uri: 'b:7' })), /from notes/);
  });

  it('ask which server is meant where several could be', async () => {
    const pool = await poolOf({ docs: holder({ 'a:1': 'x' }), notes: holder({ 'a:1': 'y' }) });
    assert.match(textOf(await run(pool, 'read_resource', { uri: 'a:1' })), /"docs", "notes"/);
    assert.match(textOf(await run(pool, 'read_resource', { uri: 'a:1', server: 'notes' })), /y/);
  });

  it('say that a resource is not there, and what to do', async () => {
    const pool = await poolOf({ docs: holder({}) });
    const outcome = await run(pool, 'read_resource', { uri: 'a:9' });
    assert.equal(outcome.isError, true);
    assert.match(textOf(outcome), /"docs" has no resource a:9\. List/);
    assert.equal((await run(pool, 'read_resource', {})).isError, true);
  });
});
