import assert from 'node:assert/strict';
import type { Client } from '../../../src/mcp/client.ts';
import { ProtocolError, RpcError, TransportError } from '../../../src/mcp/errors.ts';
import type { ToolAnnotations } from '../../../src/mcp/schema.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import type { Tool, ToolOutcome } from '../../../src/tools/tool.ts';
import { ToolRegistry } from '../../../src/tools/toolRegistry.ts';
import { FakeClient, listedTool, textResult, type FakeCall } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeOpen, fakeSpec } from '../../support/fakeServers.ts';

/** A server with one tool whose sessions do what `runs` says, one after another; no more sessions after that. */
async function toolOf(
  runs: readonly FakeCall[],
  annotations: ToolAnnotations = {},
): Promise<{ tool: Tool; clients: FakeClient[]; attempts: () => number }> {
  const clients = runs.map((run) => {
    const client = new FakeClient({ work: run });
    client.listed = [listedTool('work', { annotations })];
    return client;
  });
  let attempts = 0;
  const open = (): Client => {
    const client = clients[attempts++];
    if (!client) throw new TransportError('unreachable', 'users: connection refused (127.0.0.1:8080)');
    return client;
  };
  const pool = new ServerPool({ open: fakeOpen({ users: open }), clock: new FakeClock() });
  const registry = new ToolRegistry(pool);
  pool.reconcile([fakeSpec('users')]);
  await pool.ready();
  const [tool] = registry.snapshot();
  assert.ok(tool);
  return { tool, clients, attempts: () => attempts };
}

const call = (tool: Tool, signal = new AbortController().signal): Promise<ToolOutcome> =>
  tool.call({}, { signal, callId: 'c1' });

const textOf = ({ parts }: ToolOutcome): string => parts.map((part) => (part.kind === 'text' ? part.text : '')).join();

const fails = (error: Error) => (): never => {
  throw error;
};
const breaks: FakeCall = () => new Promise(() => {});
const works: FakeCall = () => textResult('done');
const closed = (mayHaveRun: boolean): TransportError =>
  new TransportError('closed', 'users: the stream ended', { mayHaveRun });

