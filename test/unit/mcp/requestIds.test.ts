import assert from 'node:assert/strict';
import { requestIds } from '../../../src/mcp/requestIds.ts';

describe('request ids', () => {
  it('count from 1, and again after a restart', () => {
    const ids = requestIds('http://a/');
    assert.deepEqual([ids.next(), ids.next(), ids.next()], [1, 2, 3]);
    ids.restart();
    assert.equal(ids.next(), 1);
    ids.release();
  });

  it('of a second connection to the same address start elsewhere, also after a restart', () => {
    const first = requestIds('http://b/');
    const second = requestIds('http://b/');
    const other = requestIds('http://c/');
    const start = second.next();
    assert.ok(start > 1000 && start < 2 ** 31);
    second.restart();
    assert.equal(second.next(), start);
    assert.equal(other.next(), 1);
    for (const ids of [first, second, other]) ids.release();
  });

  it('count from 1 again when the others are gone, however often they are released', () => {
    const first = requestIds('http://d/');
    first.release();
    first.release();
    const second = requestIds('http://d/');
    assert.equal(second.next(), 1);
    const third = requestIds('http://d/');
    assert.notEqual(third.next(), 1);
    second.release();
    third.release();
  });

  it('can be moved on to a random range', () => {
    const ids = requestIds('http://e/');
    ids.next();
    ids.scatter();
    const next = ids.next();
    assert.ok(next > 1000);
    assert.equal(ids.next(), next + 1);
    ids.release();
  });
});
