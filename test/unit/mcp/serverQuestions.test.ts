import assert from 'node:assert/strict';
import { RpcError } from '../../../src/mcp/errors.ts';
import { requestIds } from '../../../src/mcp/requestIds.ts';
import { RpcPeer } from '../../../src/mcp/rpcPeer.ts';
import { mayTryAgain } from '../../../src/mcp/urlElicitation.ts';
import { settle } from '../../support/connected.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { MemoryTransport } from '../../support/memoryTransport.ts';

describe('questions of servers', () => {
  it('a call does not run out of time while the person answers a question of its server', async () => {
    const transport = new MemoryTransport();
    const clock = new FakeClock();
    const answer = deferred<unknown>();
    const peer = new RpcPeer(transport, {
      server: 'users',
      note: () => undefined,
      ids: requestIds('questions'),
      timeoutMs: 60_000,
      clock,
      answers: new Map([['elicitation/create', () => answer.promise]]),
      onNotification: () => undefined,
      onClose: () => undefined,
    });
    await peer.start();
    const call = peer.request('tools/call', { name: 'x' });
    let isOver = false;
    call.catch(() => undefined).finally(() => (isOver = true));
    transport.deliver({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
    for (let minute = 0; minute < 10; minute++) clock.pass(60_000);
    await settle();
    assert.equal(isOver, false, 'ten minutes of thinking are no failure');
    answer.resolve({ action: 'accept' });
    await settle();
    clock.pass(59_000);
    await settle();
    assert.equal(isOver, false, 'the limit is counted anew');
    for (let minute = 0; minute < 3; minute++) clock.pass(60_000);
    await assert.rejects(call, { code: 'timeout' });
  });

  const refusal = (...urls: string[]): RpcError =>
    new RpcError(-32042, 'Go there first', { elicitations: urls.map((url) => ({ mode: 'url', url, message: 'm' })) });
  const never = new AbortController().signal;

  it('pages that a refused call names are put to the person one after the other, and all must be accepted', async () => {
    const asked: unknown[] = [];
    const answer = async (params: unknown) => {
      asked.push(params);
      return { action: asked.length < 3 ? 'accept' : 'decline' };
    };
    assert.equal(await mayTryAgain(refusal('https://a.example', 'https://b.example'), answer, never), true);
    assert.deepEqual(asked[0], { message: 'm', mode: 'url', url: 'https://a.example', retry: true });
    assert.equal(await mayTryAgain(refusal('https://c.example', 'https://d.example'), answer, never), false);
    assert.equal(asked.length, 3, 'after a no nothing more is asked');
  });

  it('other errors, refusals without pages and with too many of them ask nothing', async () => {
    const answer = () => assert.fail('nobody is asked');
    for (const error of [
      new RpcError(-32042, 'x'),
      new RpcError(-32042, 'x', { elicitations: [] }),
      refusal(...Array.from({ length: 11 }, () => 'https://a.example')),
      new RpcError(-32602, 'x', { elicitations: [{}] }),
      new Error('x'),
    ]) {
      assert.equal(await mayTryAgain(error, answer, never), false);
    }
    assert.equal(await mayTryAgain(refusal('https://a.example'), undefined, never), false);
  });
});
