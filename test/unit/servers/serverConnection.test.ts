import assert from 'node:assert/strict';
import { RpcError, TransportError } from '../../../src/mcp/errors.ts';
import type { Tool } from '../../../src/mcp/schema.ts';
import { ServerConnection, type ServerConnectionOptions } from '../../../src/servers/serverConnection.ts';
import { errorOf } from '../../../src/servers/serverState.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClient, listedTool, textResult } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeSpec, until } from '../../support/fakeServers.ts';

const noSignal = new AbortController().signal;

/** A connection whose sessions are made by `make`, one an attempt; an Error is a failed attempt. */
function connectionTo(make: (attempt: number) => FakeClient | Error | Promise<FakeClient>): {
  connection: ServerConnection;
  clock: FakeClock;
  attempts: () => number;
} {
  const clock = new FakeClock();
  let attempts = 0;
  const open: ServerConnectionOptions['open'] = async () => {
    const made = await make(++attempts);
    if (made instanceof Error) throw made;
    return made;
  };
  const connection = new ServerConnection(fakeSpec('users'), { open, clock, random: () => 0.5 });
  return { connection, clock, attempts: () => attempts };
}

const reaches = (connection: ServerConnection, kind: string): Promise<void> =>
  until(connection.onDidChange, () => connection.state.kind === kind);

const names = (connection: ServerConnection): string[] => connection.tools.map(({ name }) => name);

