import assert from 'node:assert/strict';
import { coalesce } from '../../../src/base/coalesce.ts';
import { FakeClock } from '../../support/fakeClock.ts';

describe('many reasons for one run', () => {
  it('calls close after each other make one run, later ones another', () => {
    const clock = new FakeClock();
    let runs = 0;
    const plan = coalesce(() => runs++, 100, clock);
    plan();
    clock.pass(60);
    plan();
    assert.equal(runs, 0);
    clock.pass(40);
    assert.equal(runs, 1, 'the first reason counts, so that a stream of reasons cannot put it off for ever');
    plan();
    clock.pass(100);
    assert.equal(runs, 2);
  });

  it('nothing runs once it is disposed', () => {
    const clock = new FakeClock();
    let runs = 0;
    const plan = coalesce(() => runs++, 100, clock);
    plan();
    plan.dispose();
    plan();
    clock.pass(1000);
    assert.equal(runs, 0);
    assert.equal(clock.waiting, 0);
  });
});
