import assert from 'node:assert/strict';
import { StoppedServers } from '../../../src/vscode/stoppedServers.ts';

class Storage {
  readonly values = new Map<string, unknown>();
  updates = 0;
  get(key: string): unknown {
    return this.values.get(key);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.updates++;
    this.values.set(key, structuredClone(value));
  }
}

describe('servers that the person has stopped', () => {
  it('stay stopped in the next window, until they are started', async () => {
    const storage = new Storage();
    const stopped = new StoppedServers(storage);
    const writing = stopped.set('wf0/a', true);
    assert(stopped.has('wf0/a'), 'in force before it is stored');
    await writing;
    await stopped.set('wf0/b', true);
    const later = new StoppedServers(storage);
    assert(later.has('wf0/a') && later.has('wf0/b') && !later.has('wf0/c'));
    await later.set('wf0/a', false);
    assert(!new StoppedServers(storage).has('wf0/a'));
  });

  it('what changes nothing is not written', async () => {
    const storage = new Storage();
    const stopped = new StoppedServers(storage);
    await stopped.set('wf0/a', false);
    assert.equal(storage.updates, 0);
  });

  it('a store that holds something else counts as empty', () => {
    for (const value of [3, { a: 1 }, null, [4, {}]]) {
      const storage = new Storage();
      storage.values.set('mcpAgent.stoppedServers', value);
      assert.equal(new StoppedServers(storage).has('wf0/a'), false);
    }
  });
});