describe('a call of a tool', () => {
  it('gives the model the error of a server that refuses, once and without reconnecting', async () => {
    for (const error of [new RpcError(-32602, 'Unknown field "x"'), new RpcError(-32603, 'Internal error')]) {
      const { tool, clients, attempts } = await toolOf([fails(error)]);
      const outcome = await call(tool);
      assert.deepEqual([outcome.isError, outcome.mayHaveRun], [true, undefined]);
      assert.match(textOf(outcome), new RegExp(`server "users" refused.*${error.message}.*${error.code}`));
      assert.equal(clients[0]?.calls.length, 1);
      assert.equal(attempts(), 1);
    }
  });

  it('is made once when the tool itself fails', async () => {
    const { tool, clients, attempts } = await toolOf([() => textResult('disk full', { isError: true })]);
    const outcome = await call(tool);
    assert.deepEqual([outcome.isError, textOf(outcome)], [true, 'disk full']);
    assert.equal(clients[0]?.calls.length, 1);
    assert.equal(attempts(), 1);
  });

  it('says that it may have run when the stream breaks, and is not made again', async () => {
    const { tool, clients } = await toolOf([breaks, works]);
    const running = call(tool);
    await new Promise(setImmediate);
    clients[0]?.break();
    const outcome = await running;
    assert.deepEqual([outcome.isError, outcome.mayHaveRun], [true, true]);
    assert.match(textOf(outcome), /may have run: find out before you call it again/);
    assert.equal(clients[1]?.calls.length, 0);
  });

  for (const annotations of [{ readOnlyHint: true }, { idempotentHint: true }]) {
    it(`is made once more after a break when the tool says ${Object.keys(annotations).join()}`, async () => {
      const { tool, clients } = await toolOf([fails(closed(true)), works], annotations);
      clients[0]?.break();
      assert.equal(textOf(await call(tool)), 'done');
      assert.equal(clients[1]?.calls.length, 1);
    });
  }

  it('may have run at the first attempt, whatever becomes of the second', async () => {
    const refused = new TransportError('unreachable', 'users: nothing listens there', { mayHaveRun: false });
    let runs = 0;
    const breaksThenRefuses: FakeCall = () => {
      throw ++runs === 1 ? closed(true) : refused;
    };
    const { tool } = await toolOf([breaksThenRefuses], { readOnlyHint: true });
    const text = textOf(await call(tool));
    assert.equal(runs, 2);
    assert.match(text, /may have run/);
    assert.doesNotMatch(text, /was not run/);
  });

  it('is not made a third time', async () => {
    const { tool, clients } = await toolOf([fails(closed(true)), fails(closed(true)), works], { readOnlyHint: true });
    const outcome = await call(tool);
    assert.equal(outcome.isError, true);
    assert.equal(
      clients.map(({ calls }) => calls.length).reduce((a, b) => a + b),
      2,
    );
  });

  it('is not made again when something of an answer was received', async () => {
    const progress: FakeCall = (_args, { onProgress }) => {
      onProgress?.({ progress: 1, message: 'half way' });
      throw closed(true);
    };
    const { tool, clients } = await toolOf([progress, works], { readOnlyHint: true });
    assert.match(textOf(await call(tool)), /may have run/);
    assert.equal(clients[1]?.calls.length, 0);
  });

  it('is made once more when it certainly did not run', async () => {
    let runs = 0;
    const once: FakeCall = () => {
      if (++runs === 1) throw closed(false);
      return textResult('done');
    };
    const { tool } = await toolOf([once]);
    assert.equal(textOf(await call(tool)), 'done');
    assert.equal(runs, 2);
  });

  it('is not made again after a time limit, whatever the tool says', async () => {
    const error = new TransportError('timeout', 'users: tools/call was not answered within 60 s', { mayHaveRun: true });
    const { tool, clients } = await toolOf([fails(error)], { readOnlyHint: true, idempotentHint: true });
    assert.match(textOf(await call(tool)), /tools\/call was not answered within 60 s.*may have run/);
    assert.equal(clients[0]?.calls.length, 1);
  });

  it('connects first when the server is down', async () => {
    const { tool, clients } = await toolOf([works, works]);
    clients[0]?.break();
    assert.equal(textOf(await call(tool)), 'done');
    assert.equal(clients[1]?.calls.length, 1);
  });

  it('was not run when the server cannot be reached', async () => {
    const { tool, clients } = await toolOf([works]);
    clients[0]?.break();
    const outcome = await call(tool);
    assert.equal(outcome.isError, true);
    assert.match(textOf(outcome), /work was not run, because server "users" cannot be reached now.*connection refused/);
  });

  it('is not made when the tool is gone after the reconnect', async () => {
    const { tool, clients } = await toolOf([works, works]);
    const [first, second] = clients;
    if (second) second.listed = [listedTool('other')];
    first?.break();
    assert.match(textOf(await call(tool)), /no longer offered/);
    assert.equal(second?.calls.length, 0);
  });

  it('ends as cancelled, not as a failure of the server', async () => {
    const { tool } = await toolOf([breaks]);
    const controller = new AbortController();
    const running = call(tool, controller.signal);
    await new Promise(setImmediate);
    controller.abort();
    assert.match(textOf(await running), /was cancelled. It may have run all the same/);
  });

  it('tells of an answer that breaks the protocol', async () => {
    const { tool } = await toolOf([fails(new ProtocolError('result', 'users: the result is a number'))]);
    assert.match(textOf(await call(tool)), /breaks the protocol: users: the result is a number/);
  });

  it('passes progress on as words', async () => {
    const told: string[] = [];
    const run: FakeCall = (_args, { onProgress }) => {
      onProgress?.({ progress: 1, total: 4 });
      onProgress?.({ progress: 2, message: 'half way' });
      onProgress?.({ progress: 3, message: '' });
      return textResult('done');
    };
    const { tool } = await toolOf([run]);
    const onProgress = (message: string): void => void told.push(message);
    await tool.call({}, { signal: new AbortController().signal, callId: 'c', onProgress });
    assert.deepEqual(told, ['1 of 4', 'half way', '3']);
  });
});
