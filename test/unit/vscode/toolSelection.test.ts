import assert from 'node:assert/strict';
import { followTicks } from '../../../src/vscode/toolSelection.ts';

const servers = [
  { server: 'S', tools: ['s1', 's2'] },
  { server: 'T', tools: ['t1'] },
  { server: 'E', tools: [] },
];
const ticks = (before: string, after: string): string =>
  [...followTicks(new Set(before.split(' ')), new Set(after.split(' ')), servers)].sort().join(' ');

describe('ticks of servers and tools', () => {
  it('a server takes all its tools with it', () => {
    assert.equal(ticks('S s1 T t1', 's1 T t1'), 'T t1');
    assert.equal(ticks('T t1', 'S T t1'), 'S T s1 s2 t1');
  });

  it('a server is ticked as long as one of its tools is', () => {
    assert.equal(ticks('S s1 s2', 'S s2'), 'S s2');
    assert.equal(ticks('S s2', 'S'), '');
    assert.equal(ticks('', 't1'), 'T t1');
  });

  it('all at once is what a person ticked', () => {
    assert.equal(ticks('S s1', 'S s1 s2 T t1 E'), 'E S T s1 s2 t1');
    assert.equal(ticks('E S T s1 s2 t1', ''), '');
  });

  it('a server without tools is ticked by itself', () => {
    assert.equal(ticks('', 'E'), 'E');
    assert.equal(ticks('E', ''), '');
  });
});
