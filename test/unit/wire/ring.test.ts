import assert from 'node:assert/strict';
import { Ring } from '../../../src/wire/ring.ts';
import type { WireEntry } from '../../../src/wire/wireEntry.ts';

function event(seq: number, text: string): WireEntry {
  const source = { seq, at: seq, connection: 'c', server: 's', peer: 'mcp' } as const;
  return { ...source, kind: 'sse-event', exchange: 1, body: { text, bytes: Buffer.byteLength(text) } };
}

describe('the memory of the record', () => {
  it('counts texts beyond Latin-1 with the two bytes that a character of theirs takes', () => {
    const count = (text: string): number => {
      const ring = new Ring(10, 1e9);
      ring.add(event(1, text));
      return ring.bytes;
    };
    const empty = count('');
    assert.equal(count('x'.repeat(1000)) - empty, 1000);
    assert.equal(count('é'.repeat(1000)) - empty, 1000);
    assert.equal(count(`${'x'.repeat(999)}京`) - empty, 2000);
  });

  it('gives back with each entry that is dropped what it took', () => {
    const ring = new Ring(1000, 50_000);
    for (let seq = 1; seq <= 500; seq += 1)
      ring.add(event(seq, seq % 2 === 0 ? '北京'.repeat(1000) : 'x'.repeat(3000)));
    assert.ok(ring.bytes <= 50_000 && ring.bytes > 40_000, `${ring.bytes} bytes`);
    ring.clear();
    assert.equal(ring.bytes, 0);
    assert.equal(ring.rows, 0);
  });
});
