import assert from 'node:assert/strict';
import { ApprovalStore, readGrants, type Grant } from '../../../src/vscode/approvalStore.ts';

function memory(): { get(key: string): unknown; update(key: string, value: unknown): Promise<void> } {
  const values = new Map<string, unknown>();
  return { get: (key) => values.get(key), update: async (key, value) => void values.set(key, structuredClone(value)) };
}

const key = { server: 'usrlocal/users http://a/sse', tool: 'addUser', definition: 'h1' };
const grant: Grant = { server: key.server, label: 'users', tool: key.tool, definition: key.definition };

describe('approvals', () => {
  it('a tool is asked about until it is allowed', async () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    assert.equal(store.decide(key, []), 'ask');
    await store.add('always', grant);
    assert.equal(store.decide(key, []), 'allowed');
  });

  it('a grant holds for this tool of this server alone', async () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    await store.add('always', grant);
    assert.equal(store.decide({ ...key, tool: 'deleteUser' }, []), 'ask');
    assert.equal(store.decide({ ...key, server: 'usrlocal/users http://other/sse' }, []), 'ask');
  });

  it('a changed definition is asked about again, and said to have changed', async () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    await store.add('workspace', grant);
    assert.equal(store.decide({ ...key, definition: 'h2' }, []), 'changed');
    await store.add('workspace', { ...grant, definition: 'h2' });
    assert.equal(store.decide({ ...key, definition: 'h2' }, []), 'allowed');
    assert.equal(store.list('workspace').length, 1);
  });

  it('a grant for a server opens every tool of it', async () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    await store.add('always', { server: key.server, label: 'users' });
    assert.equal(store.decide({ ...key, tool: 'anything', definition: 'new' }, []), 'allowed');
    assert.equal(store.decide({ ...key, server: 'another' }, []), 'ask');
  });

  it('a grant of this chat counts here and is stored nowhere', () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    assert.equal(store.decide(key, [grant]), 'allowed');
    assert.equal(store.decide(key, []), 'ask');
    assert.deepEqual(store.list('always'), []);
  });

  it('a grant of the workspace is not one everywhere', async () => {
    const always = memory();
    const store = new ApprovalStore({ always, workspace: memory() });
    await store.add('workspace', grant);
    assert.equal(new ApprovalStore({ always, workspace: memory() }).decide(key, []), 'ask');
  });

  it('what was taken back is asked about again', async () => {
    const store = new ApprovalStore({ always: memory(), workspace: memory() });
    await store.add('always', grant);
    await store.remove('always', grant);
    assert.equal(store.decide(key, []), 'ask');
  });

  it('what storage holds in another shape grants nothing', () => {
    const odd = [
      null,
      'all',
      {},
      { server: key.server },
      { ...grant, definition: 1 },
      { server: key.server, label: 'x', tool: 'addUser' },
    ];
    assert.deepEqual(readGrants(odd), []);
    assert.deepEqual(readGrants('everything'), []);
    assert.deepEqual(readGrants([grant]), [grant]);
  });
});
