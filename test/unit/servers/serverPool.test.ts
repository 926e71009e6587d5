import assert from 'node:assert/strict';
import { TransportError } from '../../../src/mcp/errors.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import { errorOf } from '../../../src/servers/serverState.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeOpen, fakeSpec, until } from '../../support/fakeServers.ts';

const states = (pool: ServerPool): string[] => pool.servers.map(({ spec, state }) => `${spec.name} ${state.kind}`);

describe('the pool of servers', () => {
  it('is usable while one server fails and another never answers', async () => {
    const pool = new ServerPool({
      clock: new FakeClock(),
      open: fakeOpen({
        good: () => new FakeClient(),
        dead: () => {
          throw new TransportError('unreachable', 'dead: connection refused (127.0.0.1:1)');
        },
        mute: () => new Promise(() => {}),
      }),
    });
    pool.reconcile(['mute', 'dead', 'good'].map((name) => fakeSpec(name)));
    await until(pool.onDidChange, () => states(pool).includes('good ready') && states(pool).includes('dead failed'));
    assert.deepEqual(states(pool), ['mute connecting', 'dead failed', 'good ready']);
    const dead = pool.servers[1];
    assert.match((dead && errorOf(dead.state)?.message) ?? '', /connection refused/);
  });

  it('is ready when each server is ready or has failed once', async () => {
    const pool = new ServerPool({
      clock: new FakeClock(),
      open: fakeOpen({
        good: () => new FakeClient(),
        dead: () => {
          throw new Error('no');
        },
      }),
    });
    pool.reconcile([fakeSpec('good'), fakeSpec('dead'), fakeSpec('off', { disabled: true })]);
    await pool.ready();
    assert.deepEqual(states(pool), ['good ready', 'dead failed', 'off stopped']);
  });

  it('what the person has stopped ends, and comes back with a new session when it is started', async () => {
    const clients: FakeClient[] = [];
    const open = (): FakeClient => {
      const client = new FakeClient();
      clients.push(client);
      return client;
    };
    const pool = new ServerPool({ open: fakeOpen({ a: open, b: open }) });
    pool.reconcile([fakeSpec('a'), fakeSpec('b')]);
    await pool.ready();
    pool.reconcile([fakeSpec('a', { isHalted: true }), fakeSpec('b')]);
    assert.deepEqual(states(pool), ['a stopped', 'b ready']);
    pool.restart('a');
    pool.reconcile([fakeSpec('a', { isHalted: true, fingerprint: '2' }), fakeSpec('b')]);
    assert.deepEqual(states(pool), ['a stopped', 'b ready'], 'neither a restart nor an edit of its entry starts it');
    pool.reconcile([fakeSpec('a', { fingerprint: '2' }), fakeSpec('b')]);
    await pool.ready();
    assert.deepEqual(states(pool), ['a ready', 'b ready']);
    assert.equal(clients.length, 3);
  });

  it('restarts only what changed, starts what is new and stops what is gone', async () => {
    const opened: string[] = [];
    const clients = new Map<string, FakeClient>();
    const open = (name: string) => (): FakeClient => {
      opened.push(name);
      const client = new FakeClient();
      clients.set(`${name} ${opened.filter((each) => each === name).length}`, client);
      return client;
    };
    const pool = new ServerPool({
      open: fakeOpen({ kept: open('kept'), changed: open('changed'), gone: open('gone'), new: open('new') }),
    });
    pool.reconcile([fakeSpec('kept'), fakeSpec('changed'), fakeSpec('gone')]);
    await pool.ready();
    pool.reconcile([fakeSpec('new'), fakeSpec('changed', { fingerprint: '2' }), fakeSpec('kept')]);
    await pool.ready();
    assert.deepEqual(opened.sort(), ['changed', 'changed', 'gone', 'kept', 'new']);
    assert.deepEqual(states(pool), ['new ready', 'changed ready', 'kept ready']);
    assert.equal(clients.get('gone 1')?.isClosed, true);
    assert.equal(clients.get('changed 1')?.isClosed, true);
    assert.equal(clients.get('kept 1')?.isClosed, false);
  });

  it('stops a server that is disabled and starts it when it is enabled', async () => {
    const pool = new ServerPool({ open: fakeOpen({ a: () => new FakeClient() }) });
    pool.reconcile([fakeSpec('a')]);
    await pool.ready();
    pool.reconcile([fakeSpec('a', { disabled: true })]);
    assert.deepEqual(states(pool), ['a stopped']);
    pool.restart('usrlocal/a');
    assert.deepEqual(states(pool), ['a stopped']);
    pool.reconcile([fakeSpec('a')]);
    await pool.ready();
    assert.deepEqual(states(pool), ['a ready']);
  });

  it('closes every session and waits for that', async () => {
    const client = new FakeClient();
    const pool = new ServerPool({ open: fakeOpen({ a: () => client }) });
    pool.reconcile([fakeSpec('a')]);
    await pool.ready();
    await pool.close();
    assert.equal(client.isClosed, true);
    assert.deepEqual(states(pool), ['a stopped']);
    pool.reconcile([fakeSpec('b')]);
    pool.restart('usrlocal/a');
    assert.deepEqual(states(pool), ['a stopped']);
  });

  it('tells the warnings of a session with the name of its server', async () => {
    const client = new FakeClient();
    const pool = new ServerPool({ open: fakeOpen({ a: () => client }) });
    pool.reconcile([fakeSpec('a')]);
    await pool.ready();
    const warnings: unknown[] = [];
    pool.onDidWarn((warning) => warnings.push(warning));
    client.warn('a cursor was repeated');
    assert.deepEqual(warnings, [{ server: 'a', text: 'a cursor was repeated' }]);
  });
});
