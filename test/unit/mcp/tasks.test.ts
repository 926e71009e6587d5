import assert from 'node:assert/strict';
import { RpcError, TransportError } from '../../../src/mcp/errors.ts';
import { callAsTask, wantsTask } from '../../../src/mcp/tasks.ts';
import { settle } from '../../support/connected.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const taking = { tasks: { requests: { tools: { call: {} } } } };

/** Follows a task whose states are `states`, one for each time that it is asked after. */
function follow(states: readonly (Record<string, unknown> | Error)[], result: () => unknown = () => ({ content: [] })) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const asked: [string, unknown][] = [];
  const told: string[] = [];
  const left = [...states];
  const request = async (method: string, params: Record<string, unknown>): Promise<unknown> => {
    asked.push([method, params]);
    if (method === 'tasks/result') return result();
    if (method === 'tasks/cancel') return {};
    const state = left.shift();
    if (state instanceof Error) throw state;
    const task = { taskId: 't1', ...state };
    return method === 'tools/call' ? { task } : task;
  };
  const call = { server: 's', clock, signal: stop.signal, request, onStatus: (text: string) => void told.push(text) };
  const running = callAsTask({ name: 'work', arguments: {} }, call, {});
  running.catch(() => undefined);
  /** Lets the wait before the next question pass; gives its length. */
  const pass = async (): Promise<number | undefined> => {
    await settle();
    const { next } = clock;
    clock.pass(next ?? 0);
    await settle();
    return next;
  };
  const methods = (): string[] => asked.map(([method]) => method);
  return { running, pass, asked, told, stop, methods };
}

describe('a call as a task', () => {
  it('is wanted where the server takes such calls and the tool allows or wants it', () => {
    assert.equal(wantsTask(taking, { taskSupport: 'required' }), true);
    assert.equal(wantsTask(taking, { taskSupport: 'optional' }), true);
    assert.equal(wantsTask(taking, { taskSupport: 'forbidden' }), false);
    assert.equal(wantsTask(taking, undefined), false);
    for (const capabilities of [{}, { tasks: {} }, { tasks: { requests: { tools: {} } } }]) {
      assert.equal(wantsTask(capabilities, { taskSupport: 'required' }), false);
    }
  });

  it('is asked after as often as the server wants, until it is over, and then for its result', async () => {
    const task = follow([
      { status: 'working', statusMessage: 'one', pollInterval: 3000 },
      { status: 'working', statusMessage: 'one', pollInterval: 500 },
      { status: 'working', statusMessage: 'two' },
      { status: 'completed' },
    ]);
    assert.deepEqual([await task.pass(), await task.pass(), await task.pass()], [3000, 500, 1000]);
    assert.deepEqual(await task.running, { content: [] });
    assert.deepEqual(task.methods(), ['tools/call', 'tasks/get', 'tasks/get', 'tasks/get', 'tasks/result']);
    assert.deepEqual(task.told, ['one', 'two']);
    assert.deepEqual(Object.keys(Object(task.asked[0]?.[1])), ['name', 'arguments', 'task']);
  });

  it('that needs something of the person is asked for its result at once, with which the question comes', async () => {
    const task = follow([{ status: 'input_required' }]);
    assert.deepEqual(await task.running, { content: [] });
    assert.deepEqual(task.methods(), ['tools/call', 'tasks/result']);
  });

  it('that was answered at once needs no following', async () => {
    const call = {
      server: 's',
      clock: new FakeClock(),
      request: async () => ({ content: [{ type: 'text', text: 'now' }] }),
    };
    assert.deepEqual(await callAsTask({ name: 'x' }, call, {}), { content: [{ type: 'text', text: 'now' }] });
  });

  it('that failed fails with its own error', async () => {
    const task = follow([{ status: 'failed' }], () => {
      throw new RpcError(-32603, 'it broke');
    });
    await assert.rejects(task.running, /it broke/);
  });

  it('that the server cancelled is an error that says so', async () => {
    await assert.rejects(follow([{ status: 'cancelled', statusMessage: 'too busy' }]).running, /cancelled.*too busy/);
  });

  it('survives questions that are lost on the way, but not for ever', async () => {
    const lost = new TransportError('timeout', 's: no answer');
    const patient = follow([{ status: 'working' }, lost, lost, { status: 'completed' }]);
    for (let round = 0; round < 3; round++) await patient.pass();
    assert.deepEqual(await patient.running, { content: [] });
    const hopeless = follow([{ status: 'working' }, lost, lost, lost, lost, lost]);
    for (let round = 0; round < 5; round++) await hopeless.pass();
    await assert.rejects(hopeless.running, { code: 'timeout' });
  });

  it('that is given up is cancelled on the server', async () => {
    const task = follow([{ status: 'working' }]);
    await settle();
    task.stop.abort();
    await assert.rejects(task.running, { code: 'cancelled', mayHaveRun: true });
    assert.deepEqual(task.asked.at(-1), ['tasks/cancel', { taskId: 't1' }]);
  });
});
