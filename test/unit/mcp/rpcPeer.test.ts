import assert from 'node:assert/strict';
import { RpcError, ProtocolError, TransportError } from '../../../src/mcp/errors.ts';
import { requestIds } from '../../../src/mcp/requestIds.ts';
import { RpcPeer, type PeerOptions } from '../../../src/mcp/rpcPeer.ts';
import type { RequestAnswer } from '../../../src/mcp/inboundRequests.ts';
import type { Progress } from '../../../src/mcp/schema.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { MemoryTransport } from '../../support/memoryTransport.ts';

interface Bench {
  readonly transport: MemoryTransport;
  readonly peer: RpcPeer;
  readonly clock: FakeClock;
  readonly notes: string[];
  readonly notifications: string[];
  readonly closed: Error[];
}

let benches = 0;

async function bench(
  options: Partial<PeerOptions> & { handlers?: Record<string, RequestAnswer> } = {},
): Promise<Bench> {
  const transport = new MemoryTransport();
  const clock = new FakeClock();
  const notes: string[] = [];
  const notifications: string[] = [];
  const closed: Error[] = [];
  const peer = new RpcPeer(transport, {
    server: 'users',
    note: (level, text) => notes.push(`${level}: ${text}`),
    ids: requestIds(`bench ${++benches}`),
    timeoutMs: 60_000,
    clock,
    answers: new Map(Object.entries(options.handlers ?? {})),
    onNotification: (method) => notifications.push(method),
    onClose: (error) => closed.push(error),
    ...options,
  });
  await peer.start();
  return { transport, peer, clock, notes, notifications, closed };
}

