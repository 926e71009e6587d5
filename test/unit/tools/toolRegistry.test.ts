import assert from 'node:assert/strict';
import { modelTool } from '../../../src/agent/modelTool.ts';
import type { Client } from '../../../src/mcp/client.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import type { ServerSpec } from '../../../src/servers/serverSpec.ts';
import { ToolRegistry } from '../../../src/tools/toolRegistry.ts';
import type { Tool, ToolOutcome } from '../../../src/tools/tool.ts';
import { FakeClient, listedTool, textResult } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeOpen, fakeSpec, until } from '../../support/fakeServers.ts';

interface Setup {
  readonly pool: ServerPool;
  readonly registry: ToolRegistry;
}

async function setup(servers: Record<string, () => Client>, specs: readonly ServerSpec[]): Promise<Setup> {
  const pool = new ServerPool({ open: fakeOpen(servers), clock: new FakeClock() });
  const registry = new ToolRegistry(pool);
  pool.reconcile(specs);
  await pool.ready();
  return { pool, registry };
}

const offered = ({ registry }: Setup): string[] => registry.snapshot().map(({ name }) => name);

function toolNamed({ registry }: Setup, name: string): Tool {
  const tool = registry.snapshot().find((each) => each.name === name);
  assert.ok(tool, `${name} is offered`);
  return tool;
}

const call = (tool: Tool, args = {}): Promise<ToolOutcome> =>
  tool.call(args, { signal: new AbortController().signal, callId: 'c1' });

const textOf = ({ parts }: ToolOutcome): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join();

const server =
  (answer: string): (() => FakeClient) =>
  () =>
    new FakeClient({ send_email: () => textResult(answer) });

