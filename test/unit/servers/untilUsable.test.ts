import assert from 'node:assert/strict';
import { TransportError } from '../../../src/mcp/errors.ts';
import { ServerPool } from '../../../src/servers/serverPool.ts';
import { untilUsable } from '../../../src/servers/untilUsable.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fakeOpen, fakeSpec, until } from '../../support/fakeServers.ts';

const noSignal = new AbortController().signal;

/** Whether `work` is over, after everything that is due was done. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await new Promise(setImmediate);
  return (await Promise.race([work, Promise.resolve(open)])) !== open;
}

function poolOf(...names: string[]): { pool: ServerPool; clock: FakeClock } {
  const clock = new FakeClock();
  const open = fakeOpen({
    quick: () => new FakeClient(),
    mute: () => new Promise(() => {}),
    dead: () => {
      throw new Error('down');
    },
  });
  const pool = new ServerPool({ open, clock: new FakeClock() });
  pool.reconcile(names.map((name) => fakeSpec(name)));
  return { pool, clock };
}

describe('waiting for servers before a turn', () => {
  it('is over when each is ready or has failed', async () => {
    const { pool, clock } = poolOf('quick', 'dead');
    assert.equal(await isOver(untilUsable(pool, noSignal, clock)), true);
    assert.equal(clock.waiting, 0);
  });

  it('is over without any server', async () => {
    const { pool, clock } = poolOf();
    assert.equal(await isOver(untilUsable(pool, noSignal, clock)), true);
  });

  it('gives the others a moment once one is ready', async () => {
    const { pool, clock } = poolOf('mute', 'quick');
    const waiting = untilUsable(pool, noSignal, clock);
    await until(pool.onDidChange, () => pool.servers[1]?.state.kind === 'ready');
    assert.equal(await isOver(waiting), false);
    clock.pass(1500);
    assert.equal(await isOver(waiting), true);
  });

  it('waits longer while none is ready, but not for ever', async () => {
    const { pool, clock } = poolOf('mute');
    const waiting = untilUsable(pool, noSignal, clock);
    clock.pass(10_000);
    assert.equal(await isOver(waiting), false);
    clock.pass(5000);
    assert.equal(await isOver(waiting), true);
  });

  it('is over at once when the turn is stopped', async () => {
    const { pool, clock } = poolOf('mute');
    const controller = new AbortController();
    const waiting = untilUsable(pool, controller.signal, clock);
    assert.equal(await isOver(waiting), false);
    controller.abort();
    assert.equal(await isOver(waiting), true);
    assert.equal(clock.waiting, 0);
  });

  it('tries a server again that had failed, so that one that is back takes part in the turn', async () => {
    let isUp = false;
    const open = fakeOpen({
      back: () => {
        if (!isUp) throw new TransportError('unreachable', 'nothing listens there');
        return new FakeClient();
      },
      quick: () => new FakeClient(),
    });
    const pool = new ServerPool({ open, clock: new FakeClock() });
    pool.reconcile([fakeSpec('back'), fakeSpec('quick')]);
    await pool.ready();
    isUp = true;
    await untilUsable(pool, noSignal, new FakeClock());
    assert.equal(pool.servers[0]?.state.kind, 'ready');
  });

  it('tries nothing again that only a person can help, and waits half a second for the rest', async () => {
    let attempts = 0;
    const failures: Record<string, () => never> = {
      refused: () => {
        attempts++;
        throw new TransportError('unauthorized', 'who are you?');
      },
    };
    let isMute = false;
    const open = fakeOpen({
      ...failures,
      lost: () => {
        if (isMute) return new Promise(() => {});
        throw new TransportError('timeout', 'no answer');
      },
    });
    const pool = new ServerPool({ open, clock: new FakeClock() });
    pool.reconcile([fakeSpec('refused'), fakeSpec('lost')]);
    await pool.ready();
    isMute = true;
    const clock = new FakeClock();
    const waiting = untilUsable(pool, noSignal, clock);
    clock.pass(400);
    assert.equal(await isOver(waiting), false);
    clock.pass(100);
    assert.equal(await isOver(waiting), true);
    assert.equal(attempts, 1);
  });
});
