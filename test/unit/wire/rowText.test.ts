import assert from 'node:assert/strict';
import { rowDocument, rowJson, rowLine, rowValue } from '../../../src/wire/rowText.ts';
import type { Row } from '../../../src/wire/row.ts';
import { fixedSource, WireSession } from '../../../src/wire/wireSession.ts';
import { hostileRecord } from '../../support/inspector/records.ts';
import { recordedConversation } from '../../support/wire/recordedConversation.ts';

const hostile = `<img src=x onerror=alert(1)> & </script> \u001b[31mred\u001b[0m \u202E "quoted" 北京 \r\n`;

describe('a row as text', () => {
  const callOf = (session: WireSession): Row => {
    const row = session.rows().find(({ kind, tool }) => kind === 'rpc' && tool !== undefined);
    assert.ok(row);
    return row;
  };

  it('has the value byte for byte, whatever markup and control characters it holds', () => {
    const session = new WireSession(fixedSource(hostileRecord(hostile)));
    const text = rowValue(session, callOf(session));
    assert.equal(JSON.parse(text).result.content[0].text, hostile);
    assert.ok(
      text.includes('<img src=x onerror=alert(1)> & </script>'),
      'nothing is escaped that JSON does not escape',
    );
  });

  it('is a document with what was sent and what came back', () => {
    const session = new WireSession(fixedSource(recordedConversation()));
    const { sent, received } = JSON.parse(rowDocument(session, callOf(session)));
    assert.equal(sent.method, 'tools/call');
    assert.equal(received.id, sent.id);
  });

  it('is a line for a report, without tabs but those between its fields', () => {
    const session = new WireSession(fixedSource(recordedConversation()));
    const fields = rowLine(callOf(session)).split('\t');
    assert.equal(fields.length, 10);
    const odd: Row = { ...callOf(session), what: 'two\nlines\tand tabs' };
    assert.equal(rowLine(odd).split('\t')[5], 'two lines and tabs');
    assert.match(fields[1] ?? '', /^2025-04-26T07:33:\d\d\.\d{3}Z$/);
    assert.deepEqual(fields.slice(2, 6), ['rpc', 'spring-ai-mcp-sample', 'tools/call', 'tools/call getUsers']);
  });

  it('is JSON that reads back as its entries', () => {
    const session = new WireSession(fixedSource(recordedConversation()));
    const entries = session.entriesOf(callOf(session).key);
    assert.deepEqual(JSON.parse(rowJson(entries)), JSON.parse(JSON.stringify(entries)));
  });
});