describe('the tool registry', () => {
  it('offers equal tools of two servers and sends each call to its own', async () => {
    const both = await setup({ one: server('one'), two: server('two') }, [fakeSpec('one'), fakeSpec('two')]);
    assert.deepEqual(offered(both), ['one_send_email', 'two_send_email']);
    assert.equal(textOf(await call(toolNamed(both, 'two_send_email'))), 'two');
    assert.equal(textOf(await call(toolNamed(both, 'one_send_email'))), 'one');
  });

  it('keeps the tools of one server working when its twin goes and comes', async () => {
    const both = await setup({ one: server('one'), two: server('two') }, [fakeSpec('one'), fakeSpec('two')]);
    both.pool.reconcile([fakeSpec('one'), fakeSpec('two', { disabled: true })]);
    assert.deepEqual(offered(both), ['one_send_email']);
    assert.equal(textOf(await call(toolNamed(both, 'one_send_email'))), 'one');
    both.pool.reconcile([fakeSpec('one', { disabled: true }), fakeSpec('two')]);
    await both.pool.ready();
    assert.deepEqual(offered(both), ['two_send_email']);
    assert.equal(textOf(await call(toolNamed(both, 'two_send_email'))), 'two');
  });

  it('sends the server its own name, however the offered one had to be changed', async () => {
    const client = new FakeClient({ 'admin.tools/list all': () => textResult('ok') });
    const one = await setup({ one: () => client }, [fakeSpec('one', { prefix: 'bb7' })]);
    await call(toolNamed(one, 'bb7_admin_tools_list_all'), { a: 1 });
    assert.deepEqual(client.calls, [{ name: 'admin.tools/list all', args: { a: 1 } }]);
  });

  it('leaves out what the settings or the person switch off, without renaming the rest', async () => {
    const client = new FakeClient();
    client.listed = ['a.b', 'a/b', 'c'].map((name) => listedTool(name));
    const pool = new ServerPool({ open: fakeOpen({ one: () => client }) });
    let isOn = true;
    const registry = new ToolRegistry(pool, { isEnabled: (_identity, name) => isOn || name !== 'a/b' });
    pool.reconcile([fakeSpec('one', { prefix: 'x', allows: (name) => name !== 'c' })]);
    await pool.ready();
    const before = registry.snapshot().map(({ name }) => name);
    assert.equal(before.length, 2);
    isOn = false;
    registry.refresh();
    assert.deepEqual(
      registry.snapshot().map(({ name }) => name),
      before.slice(0, 1),
    );
  });

  it('offers a tool whose title, description and hints are of the wrong type', async () => {
    const client = new FakeClient({ odd: () => textResult('ran') });
    const odd: unknown = { name: 'odd', title: 5, description: {}, annotations: 'x', inputSchema: { type: 'object' } };
    client.listed = [Object.assign(listedTool('odd'), odd)];
    const it = await setup({ one: () => client }, [fakeSpec('one')]);
    const tool = toolNamed(it, 'one_odd');
    assert.equal(tool.title, undefined);
    assert.match(modelTool(tool).description, /^odd/);
  });

  it('keeps a tool the same object while it stays the same, whatever changes around it', async () => {
    const [one, two] = [new FakeClient({ a: () => textResult('a') }), new FakeClient({ b: () => textResult('b') })];
    const both = await setup({ one: () => one, two: () => two }, [fakeSpec('one'), fakeSpec('two')]);
    const before = both.registry.snapshot();
    two.tools['c'] = () => textResult('c');
    two.changeTools();
    await until(both.registry.onDidChange, () => both.registry.snapshot().length === 3);
    assert.equal(both.registry.snapshot()[0], before[0]);
    both.pool.reconcile([fakeSpec('one', { prefix: 'other' }), fakeSpec('two')]);
    await both.pool.ready();
    assert.equal(both.registry.snapshot()[0]?.name, 'other_a');
  });

  it('gives the same array until something changed', async () => {
    const client = new FakeClient({ a: () => textResult('') });
    const one = await setup({ one: () => client }, [fakeSpec('one')]);
    const before = one.registry.snapshot();
    assert.equal(one.registry.snapshot(), before);
    client.tools.b = () => textResult('');
    client.changeTools();
    await until(one.registry.onDidChange, () => offered(one).length === 2);
    assert.deepEqual(offered(one), ['one_a', 'one_b']);
  });

  it('offers a tool once that a server lists twice, and tells of it', async () => {
    const client = new FakeClient();
    client.listed = [listedTool('a'), listedTool('a', { description: 'again' }), listedTool('')];
    const one = await setup({ one: () => client }, [fakeSpec('one')]);
    assert.deepEqual(offered(one), ['one_a']);
    assert.deepEqual(
      one.registry.leftOut.map(({ reason }) => reason),
      ['the server lists it twice', 'it has no name'],
    );
  });

  it('delivers the result of a tool that was removed meanwhile, and refuses a further call', async () => {
    const client = new FakeClient();
    let finish: (() => void) | undefined;
    client.tools.slow = () => new Promise((resolve) => (finish = () => resolve(textResult('late'))));
    const one = await setup({ one: () => client }, [fakeSpec('one')]);
    const tool = toolNamed(one, 'one_slow');
    const running = call(tool);
    await new Promise(setImmediate);
    client.listed = [];
    client.changeTools();
    await until(one.registry.onDidChange, () => offered(one).length === 0);
    finish?.();
    assert.equal(textOf(await running), 'late');
    const further = await call(tool);
    assert.equal(further.isError, true);
    assert.match(textOf(further), /no longer offered.*was not run/);
    assert.equal(client.calls.length, 1);
  });

  it('refuses a call to a server that was stopped', async () => {
    const one = await setup({ one: server('x') }, [fakeSpec('one')]);
    const tool = toolNamed(one, 'one_send_email');
    one.pool.reconcile([]);
    assert.match(textOf(await call(tool)), /no longer offered: server "one" is stopped or was removed/);
  });

  it('ties a remembered approval to server, target, tool and definition', async () => {
    const withTool = (more: object) => () => {
      const client = new FakeClient();
      client.listed = [listedTool('a', more)];
      return client;
    };
    const key = async (spec: Partial<ServerSpec>, more: object = {}): Promise<string> => {
      const one = await setup({ one: withTool(more) }, [fakeSpec('one', spec)]);
      return JSON.stringify(toolNamed(one, 'one_a').approvalKey);
    };
    const base = await key({ target: 'http://a/' });
    assert.equal(await key({ target: 'http://a/', fingerprint: '2' }), base);
    assert.notEqual(await key({ target: 'http://b/' }), base);
    assert.notEqual(await key({ target: 'http://a/', identity: 'wf0/one' }), base);
    assert.notEqual(await key({ target: 'http://a/' }, { description: 'other' }), base);
    const schema = { type: 'object', properties: { x: {}, y: {} } };
    const turned = { properties: { y: {}, x: {} }, type: 'object' };
    assert.equal(await key({}, { inputSchema: schema }), await key({}, { inputSchema: turned }));
    assert.doesNotMatch(await key({ target: 'npx server --token s3cret' }), /s3cret/);
  });
});
