import assert from 'node:assert/strict';
import { LingeringStreams } from '../../../src/mcp/lingeringStreams.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('LingeringStreams', () => {
  it('ends what stays open, each after its own five seconds, and nothing that has ended', () => {
    const clock = new FakeClock();
    const streams = new LingeringStreams(clock);
    const aborted: string[] = [];
    const exchange = (name: string) => ({ abort: () => aborted.push(name) });
    streams.watch(exchange('first'));
    streams.ended(streams.watch(exchange('gone')));
    clock.pass(2000);
    streams.watch(exchange('second'));
    clock.pass(3000);
    assert.deepEqual(aborted, ['first']);
    clock.pass(2000);
    assert.deepEqual(aborted, ['first', 'second']);
    assert.equal(clock.waiting, 0);
  });

  it('ends all when it is closed', () => {
    const clock = new FakeClock();
    const streams = new LingeringStreams(clock);
    let aborted = 0;
    streams.watch({ abort: () => aborted++ });
    streams.close();
    assert.equal(aborted, 1);
    assert.equal(clock.waiting, 0);
  });
});