/** Lets what waits on settled promises run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isTransportError(code: string, mayHaveRun: boolean, text: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof TransportError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.mayHaveRun, mayHaveRun);
    assert.match(error.message, text);
    return true;
  };
}

describe('RpcPeer: requests and answers', () => {
  it('numbers requests from 1 and writes jsonrpc, id, method, params in this order', async () => {
    const { transport, peer } = await bench();
    void peer.request('tools/call', { name: 'x', arguments: { id: 3 } });
    void peer.request('ping', undefined);
    const [first, second] = transport.sent.map((message) => JSON.stringify(message));
    assert.equal(first, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"id":3}}}');
    assert.equal(second, '{"jsonrpc":"2.0","id":2,"method":"ping"}');
  });

  it('refuses at once what is no JSON, and goes on', async () => {
    const { peer, transport } = await bench();
    const send = transport.send.bind(transport);
    transport.send = (message) => send(JSON.parse(JSON.stringify(message)));
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    await assert.rejects(peer.request('tools/call', ring), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.match(error.message, /^users: tools\/call cannot be sent: .*circular/);
      return true;
    });
    const answer = peer.request('tools/call', { name: 'getUsers' });
    transport.deliver({ jsonrpc: '2.0', id: 2, result: {} });
    assert.deepEqual(await answer, {});
  });

  it('matches answers by id, whatever their order', async () => {
    const { transport, peer } = await bench();
    const first = peer.request('a', {});
    const second = peer.request('b', {});
    transport.deliver({ jsonrpc: '2.0', id: 2, result: 'two' });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'one' });
    assert.deepEqual(await Promise.all([first, second]), ['one', 'two']);
  });

  it('takes "1" and 1.0 for 1, tells of the quirk once, and does not take "01"', async () => {
    const { transport, peer, notes } = await bench();
    const first = peer.request('a', {});
    transport.deliver(JSON.parse('{"jsonrpc":"2.0","id":"1","result":"one"}'));
    assert.equal(await first, 'one');
    const second = peer.request('b', {});
    transport.deliver(JSON.parse('{"jsonrpc":"2.0","id":"02","result":"wrong"}'));
    transport.deliver(JSON.parse('{"jsonrpc":"2.0","id":"2","result":"two"}'));
    assert.equal(await second, 'two');
    const id = transport.last['id'];
    const third = peer.request('c', {});
    assert.notEqual(transport.last['id'], id);
    transport.deliver(JSON.parse(`{"jsonrpc":"2.0","id":${String(transport.last['id'])}.0,"result":"three"}`));
    assert.equal(await third, 'three');
    assert.equal(notes.filter((note) => note.includes('as strings')).length, 1);
  });

  it('takes a message with a method for a request even when its id is one of ours', async () => {
    const { transport, peer } = await bench();
    const call = peer.request('tools/call', {});
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' });
    transport.deliver({ jsonrpc: '2.0', id: 1, method: '', result: 'no' });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'own' });
    assert.equal(await call, 'own');
    assert.deepEqual(transport.sent.slice(1), [
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: ' } },
    ]);
  });

  it('reads the elements of an array one by one and survives an empty one', async () => {
    const { transport, peer, notifications } = await bench();
    const call = peer.request('a', {});
    transport.deliver([]);
    transport.deliver([
      { jsonrpc: '2.0', method: 'notifications/message' },
      { jsonrpc: '2.0', id: 1, result: 1 },
    ]);
    assert.equal(await call, 1);
    assert.deepEqual(notifications, ['notifications/message']);
  });

  it('drops JSON that is no JSON-RPC with a debug note and nothing more', async () => {
    const { transport, peer, notes } = await bench();
    const call = peer.request('a', {});
    for (const noise of [{ type: 'heartbeat' }, {}, null, 'ping', 7, { id: 1, type: 'heartbeat' }])
      transport.deliver(noise);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'ok' });
    assert.equal(await call, 'ok');
    assert.equal(notes.length, 6);
    assert.ok(notes.every((note) => note.startsWith('debug: ')));
  });

  it('rejects with the refusal of the transport, for this request alone', async () => {
    const { transport, peer } = await bench();
    const refused = new TransportError('http-status', 'users: a was answered with HTTP 400', { status: 400 });
    transport.accept = (message) =>
      'method' in message && message.method === 'a' ? Promise.reject(refused) : Promise.resolve();
    const first = peer.request('a', {});
    const second = peer.request('b', {});
    await assert.rejects(first, refused);
    transport.deliver({ jsonrpc: '2.0', id: 2, result: 'ok' });
    assert.equal(await second, 'ok');
  });

  it('survives a listener that throws', async () => {
    const { transport, peer, notes } = await bench({
      onNotification: () => {
        throw new Error('listener');
      },
    });
    const call = peer.request('a', {});
    transport.deliver({ jsonrpc: '2.0', method: 'x' });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'ok' });
    assert.equal(await call, 'ok');
    assert.ok(notes.some((note) => note.includes('listener')));
  });
});

describe('RpcPeer: malformed answers always settle the request', () => {
  const cases: [name: string, members: object, code: number, text: RegExp][] = [
    ['without data', { error: { code: -32602, message: 'bad' } }, -32602, /^bad$/],
    ['without a message', { error: { code: -5 } }, -5, /-5/],
    ['with an empty message', { error: { code: -5, message: '' } }, -5, /without a message/],
    ['with the code as text', { error: { code: '-32001', message: 'odd' } }, -32001, /^odd$/],
    ['with a code that is no number', { error: { code: 'E_BAD', message: 'odd' } }, -32603, /^odd$/],
    ['that is a bare string', { error: 'broken' }, -32603, /^broken$/],
    ['that is a number', { error: 7 }, -32603, /7/],
    ['beside a result', { error: { code: -1, message: 'both' }, result: {} }, -1, /^both$/],
  ];
  for (const [name, members, code, text] of cases) {
    it(`an error ${name}`, async () => {
      const { transport, peer } = await bench();
      const call = peer.request('a', {});
      transport.deliver({ jsonrpc: '2.0', id: 1, ...members });
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof RpcError);
        assert.equal(error.code, code);
        assert.match(error.message, text);
        return true;
      });
    });
  }

  it('error null beside a result is a success', async () => {
    const { transport, peer } = await bench();
    const call = peer.request('a', {});
    transport.deliver({ jsonrpc: '2.0', id: 1, error: null, result: { ok: true } });
    assert.deepEqual(await call, { ok: true });
  });

  it('a null result is a result', async () => {
    const { transport, peer } = await bench();
    const call = peer.request('a', {});
    transport.deliver({ jsonrpc: '2.0', id: 1, result: null });
    assert.equal(await call, null);
  });

  for (const members of [{}, { error: null }]) {
    it(`neither result nor error (${JSON.stringify(members)})`, async () => {
      const { transport, peer } = await bench();
      const call = peer.request('a', {});
      transport.deliver({ jsonrpc: '2.0', id: 1, ...members });
      await assert.rejects(
        call,
        (error) => error instanceof ProtocolError && error.message.includes('users: the answer to a'),
      );
    });
  }

  it('keeps the data of an error', async () => {
    const { transport, peer } = await bench();
    const call = peer.request('a', {});
    transport.deliver({ jsonrpc: '2.0', id: 1, error: { code: -32042, message: 'open this', data: { url: 'x' } } });
    await assert.rejects(call, (error) => error instanceof RpcError && JSON.stringify(error.data) === '{"url":"x"}');
  });
});

describe('RpcPeer: requests of the server', () => {
  it('answers ping and refuses what nobody answers, at once', async () => {
    const { transport } = await bench();
    transport.deliver({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    transport.deliver({ jsonrpc: '2.0', id: 0, method: 'foo/bar', params: {} });
    transport.deliver({ jsonrpc: '2.0', id: 5, method: 7 });
    assert.deepEqual(transport.sent, [
      { jsonrpc: '2.0', id: 'p', result: {} },
      { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found: foo/bar' } },
      { jsonrpc: '2.0', id: 5, error: { code: -32600, message: 'the method is not a string' } },
    ]);
  });

  it('answers with what the handler gives, or with its error', async () => {
    const { transport } = await bench({
      handlers: {
        'roots/list': (params) => Promise.resolve({ roots: [], params }),
        nothing: () => Promise.resolve(undefined),
        declined: () => Promise.reject(new RpcError(-1, 'User rejected', { why: 'no' })),
        broken: () => Promise.reject(new Error('boom')),
        thrown: () => {
          throw new Error('at once');
        },
      },
    });
    for (const [id, method] of ['roots/list', 'nothing', 'declined', 'broken', 'thrown'].entries()) {
      transport.deliver({ jsonrpc: '2.0', id, method, params: { id } });
    }
    await settle();
    const byId = new Map(transport.sent.map((message) => ['id' in message ? message.id : undefined, message]));
    assert.deepEqual(byId.get(0), { jsonrpc: '2.0', id: 0, result: { roots: [], params: { id: 0 } } });
    assert.deepEqual(byId.get(1), { jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(byId.get(2), {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -1, message: 'User rejected', data: { why: 'no' } },
    });
    assert.deepEqual(byId.get(3), { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'boom' } });
    assert.deepEqual(byId.get(4), { jsonrpc: '2.0', id: 4, error: { code: -32603, message: 'at once' } });
  });

  it('aborts a handler when the server cancels its request, by the id of that direction, and sends no answer', async () => {
    const aborted: unknown[] = [];
    const { transport, peer } = await bench({
      handlers: {
        slow: (_params, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted.push(signal.reason);
              resolve({});
            });
          }),
      },
    });
    const own = peer.request('tools/call', {});
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'slow' });
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1' } });
    assert.equal(aborted.length, 0);
    transport.deliver({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    });
    await settle();
    assert.equal(aborted.length, 1);
    assert.deepEqual(transport.methods, ['tools/call']);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'still mine' });
    assert.equal(await own, 'still mine');
  });

  it('aborts all handlers when the connection ends', async () => {
    const aborted = deferred();
    const { transport } = await bench({
      handlers: {
        slow: (_params, signal) =>
          new Promise(() => {
            signal.addEventListener('abort', () => aborted.resolve());
          }),
      },
    });
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'slow' });
    transport.listener.onClose(new Error('gone'));
    await aborted.promise;
  });
});

describe('RpcPeer: time limits and cancellation', () => {
  it('rejects after the limit, naming server, method and seconds, and tells the server', async () => {
    const { transport, peer, clock } = await bench();
    const call = peer.request('tools/call', {}, { timeoutMs: 2500 });
    clock.pass(2499);
    await settle();
    assert.deepEqual(transport.methods, ['tools/call']);
    clock.pass(1);
    await assert.rejects(
      call,
      isTransportError('timeout', true, /^users: tools\/call was not answered within 2\.5 s$/),
    );
    assert.deepEqual(transport.sent[1], {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'timeout' },
    });
    assert.deepEqual(transport.abandoned, [1]);
  });

  it('has a default limit of its own for every request', async () => {
    const { peer, clock } = await bench();
    const call = peer.request('tools/list', {});
    clock.pass(60_000);
    await assert.rejects(call, isTransportError('timeout', true, /tools\/list was not answered within 60 s/));
  });

  it('never cancels initialize by notice', async () => {
    const { transport, peer, clock } = await bench();
    const call = peer.request('initialize', {});
    clock.pass(60_000);
    await assert.rejects(call, isTransportError('timeout', true, /initialize was not answered/));
    assert.deepEqual(transport.methods, ['initialize']);
  });

  it('is silent about cancellation where closing the stream is the cancellation', async () => {
    const { transport, peer, clock } = await bench({ cancelByNotice: false });
    const call = peer.request('tools/call', {});
    clock.pass(60_000);
    await assert.rejects(call, isTransportError('timeout', true, /./));
    assert.deepEqual(transport.methods, ['tools/call']);
    assert.deepEqual(transport.abandoned, [1]);
  });

  it('runs limits of different length with one timer', async () => {
    const { peer, clock } = await bench();
    const order: string[] = [];
    for (const [name, timeoutMs] of [
      ['long', 3000],
      ['short', 1000],
      ['middle', 2000],
    ] as const) {
      peer.request(name, {}, { timeoutMs }).catch(() => order.push(name));
    }
    assert.equal(clock.waiting, 1);
    for (let second = 0; second < 3; second++) {
      clock.pass(1000);
      await settle();
      assert.ok(clock.waiting <= 1);
    }
    assert.deepEqual(order, ['short', 'middle', 'long']);
  });

  it('progress counts the limit anew and reaches the caller', async () => {
    const { transport, peer, clock } = await bench();
    const seen: Progress[] = [];
    const call = peer.request(
      'tools/call',
      { name: 'x' },
      { progressToken: true, onProgress: (progress) => seen.push(progress) },
    );
    assert.deepEqual(transport.last['params'], { name: 'x', _meta: { progressToken: 1 } });
    for (let step = 1; step <= 7; step++) {
      clock.pass(20_000);
      const params = { progressToken: 1, progress: step, total: 7, message: `step ${step}` };
      transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params });
    }
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'done' });
    assert.equal(await call, 'done');
    assert.equal(seen.length, 7);
    assert.deepEqual(seen[6], { progress: 7, total: 7, message: 'step 7' });
  });

  it('progress extends no request beyond half an hour', async () => {
    const { transport, peer, clock } = await bench();
    const call = peer.request('tools/call', {}, { progressToken: true });
    const failed = assert.rejects(call, isTransportError('timeout', true, /within 1800 s, in spite of its progress/));
    for (let half = 0; half < 60; half++) {
      const params = { progressToken: '1', progress: half };
      transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params });
      clock.pass(30_000);
    }
    await failed;
  });

  it('sends a fresh token for each call and keeps the rest of _meta', async () => {
    const { transport, peer } = await bench();
    void peer.request('a', { _meta: { trace: 't' } }, { progressToken: true });
    void peer.request('a', {}, { progressToken: true });
    const tokens = transport.sent.map((message) => ('method' in message ? JSON.stringify(message.params) : ''));
    assert.deepEqual(tokens, ['{"_meta":{"trace":"t","progressToken":1}}', '{"_meta":{"progressToken":2}}']);
  });

  it('ignores late and foreign progress and late answers, at debug level', async () => {
    const { transport, peer, notes } = await bench();
    const controller = new AbortController();
    const done = peer.request('a', {}, { progressToken: true });
    const cancelled = peer.request('b', {}, { progressToken: true, signal: controller.signal });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'ok' });
    controller.abort();
    for (const progressToken of [1, 2, 'zz', null]) {
      transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress' });
    transport.deliver({ jsonrpc: '2.0', id: 2, result: 'late' });
    assert.equal(await done, 'ok');
    await assert.rejects(cancelled, isTransportError('cancelled', true, /b was cancelled/));
    assert.ok(notes.length > 0 && notes.every((note) => note.startsWith('debug: ')), notes.join('\n'));
  });

  it('cancels by the id as it was sent, and settles as cancelled', async () => {
    const { transport, peer } = await bench();
    const controller = new AbortController();
    const call = peer.request('tools/call', {}, { signal: controller.signal });
    controller.abort(new Error('stop'));
    await assert.rejects(call, isTransportError('cancelled', true, /users: tools\/call was cancelled/));
    assert.deepEqual(transport.last['params'], { requestId: 1, reason: 'cancelled' });
    assert.equal(typeof JSON.parse(JSON.stringify(transport.last['params'])).requestId, 'number');
  });

  it('sends nothing for a signal that is aborted already', async () => {
    const { transport, peer } = await bench();
    await assert.rejects(
      peer.request('a', {}, { signal: AbortSignal.abort() }),
      isTransportError('cancelled', false, /./),
    );
    assert.deepEqual(transport.sent, []);
  });

  it('leaves no listener on the signal', async () => {
    const { transport, peer } = await bench();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    for (let id = 1; id <= 50; id++) {
      const call = peer.request('a', {}, { signal });
      transport.deliver({ jsonrpc: '2.0', id, result: id });
      await call;
    }
    assert.equal(listeners, 0);
  });

  it('lets time stand still while a person signs in', async () => {
    const { transport, peer, clock } = await bench();
    const call = peer.request('a', {});
    transport.listener.onHold?.(true);
    clock.pass(600_000);
    transport.listener.onHold?.(false);
    clock.pass(59_999);
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'ok' });
    assert.equal(await call, 'ok');
  });

  it('says in the error of a limit that the server answered with an unknown id', async () => {
    for (const id of [0, null, '01']) {
      const { transport, peer, clock } = await bench();
      const call = peer.request('tools/list', {});
      transport.deliver({ jsonrpc: '2.0', id, result: {} });
      clock.pass(60_000);
      const text = `answered with the unknown id ${JSON.stringify(id)}`;
      await assert.rejects(call, (error) => error instanceof TransportError && error.message.includes(text));
    }
  });
});

describe('RpcPeer: the end', () => {
  it('rejects all that is pending at once when the wire ends, naming server and method', async () => {
    const { transport, peer, closed } = await bench();
    const calls = [peer.request('tools/call', {}), peer.request('tools/list', {})];
    transport.listener.onClose(new TransportError('closed', 'users: the server closed its event stream'));
    await assert.rejects(
      calls[0] ?? Promise.resolve(),
      isTransportError('closed', true, /users: tools\/call was not answered and may have run: \w/),
    );
    await assert.rejects(calls[1] ?? Promise.resolve(), isTransportError('closed', true, /tools\/list/));
    assert.equal(closed.length, 1);
    await assert.rejects(peer.request('ping', {}), isTransportError('closed', false, /the connection is closed/));
    await assert.rejects(peer.notify('x'), isTransportError('closed', false, /./));
  });

  it('closing rejects what is pending and tells nobody', async () => {
    const { transport, peer, closed } = await bench();
    const call = peer.request('tools/call', {});
    const failed = assert.rejects(call, isTransportError('closed', true, /closed by this side/));
    await peer.close();
    await failed;
    assert.ok(transport.isClosed);
    assert.deepEqual(closed, []);
    assert.deepEqual(transport.methods, ['tools/call']);
  });

  it('ignores what arrives after the end', async () => {
    const { transport, peer } = await bench();
    await peer.close();
    transport.deliver({ jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.deepEqual(transport.sent, []);
  });

  it('keeps no timer after the end', async () => {
    const { peer, clock } = await bench();
    peer.request('a', {}).catch(() => undefined);
    await peer.close();
    assert.equal(clock.waiting, 0);
  });
});

describe('RpcPeer: answers that belong to somebody else', () => {
  it('adopts no answer to a request that was never made, and scatters its ids from then on', async () => {
    const { transport, peer, notes } = await bench();
    transport.deliver({ jsonrpc: '2.0', id: 3, result: 'foreign' });
    const call = peer.request('a', {});
    assert.ok(Number(transport.last['id']) > 1000, String(transport.last['id']));
    transport.deliver({ jsonrpc: '2.0', id: 1, result: 'foreign' });
    transport.deliver({ jsonrpc: '2.0', id: transport.last['id'], result: 'own' });
    assert.equal(await call, 'own');
    assert.equal(notes.filter((note) => note.startsWith('info: ')).length, 1);
  });
});
