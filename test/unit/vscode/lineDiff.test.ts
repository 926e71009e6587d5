import assert from 'node:assert/strict';
import { lineDiff, shortDiff } from '../../../src/vscode/lineDiff.ts';

const words = (before: string, after: string): string[] => lineDiff(before, after).map(({ kind, text }) => kind + text);

describe('the difference of two texts', () => {
  it('keeps what is common and shows what came and went', () => {
    assert.deepEqual(words('a\nb\nc', 'a\nB\nc'), [' a', '-b', '+B', ' c']);
    assert.deepEqual(words('a\nb\nc\nd', 'a\nc\nx\nd'), [' a', '-b', ' c', '+x', ' d']);
    assert.deepEqual(words('same', 'same'), [' same']);
    assert.deepEqual(words('', 'a'), ['-', '+a']);
  });

  it('gives both texts back, whatever they are', () => {
    let seed = 7;
    const random = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    for (let round = 0; round < 200; round++) {
      const text = (): string => Array.from({ length: random(12) }, () => 'abc'.charAt(random(3))).join('\n');
      const [before, after] = [text(), text()];
      const lines = lineDiff(before, after);
      const side = (kind: string): string =>
        lines.flatMap((line) => (line.kind === ' ' || line.kind === kind ? [line.text] : [])).join('\n');
      assert.equal(side('-'), before);
      assert.equal(side('+'), after);
    }
  });

  it('takes no long time over texts without end', () => {
    const lines = (letter: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`).join('\n');
    const started = performance.now();
    assert.equal(lineDiff(lines('a'), lines('b')).length, 40_000);
    assert(performance.now() - started < 2000);
  });

  it('in short leaves out what is far from a change', () => {
    const before = Array.from({ length: 30 }, (_, index) => String(index)).join('\n');
    const after = before.replace('\n15\n', '\nfifteen\n');
    assert.equal(shortDiff(lineDiff(before, after)), '…\n  13\n  14\n- 15\n+ fifteen\n  16\n  17\n…');
  });
});
