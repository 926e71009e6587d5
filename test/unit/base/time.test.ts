import assert from 'node:assert/strict';
import { linkedController, onAbort } from '../../../src/base/abort.ts';
import { BriefMap } from '../../../src/base/briefMap.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { BodyCollector, BodyTooLargeError } from '../../../src/base/httpBody.ts';
import { SharedWork } from '../../../src/base/sharedWork.ts';
import { SweepTimer } from '../../../src/base/sweepTimer.ts';
import { TimeLimit } from '../../../src/base/timeLimit.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('systemClock', () => {
  it('does not run a timer at once that is longer than Node can wait', async () => {
    const callOff = systemClock.after(1e12, () => assert.fail('it ran'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    callOff();
  });
});

describe('SweepTimer', () => {
  it('wakes at the earliest time that is expected, and at what the sweep returns', () => {
    const clock = new FakeClock();
    const swept: number[] = [];
    const timer = new SweepTimer(clock, (now) => {
      swept.push(now);
      return now < 300 ? 300 : Infinity;
    });
    timer.expect(200);
    timer.expect(500);
    timer.expect(100);
    assert.equal(clock.waiting, 1);
    clock.pass(100);
    clock.pass(200);
    assert.deepEqual(swept, [100, 300]);
    assert.equal(clock.waiting, 0);
  });

  it('stops', () => {
    const clock = new FakeClock();
    const timer = new SweepTimer(clock, () => assert.fail());
    timer.expect(1);
    timer.stop();
    clock.pass(10);
  });
});

describe('TimeLimit', () => {
  it('expires after the time in which it was not held', () => {
    const clock = new FakeClock();
    let expired = 0;
    const limit = new TimeLimit(clock, 100, () => expired++);
    clock.pass(60);
    limit.hold(true);
    limit.hold(true);
    clock.pass(1000);
    limit.hold(false);
    clock.pass(39);
    assert.equal(expired, 0);
    clock.pass(1);
    assert.equal(expired, 1);
    limit.hold(true);
    limit.hold(false);
    clock.pass(1000);
    assert.equal(expired, 1);
  });

  it('does not expire once it has ended', () => {
    const clock = new FakeClock();
    const limit = new TimeLimit(clock, 100, () => assert.fail());
    limit.end();
    limit.hold(false);
    clock.pass(1000);
    assert.equal(clock.waiting, 0);
  });
});

describe('abort', () => {
  it('runs once, at once for a signal that is aborted already, and not after disposal', () => {
    let runs = 0;
    onAbort(AbortSignal.abort(), () => runs++);
    assert.equal(runs, 1);
    const controller = new AbortController();
    onAbort(controller.signal, () => runs++);
    onAbort(controller.signal, () => runs++).dispose();
    controller.abort();
    assert.equal(runs, 2);
    onAbort(undefined, () => assert.fail()).dispose();
  });

  it('links controllers with the reason of the first', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { controller } = linkedController(one.signal, undefined, two.signal);
    two.abort('because');
    assert.equal(controller.signal.reason, 'because');
    const released = linkedController(one.signal);
    released.release();
    one.abort();
    assert.equal(released.controller.signal.aborted, false);
  });
});

describe('SharedWork', () => {
  it('gives the result to all who wait', async () => {
    const answer = deferred<number>();
    const work = new SharedWork(() => answer.promise);
    const both = Promise.all([
      work.join(undefined, () => new Error('left')),
      work.join(undefined, () => new Error('left')),
    ]);
    answer.resolve(7);
    assert.deepEqual(await both, [7, 7]);
  });

  it('is aborted when the last one has left, not before', async () => {
    const work = new SharedWork(() => deferred<number>().promise);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = assert.rejects(
      work.join(one.signal, () => new Error('left one')),
      /left one/,
    );
    const second = assert.rejects(
      work.join(two.signal, () => new Error('left two')),
      /left two/,
    );
    one.abort();
    assert.equal(work.isAborted, false);
    two.abort();
    assert.equal(work.isAborted, true);
    await Promise.all([first, second]);
  });

  it('rejects for all when the work fails', async () => {
    const work = new SharedWork(() => Promise.reject(new Error('boom')));
    await assert.rejects(
      work.join(undefined, () => new Error('left')),
      /boom/,
    );
    await assert.rejects(
      work.join(AbortSignal.abort(), () => new Error('left')),
      /left/,
    );
  });
});

describe('BriefMap', () => {
  it('gives, takes and forgets', () => {
    const map = new BriefMap<number, { n: number }>();
    map.set(1, { n: 1 });
    map.set(2, { n: 2 });
    assert.deepEqual(map.get(1), { n: 1 });
    assert.deepEqual(map.take(1), { n: 1 });
    assert.equal(map.take(1), undefined);
    assert.equal(map.get(1), undefined);
    assert.deepEqual([...map.keys()], [2]);
    assert.deepEqual(map.takeAll(), [{ n: 2 }]);
    assert.equal(map.size, 0);
  });
});

describe('BodyCollector', () => {
  it('joins what was cut anywhere and drops a byte order mark', () => {
    const bytes = Buffer.from('\uFEFF{"a":"北京 🌍"}');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const body = new BodyCollector();
      body.add(bytes.subarray(0, cut));
      body.add(bytes.subarray(cut));
      assert.equal(body.text(), '{"a":"北京 🌍"}');
    }
    assert.equal(new BodyCollector().text(), '');
  });

  it('throws beyond its cap', () => {
    const body = new BodyCollector(10);
    body.add(Buffer.alloc(10));
    assert.throws(() => body.add(Buffer.alloc(1)), BodyTooLargeError);
  });
});
