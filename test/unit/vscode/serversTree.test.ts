import assert from 'node:assert/strict';
import {
  actionsOf,
  childNodes,
  contextOf,
  rootNodes,
  summaryOf,
  toolSums,
  type ServerFacts,
  type ToolFacts,
  type TreeNode,
} from '../../../src/vscode/serversTree.ts';

const tool = (name: string, facts: Partial<ToolFacts> = {}): ToolFacts => ({
  name: `bb7_${name}`,
  tool: name,
  description: '',
  tokens: 10,
  isOn: true,
  ...facts,
});

const server = (name: string, facts: Partial<ServerFacts> = {}): ServerFacts => ({
  identity: `usrlocal/${name}`,
  name,
  source: 'usrlocal',
  state: 'ready',
  needsSignIn: false,
  isRemote: true,
  tools: [],
  leftOut: 0,
  hasPrompts: false,
  hasResources: false,
  ...facts,
});

const view = (servers: readonly ServerFacts[], facts = {}): Parameters<typeof rootNodes>[0] => ({
  servers,
  badEntries: [],
  notes: [],
  ...facts,
});

/** The whole tree, one indented line a row. */
function drawn(nodes: readonly TreeNode[], depth = 0): string[] {
  return nodes.flatMap((node) => [`${'  '.repeat(depth)}${rowText(node)}`, ...drawn(childNodes(node), depth + 1)]);
}

function rowText(node: TreeNode): string {
  switch (node.kind) {
    case 'server':
      return node.server.name;
    case 'group':
      return node.group;
    case 'tool':
      return node.tool.tool;
    case 'problem':
      return `! ${node.text}`;
    case 'bad-entry':
      return `! ${node.entry.name}: ${node.entry.message}`;
    case 'note':
      return `(${node.note})`;
    default:
      return node.kind;
  }
}

describe('the rows of the servers view', () => {
  it('servers stand in the order of the settings, each with what it offers below', () => {
    const facts = view([
      server('b', { tools: [tool('two'), tool('one')], hasPrompts: true, hasResources: true }),
      server('a', { state: 'failed', error: 'refused' }),
      server('c', { state: 'halted' }),
    ]);
    assert.deepEqual(drawn(rootNodes(facts)), [
      'b',
      '  tools',
      '    two',
      '    one',
      '  prompts',
      '    empty',
      '  resources',
      '    empty',
      'a',
      '  ! refused',
      'c',
    ]);
  });

  it('a server that is down keeps the tools that it had in sight', () => {
    const facts = view([server('a', { state: 'failed', error: 'gone', tools: [tool('one')] })]);
    assert.deepEqual(drawn(rootNodes(facts)), ['a', '  ! gone', '  tools', '    one']);
  });

  it('entries that cannot be used and notes stand below the servers', () => {
    const badEntries = [{ name: 'bad', source: 'wf0', message: 'no url' }];
    assert.deepEqual(drawn(rootNodes(view([server('a', { state: 'idle' })], { badEntries, notes: ['no-model'] }))), [
      'a',
      '! bad: no url',
      '(no-model)',
    ]);
  });

  it('an empty view has no rows at all, so that its welcome is shown', () => {
    assert.deepEqual(rootNodes(view([], { notes: ['untrusted', 'no-model'] })), []);
  });

  it('what a server answered stands in its group, two of one name too', () => {
    const [parent] = rootNodes(view([server('a', { hasResources: true })]));
    const group = childNodes(parent ?? assert.fail()).find(
      (node) => node.kind === 'group' && node.group === 'resources',
    );
    const resource = { uri: 'file:///x', name: 'x' };
    const nodes = childNodes(group ?? assert.fail(), [
      { kind: 'resource', resource },
      { kind: 'resource', resource },
      { kind: 'template', template: { uriTemplate: 'file:///{path}', name: 'any' } },
    ]);
    assert.deepEqual(
      nodes.map(({ kind }) => kind),
      ['resource', 'resource', 'template'],
    );
    assert.equal(new Set(nodes.map(({ id }) => id)).size, 3);
    assert(nodes.every(({ parent: above }) => above === group));
  });

  it('ids tell all rows apart and stay while a server changes', () => {
    const ids = (facts: Partial<ServerFacts>): string[] => {
      const collect = (nodes: readonly TreeNode[]): string[] =>
        nodes.flatMap((node) => [node.id, ...collect(childNodes(node))]);
      return collect(rootNodes(view([server('a', facts), server('a/b', facts)])));
    };
    const before = ids({ tools: [tool('x'), tool('y')] });
    assert.equal(new Set(before).size, before.length);
    assert.deepEqual(ids({ tools: [tool('x', { isOn: false }), tool('y')] }), before);
  });
});

