import assert from 'node:assert/strict';
import { toMermaid } from '../../../src/wire/mermaid.ts';
import { RowBook } from '../../../src/wire/rowBook.ts';
import type { TapFact } from '../../../src/base/tap.ts';
import { recorded, recordedConversation } from '../../support/wire/recordedConversation.ts';

describe('a turn as Mermaid', () => {
  it('draws who speaks with whom', () => {
    const book = new RowBook();
    book.read(recordedConversation());
    const text = toMermaid(book.rows().filter(({ turn }) => turn === 'turn-1'));
    const lines = text.trimEnd().split('\n');
    assert.deepEqual(lines.slice(0, 5), [
      'sequenceDiagram',
      '  actor You',
      '  participant Agent',
      '  participant P2 as gpt-4o',
      '  participant P3 as spring-ai-mcp-sample',
    ]);
    assert.ok(lines.includes('  Agent->>P3: tools/call addUser, 142 B'), text);
    assert.ok(
      lines.some((line) => /^ {2}P3-->>Agent: ✓, \d+ B, 17 ms$/.test(line)),
      text,
    );
    assert.ok(
      lines.some((line) => line.startsWith('  Agent-->>You: “Hello Carson!')),
      text,
    );
  });

  it('what Mermaid would read as its own is written as codes', () => {
    const fact: TapFact = {
      connection: 'd',
      server: 'a; b #1',
      peer: 'mcp',
      kind: 'message',
      direction: 'out',
      message: { jsonrpc: '2.0', id: 1, method: 'x;y:z\nend' },
      bytes: 10,
    };
    const book = new RowBook();
    book.read(recorded([{ at: 0, fact }]));
    const text = toMermaid(book.rows());
    assert.ok(text.includes('participant P1 as a#59; b #35;1'), text);
    assert.ok(text.includes('Agent->>P1: x#59;y#58;z end, 10 B'), text);
  });
});
