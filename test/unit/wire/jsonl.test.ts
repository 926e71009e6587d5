import assert from 'node:assert/strict';
import { fromJsonLines, toJsonLines } from '../../../src/wire/jsonl.ts';
import { bodyOf } from '../../../src/wire/wireEntry.ts';
import { recordedConversation } from '../../support/wire/recordedConversation.ts';

describe('a record as JSON lines', () => {
  it('comes back as it was', () => {
    const entries = recordedConversation();
    const { entries: read, badLines } = fromJsonLines(toJsonLines(entries));
    assert.deepEqual(badLines, []);
    assert.deepEqual(read, entries);
  });

  it('is one JSON value a line, the format first', () => {
    const lines = toJsonLines(recordedConversation()).trimEnd().split('\n');
    assert.deepEqual(JSON.parse(lines[0] ?? ''), { format: 'mcp-agent-wire', version: 1 });
    for (const line of lines) JSON.parse(line);
  });

  it('without bodies holds sizes and no text of any', () => {
    const { entries } = fromJsonLines(toJsonLines(recordedConversation(), { bodies: false }));
    for (const entry of entries) assert.equal(bodyOf(entry)?.text ?? '', '');
    assert.ok(entries.some((entry) => (bodyOf(entry)?.bytes ?? 0) > 1000));
    assert.doesNotMatch(JSON.stringify(entries), /carson@example/);
  });

  it('lines that are no entries are told of and the others read', () => {
    const [format, first, second] = toJsonLines(recordedConversation()).split('\n');
    const text = [format, first, '{"seq":1', '{"kind":"http-end"}', '', second, '[1]'].join('\n');
    const { entries, badLines } = fromJsonLines(text);
    assert.deepEqual([entries.length, badLines], [2, [3, 4, 7]]);
  });

  it('another file is refused with a sentence', () => {
    assert.throws(() => fromJsonLines('{"log":{}}'), /not a wire record of MCP Agent/);
    assert.throws(() => fromJsonLines(''), /not a wire record/);
    assert.throws(() => fromJsonLines('{"format":"mcp-agent-wire","version":7}\n'), /version 7.*reads version 1/);
  });
});