describe('what can be done with a server', () => {
  it('what runs can be stopped, what does not can be started, a disabled one neither', () => {
    assert.deepEqual(actionsOf(server('a', { isRemote: false })), ['stop', 'restart']);
    assert.deepEqual(actionsOf(server('a', { state: 'failed', isRemote: false })), ['stop', 'restart']);
    for (const state of ['halted', 'held', 'idle', 'stopped'] as const)
      assert.deepEqual(actionsOf(server('a', { state })), ['start'], state);
    assert.deepEqual(actionsOf(server('a', { state: 'disabled' })), []);
  });

  it('one signs in where that is asked for, and out at any other server behind a URL', () => {
    assert.deepEqual(actionsOf(server('a', { needsSignIn: true, state: 'failed' })), ['stop', 'restart', 'signIn']);
    assert.deepEqual(actionsOf(server('a')), ['stop', 'restart', 'signOut']);
  });

  it('a row says so in words that begin and end with a semicolon', () => {
    const [row] = rootNodes(view([server('a')]));
    assert.equal(contextOf(row ?? assert.fail()), 'server;stop;restart;signOut;');
    const facts = server('a', { tools: [tool('x'), tool('y', { isOn: false })] });
    const [parent] = rootNodes(view([facts]));
    const [group] = childNodes(parent ?? assert.fail());
    assert.deepEqual(childNodes(group ?? assert.fail()).map(contextOf), ['tool;on;', 'tool;off;']);
  });
});

describe('all servers in a few figures', () => {
  it('counts what runs of what should run', () => {
    const { ready, wanted, needed, level, isEmpty } = summaryOf(
      view([
        server('a'),
        server('b', { state: 'connecting' }),
        server('c', { state: 'disabled' }),
        server('d', { state: 'halted' }),
      ]),
    );
    assert.deepEqual(
      { ready, wanted, needed, level, isEmpty },
      { ready: 1, wanted: 2, needed: 0, level: 'none', isEmpty: false },
    );
  });

  it('a failure is an error, a wish of the server for the person a warning', () => {
    assert.equal(summaryOf(view([server('a', { state: 'failed' })])).level, 'error');
    assert.equal(summaryOf(view([server('a', { state: 'failed', needsSignIn: true })])).level, 'warning');
    assert.equal(summaryOf(view([server('a', { state: 'held' })])).level, 'warning');
    const badEntries = [{ name: 'bad', source: 'wf0', message: 'no url' }];
    const { level, needed, isEmpty } = summaryOf(view([], { badEntries }));
    assert.deepEqual({ level, needed, isEmpty }, { level: 'error', needed: 1, isEmpty: false });
    assert.equal(summaryOf(view([], { notes: ['no-model'] })).isEmpty, true);
  });

  it('only tools that are on cost tokens', () => {
    const tools = [tool('a', { tokens: 100 }), tool('b', { tokens: 50, isOn: false }), tool('c', { tokens: 7 })];
    assert.deepEqual(toolSums(server('a', { tools })), { on: 2, tokens: 107 });
  });
});