describe('a server connection', () => {
  it('is ready only after the tools are listed', async () => {
    const client = new FakeClient();
    const list = deferred<Tool[]>();
    client.list = () => list.promise;
    const { connection } = connectionTo(() => client);
    const states: string[] = [];
    connection.onDidChange(() => states.push(connection.state.kind));
    connection.start();
    await new Promise(setImmediate);
    assert.equal(connection.state.kind, 'connecting');
    list.resolve([listedTool('a')]);
    await connection.settled();
    assert.deepEqual(states, ['connecting', 'ready']);
    assert.deepEqual(names(connection), ['a']);
  });

  it('takes a server that does not know tools/list for one without tools', async () => {
    const client = new FakeClient();
    client.list = async () => {
      throw new RpcError(-32601, 'Method not found');
    };
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    assert.equal(connection.state.kind, 'ready');
    assert.deepEqual(names(connection), []);
  });

  it('fails when the tools cannot be listed, and closes the session', async () => {
    const client = new FakeClient();
    client.list = async () => {
      throw new TransportError('timeout', 'tools/list was not answered within 60 s');
    };
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    assert.match(errorOf(connection.state)?.message ?? '', /tools\/list was not answered/);
    assert.equal(client.isClosed, true);
  });

  it('opens a new session with a new list when the stream breaks', async () => {
    const sessions = [new FakeClient({ old: () => textResult('') }), new FakeClient({ new: () => textResult('') })];
    const { connection, clock, attempts } = connectionTo((attempt) => sessions[attempt - 1] ?? new Error('no more'));
    connection.start();
    await connection.settled();
    clock.pass(60_000);
    sessions[0]?.break();
    assert.equal(connection.state.kind, 'failed');
    assert.equal(clock.waiting, 1);
    clock.pass(clock.next ?? 0);
    await reaches(connection, 'ready');
    assert.equal(attempts(), 2);
    assert.deepEqual(names(connection), ['new']);
  });

  it('schedules one attempt however often one session reports its end', async () => {
    const { connection, clock, attempts } = connectionTo(() => new FakeClient());
    connection.start();
    await connection.settled();
    for (let time = 1; time <= 3; time++) {
      const { state } = connection;
      assert.ok(state.kind === 'ready' && state.client instanceof FakeClient);
      state.client.break('end');
      state.client.break('error');
      assert.equal(clock.waiting, 1);
      clock.pass(clock.next ?? 0);
      await reaches(connection, 'ready');
      assert.equal(attempts(), time + 1);
    }
    assert.equal(clock.waiting, 0);
  });

  it('waits longer from failure to failure, up to thirty seconds, and never gives up', async () => {
    const { connection, clock } = connectionTo(() => new TransportError('unreachable', 'refused'));
    const waits: number[] = [];
    connection.start();
    for (let time = 0; time < 9; time++) {
      await reaches(connection, 'failed');
      waits.push(clock.next ?? -1);
      clock.pass(clock.next ?? 0);
    }
    assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000]);
  });

  it('does not begin the backoff anew for a session that breaks at once', async () => {
    const { connection, clock } = connectionTo(() => new FakeClient());
    const waits: number[] = [];
    connection.start();
    for (let time = 0; time < 4; time++) {
      await reaches(connection, 'ready');
      assert.ok(connection.state.kind === 'ready' && connection.state.client instanceof FakeClient);
      connection.state.client.break();
      waits.push(clock.next ?? -1);
      clock.pass(clock.next ?? 0);
    }
    assert.deepEqual(waits, [500, 1000, 2000, 4000]);
  });

  it('keeps the error in sight while it tries again, until it is ready', async () => {
    const second = deferred<FakeClient>();
    const { connection, clock } = connectionTo((attempt) =>
      attempt === 1 ? new TransportError('http-status', 'HTTP 503: down', { status: 503 }) : second.promise,
    );
    connection.start();
    await connection.settled();
    clock.pass(clock.next ?? 0);
    assert.equal(connection.state.kind, 'connecting');
    assert.equal(errorOf(connection.state)?.message, 'HTTP 503: down');
    second.resolve(new FakeClient());
    await reaches(connection, 'ready');
    assert.equal(errorOf(connection.state), undefined);
  });

  it('makes one attempt at once when a call needs it, and none by the timer beside it', async () => {
    const { connection, clock, attempts } = connectionTo((attempt) =>
      attempt === 1 ? new TransportError('unreachable', 'refused') : new FakeClient(),
    );
    connection.start();
    await connection.settled();
    const clients = await Promise.all([connection.ensureReady(noSignal), connection.ensureReady(noSignal)]);
    assert.equal(clients[0], clients[1]);
    assert.equal(clock.waiting, 0);
    clock.pass(120_000);
    assert.equal(attempts(), 2);
  });

  it('gives a call the error of that attempt', async () => {
    const { connection } = connectionTo((attempt) => new TransportError('unreachable', `refused ${attempt}`));
    connection.start();
    await connection.settled();
    await assert.rejects(connection.ensureReady(noSignal), /refused 2/);
  });

  it('lets a waiting call go when it is cancelled', async () => {
    const { connection } = connectionTo(() => new Promise<FakeClient>(() => {}));
    connection.start();
    const controller = new AbortController();
    const call = connection.ensureReady(controller.signal);
    controller.abort();
    await assert.rejects(call, { code: 'cancelled', mayHaveRun: false });
  });

  it('has a waiting call end when it is stopped', async () => {
    const { connection } = connectionTo(() => new Promise<FakeClient>(() => {}));
    connection.start();
    const call = connection.ensureReady(noSignal);
    const rejected = assert.rejects(call, { code: 'closed' });
    void connection.close();
    await rejected;
  });

  it('tries a refused sign-in, a bad certificate and a missing command only now and then', async () => {
    for (const code of ['unauthorized', 'forbidden', 'certificate', 'process'] as const) {
      const { connection, clock } = connectionTo(() => new TransportError(code, code));
      connection.start();
      await connection.settled();
      assert.ok((clock.next ?? 0) >= 30_000, code);
      await connection.close();
    }
  });

  it('does not start a process again and again that ends at its start', async () => {
    const clock = new FakeClock();
    const resolve = async () => ({ kind: 'stdio', name: 'users', command: 'node' }) as const;
    const open = async (): Promise<never> => {
      throw new TransportError('closed', 'users: the process ended with code 1');
    };
    const connection = new ServerConnection(fakeSpec('users', { resolve }), { open, clock });
    connection.start();
    await connection.settled();
    assert.ok((clock.next ?? 0) >= 30_000);
  });

  it('is not harmed by a listener that fails', async () => {
    const { connection } = connectionTo(() => new FakeClient());
    const warning = new Promise<string>((resolve) => connection.onDidWarn(resolve));
    connection.onDidChange(() => {
      throw new Error('a view is gone');
    });
    connection.start();
    await connection.settled();
    assert.equal(connection.state.kind, 'ready');
    assert.match(await warning, /a listener failed. a view is gone/);
  });

  it('waits for the person where something has to be filled in, and tries again when it is restarted', async () => {
    const clock = new FakeClock();
    let isFilledIn = false;
    const spec = fakeSpec('users', {
      resolve: async () => {
        if (!isFilledIn) throw new Error('The input "token" has no value.');
        return { kind: 'sse', name: 'users', url: 'http://127.0.0.1/' };
      },
    });
    const connection = new ServerConnection(spec, { open: async () => new FakeClient(), clock });
    connection.start();
    await connection.settled();
    assert.equal(clock.waiting, 0);
    assert.deepEqual(connection.state.kind === 'failed' && connection.state.retryAt, undefined);
    isFilledIn = true;
    connection.restart();
    await reaches(connection, 'ready');
  });

  it('does not come sooner than a Retry-After asks', async () => {
    const { connection, clock } = connectionTo(
      () => new TransportError('http-status', 'HTTP 429', { status: 429, retryAfterMs: 45_000 }),
    );
    connection.start();
    await connection.settled();
    assert.equal(clock.next, 45_000);
  });

  it('closes a session that comes after it was stopped', async () => {
    const late = deferred<FakeClient>();
    const opened = deferred();
    const { connection } = connectionTo(() => {
      opened.resolve();
      return late.promise;
    });
    connection.start();
    await opened.promise;
    const closed = connection.close();
    const client = new FakeClient();
    late.resolve(client);
    await closed;
    assert.equal(client.isClosed, true);
    assert.equal(connection.state.kind, 'stopped');
  });

  it('does not call a session ready that ended while its tools were listed', async () => {
    const client = new FakeClient();
    client.list = async () => {
      client.break('gone while listing');
      return [listedTool('a')];
    };
    const { connection, clock } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    assert.equal(errorOf(connection.state)?.message, 'gone while listing');
    assert.equal(clock.waiting, 1);
  });

  it('keeps the newer of two listings whatever arrives last', async () => {
    const client = new FakeClient({ first: () => textResult('') });
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    const slow = deferred<Tool[]>();
    client.list = () => slow.promise;
    client.changeTools();
    client.list = async () => [listedTool('newer')];
    client.changeTools();
    await reaches(connection, 'ready');
    await until(connection.onDidChange, () => names(connection)[0] === 'newer');
    slow.resolve([listedTool('older')]);
    await new Promise(setImmediate);
    assert.deepEqual(names(connection), ['newer']);
  });

  it('keeps its tools when they cannot be listed again, and says so', async () => {
    const client = new FakeClient({ a: () => textResult('') });
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    client.list = async () => {
      throw new RpcError(-32603, 'database locked');
    };
    const warning = new Promise<string>((resolve) => connection.onDidWarn(resolve));
    client.changeTools();
    assert.match(await warning, /users.*database locked/);
    assert.deepEqual(names(connection), ['a']);
    assert.equal(connection.state.kind, 'ready');
  });

  it('leaves a session alone that refused a call', async () => {
    const client = new FakeClient();
    const { connection, attempts } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    const refused = connection.use(noSignal, async () => {
      throw new RpcError(-32602, 'bad arguments');
    });
    await assert.rejects(refused, RpcError);
    assert.deepEqual(client.requests, []);
    assert.equal(attempts(), 1);
  });

  it('asks for a sign of life after a call that timed out, and connects anew when there is none', async () => {
    const client = new FakeClient();
    client.answer = async () => {
      throw new TransportError('timeout', 'ping was not answered within 10 s');
    };
    const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new FakeClient()));
    connection.start();
    await connection.settled();
    const timedOut = connection.use(noSignal, async () => {
      throw new TransportError('timeout', 'tools/call was not answered', { mayHaveRun: true });
    });
    await assert.rejects(timedOut, { code: 'timeout' });
    await reaches(connection, 'failed');
    assert.deepEqual(client.requests, ['ping']);
    assert.equal(client.isClosed, true);
  });

  for (const isAlive of [false, true]) {
    it(`asks for a sign of life after a call that the server failed at, and ${isAlive ? 'leaves it at that' : 'connects anew when there is none'}`, async () => {
      const client = new FakeClient();
      const failed = (): Promise<never> => Promise.reject(new TransportError('http-status', 'boom', { status: 500 }));
      client.answer = isAlive ? async () => ({}) : failed;
      const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new FakeClient()));
      connection.start();
      await connection.settled();
      await assert.rejects(connection.use(noSignal, failed), { status: 500 });
      if (!isAlive) await reaches(connection, 'failed');
      await new Promise(setImmediate);
      assert.deepEqual(client.requests, ['ping']);
      assert.equal(client.isClosed, !isAlive);
    });
  }

  it('takes any answer to a ping for a sign of life, also a refusal', async () => {
    const client = new FakeClient();
    const asked = deferred();
    client.answer = async () => {
      asked.resolve();
      throw new RpcError(-32601, 'no ping here');
    };
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    connection.wake();
    await asked.promise;
    await new Promise(setImmediate);
    assert.equal(connection.state.kind, 'ready');
  });

  it('does not end a session with other calls in flight over one that timed out', async () => {
    const client = new FakeClient();
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    const other = deferred<string>();
    const slow = connection.use(noSignal, () => other.promise);
    const timedOut = connection.use(noSignal, async () => {
      throw new TransportError('timeout', 'no answer', { mayHaveRun: true });
    });
    await assert.rejects(timedOut);
    assert.deepEqual(client.requests, []);
    other.resolve('done');
    assert.equal(await slow, 'done');
  });

  it('asks for a sign of life when no call is answered any more, however many are in flight', async () => {
    const client = new FakeClient();
    client.answer = async () => {
      throw new TransportError('timeout', 'ping was not answered');
    };
    const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new FakeClient()));
    connection.start();
    await connection.settled();
    const running = connection.use(noSignal, () => new Promise(() => {}));
    const failed = reaches(connection, 'failed');
    for (let call = 1; call <= 3; call++) {
      const timedOut = connection.use(noSignal, async () => {
        throw new TransportError('timeout', 'no answer', { mayHaveRun: true });
      });
      await assert.rejects(timedOut);
    }
    await failed;
    assert.deepEqual(client.requests, ['ping']);
    void running;
  });

  it('takes an answer to a call that comes meanwhile for a sign of life', async () => {
    const client = new FakeClient();
    const ping = deferred<unknown>();
    client.answer = () => ping.promise;
    const { connection } = connectionTo(() => client);
    connection.start();
    await connection.settled();
    connection.wake();
    await connection.use(noSignal, async () => 'done');
    ping.reject(new TransportError('timeout', 'ping was not answered'));
    await new Promise(setImmediate);
    assert.equal(connection.state.kind, 'ready');
  });

  it('finds out that a session is lost when its address is unknown, and says that the call did not run', async () => {
    const refusal = new TransportError('http-status', 'HTTP 404: no such session', { status: 404 });
    const client = new FakeClient();
    client.answer = async () => {
      throw refusal;
    };
    const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new FakeClient()));
    connection.start();
    await connection.settled();
    const refused = connection.use(noSignal, async () => {
      throw refusal;
    });
    await assert.rejects(refused, { code: 'session-lost', mayHaveRun: false });
    assert.equal(connection.state.kind, 'failed');
    assert.equal(client.isClosed, true);
  });

  it('leaves a session alone that refuses one call with 404 and knows itself', async () => {
    const { connection } = connectionTo(() => new FakeClient());
    connection.start();
    await connection.settled();
    const refusal = new TransportError('http-status', 'HTTP 404: no such tool', { status: 404 });
    const refused = connection.use(noSignal, async () => {
      throw refusal;
    });
    await assert.rejects(refused, refusal);
    assert.equal(connection.state.kind, 'ready');
  });

  it('looks into a listing that is not answered', async () => {
    const client = new FakeClient();
    const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new FakeClient()));
    connection.start();
    await connection.settled();
    const silent = async (): Promise<never> => {
      throw new TransportError('timeout', 'no answer');
    };
    client.list = silent;
    client.answer = silent;
    const failed = reaches(connection, 'failed');
    client.changeTools();
    await failed;
    assert.equal(client.isClosed, true);
  });

  it('tries at once when the machine wakes up', async () => {
    const { connection, clock } = connectionTo((attempt) =>
      attempt === 1 ? new TransportError('unreachable', 'refused') : new FakeClient(),
    );
    connection.start();
    await connection.settled();
    connection.wake();
    await reaches(connection, 'ready');
    assert.equal(clock.waiting, 0);
  });

  it('offers the tools that it had while it is down, and none when it is stopped', async () => {
    const client = new FakeClient({ a: () => textResult('') });
    const { connection } = connectionTo((attempt) => (attempt === 1 ? client : new Error('down')));
    connection.start();
    await connection.settled();
    client.break();
    assert.deepEqual(names(connection), ['a']);
    await connection.close();
    assert.deepEqual(names(connection), []);
  });

  it('ends the old session before it opens one for changed settings', async () => {
    const order: string[] = [];
    const first = new FakeClient();
    const closing = deferred();
    first.close = async () => {
      order.push('closing');
      await closing.promise;
      order.push('closed');
    };
    const { connection } = connectionTo((attempt) => {
      order.push(`open ${attempt}`);
      return attempt === 1 ? first : new FakeClient();
    });
    connection.start();
    await connection.settled();
    connection.update(fakeSpec('users', { fingerprint: '2' }));
    await new Promise(setImmediate);
    closing.resolve();
    await reaches(connection, 'ready');
    assert.deepEqual(order, ['open 1', 'closing', 'closed', 'open 2']);
  });

  it('stays connected when only names or filters change', async () => {
    const { connection, attempts } = connectionTo(() => new FakeClient());
    connection.start();
    await connection.settled();
    connection.update(fakeSpec('users', { prefix: 'other', allows: () => false }));
    assert.equal(connection.state.kind, 'ready');
    assert.equal(attempts(), 1);
    assert.equal(connection.spec.prefix, 'other');
  });
});
