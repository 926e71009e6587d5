import assert from 'node:assert/strict';
import { watchSleep } from '../../../src/servers/watchSleep.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('the watch for sleep', () => {
  it('tells once after a sleep, and nothing while the machine is awake', () => {
    const clock = new FakeClock();
    let slept = 0;
    let wakes = 0;
    const watch = watchSleep(() => wakes++, { clock, wallClock: () => clock.now() + slept });
    clock.pass(30_000);
    clock.pass(30_000);
    assert.equal(wakes, 0);
    slept += 3_600_000;
    clock.pass(30_000);
    assert.equal(wakes, 1);
    clock.pass(30_000);
    assert.equal(wakes, 1);
    watch.dispose();
    assert.equal(clock.waiting, 0);
  });
});
