import assert from 'node:assert/strict';
import { LineDecoder, LineTooLongError, type LineOptions } from '../../../src/base/lines.ts';

/** Feeds `text` in chunks of `size` bytes. */
function decode(text: string | Buffer, size: number, options?: LineOptions): string[] {
  const lines: string[] = [];
  const decoder = new LineDecoder((line) => lines.push(line), options);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size));
  decoder.end();
  return lines;
}

describe('LineDecoder', () => {
  it('finds the same lines however the bytes are cut', () => {
    const text = 'plain\nключ 😀 é\r\n\n\r\nlast without an end';
    const expected = ['plain', 'ключ 😀 é', '', '', 'last without an end'];
    for (let size = 1; size <= Buffer.byteLength(text); size++) assert.deepEqual(decode(text, size), expected);
  });

  it('tells the bytes of each line without its end', () => {
    const told: [string, number][] = [];
    const decoder = new LineDecoder((line, bytes) => told.push([line, bytes]));
    decoder.write(Buffer.from('é\r\nab'));
    decoder.write(Buffer.from('c\n'));
    assert.deepEqual(told, [
      ['é', 2],
      ['abc', 3],
    ]);
  });

  it('drops a byte order mark before the first line alone', () => {
    for (const size of [1, 2, 100]) assert.deepEqual(decode('\uFEFFa\n\uFEFFb\n', size), ['a', '\uFEFFb']);
  });

  it('keeps a carriage return that does not end the line, and other separators', () => {
    assert.deepEqual(decode('a\rb\n c\u2028d\u0085e\n', 3), ['a\rb', ' c\u2028d\u0085e']);
  });

  it('refuses a line beyond the cap, whether its end comes or not, and is silent from then on', () => {
    for (const size of [1, 4, 100]) {
      for (const text of ['ok\n123456789', 'ok\n123456789\nmore\n']) {
        const lines: string[] = [];
        const decoder = new LineDecoder((line) => lines.push(line), { limit: 8 });
        const bytes = Buffer.from(text);
        assert.throws(() => {
          for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size));
        }, LineTooLongError);
        decoder.write(Buffer.from('again\n'));
        decoder.end();
        assert.deepEqual(lines, ['ok']);
      }
    }
    assert.deepEqual(decode('12345678\n12345678\n', 5, { limit: 8 }), ['12345678', '12345678']);
  });

  it('can tell a line beyond the cap in pieces, cut between characters', () => {
    for (const size of [1, 3, 7, 100]) {
      const pieces = decode(`${'aé😀'.repeat(20)}\nend\n`, size, { limit: 10, cut: true });
      assert.equal(pieces.slice(0, -1).join(''), 'aé😀'.repeat(20));
      assert.equal(pieces.at(-1), 'end');
      assert.ok(pieces.every((piece) => Buffer.byteLength(piece) <= 10));
    }
    assert.deepEqual(
      decode(Buffer.alloc(25, 0x80), 25, { limit: 10, cut: true }).map((piece) => piece.length),
      [10, 10, 5],
    );
  });

  it('tells nothing after an end that a listener asked for', () => {
    const lines: string[] = [];
    const decoder: LineDecoder = new LineDecoder((line) => {
      lines.push(line);
      decoder.end();
    });
    decoder.write(Buffer.from('a\nb\nc'));
    assert.deepEqual(lines, ['a']);
  });

  it('takes time in proportion to the bytes', () => {
    const chunk = Buffer.alloc(1024, 'x');
    let length = 0;
    const decoder = new LineDecoder((line) => (length = line.length));
    const started = performance.now();
    for (let count = 0; count < 16 * 1024; count++) decoder.write(chunk);
    decoder.write(Buffer.from('\n'));
    // Joining what came so far at each chunk would copy 130 GB.
    assert.ok(performance.now() - started < 3000);
    assert.equal(length, 16 << 20);
  });
});
