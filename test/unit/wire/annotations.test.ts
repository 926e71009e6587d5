import assert from 'node:assert/strict';
import { fromHar } from '../../../src/wire/harImport.ts';
import { toHar } from '../../../src/wire/har.ts';
import { fromJsonLines, toJsonLines } from '../../../src/wire/jsonl.ts';
import { matchesFilter, parseFilter } from '../../../src/wire/filter.ts';
import { RowBook } from '../../../src/wire/rowBook.ts';
import type { Row } from '../../../src/wire/row.ts';
import type { WireEntry, WireFact } from '../../../src/wire/wireEntry.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';
import { fixedSource, WireSession } from '../../../src/wire/wireSession.ts';
import { capturedConversation } from '../../support/wire/capturedConversation.ts';

type Annotation = Omit<Extract<WireFact, { kind: 'annotation' }>, 'kind'>;

function rowsOf(entries: readonly WireEntry[]): readonly Row[] {
  const book = new RowBook();
  book.read(entries);
  return book.rows();
}

describe('what a person adds to a row', () => {
  let log: WireLog;
  let key: string;
  const annotate = (annotation: Omit<Annotation, 'row'>): void =>
    log.annotate({ kind: 'annotation', row: key, ...annotation });
  const row = (entries: readonly WireEntry[] = log.entries()): Row => {
    const found = rowsOf(entries).find((each) => each.key === key);
    assert.ok(found);
    return found;
  };

  beforeEach(() => {
    log = new WireLog();
    for (const { fact } of capturedConversation()) log.tap(fact);
    key = rowsOf(log.entries()).find(({ tool }) => tool === 'addUser')?.key ?? '';
  });
  afterEach(() => log.dispose());

  it('a pin stays until it is taken off', () => {
    annotate({ pinned: true });
    assert.equal(row().pinned, true);
    annotate({ pinned: false });
    assert.equal(row().pinned, undefined);
  });

  it('a note replaces the one before, and an empty one removes it', () => {
    annotate({ note: 'first' });
    annotate({ note: 'second' });
    assert.equal(row().note, 'second');
    annotate({ pinned: true });
    assert.equal(row().note, 'second', 'a pin leaves the note alone');
    annotate({ note: '' });
    assert.equal(row().note, undefined);
    assert.equal(row().pinned, true, 'a note leaves the pin alone');
  });

  it('a secret in a note is hidden as everywhere', () => {
    log.addSecret('Qw81zLk2Vn7TpX44');
    annotate({ note: 'with the key Qw81zLk2Vn7TpX44 it works' });
    assert.match(row().note ?? '', /^with the key \[redacted.*\] it works$/);
  });

  it('makes no row of its own, and is found by the filter', () => {
    const before = rowsOf(log.entries()).length;
    annotate({ pinned: true, note: 'look here' });
    const rows = rowsOf(log.entries());
    assert.equal(rows.length, before);
    const context = { turnNumber: () => undefined, now: Date.now() };
    const found = (text: string): readonly string[] =>
      rows.filter((each) => matchesFilter(each, parseFilter(text), context)).map((each) => each.key);
    assert.deepEqual(found('has:pin'), [key]);
    assert.deepEqual(found('has:note'), [key]);
  });

  it('reaches an open inspector at once', () => {
    const told: WireEntry[] = [];
    log.onDidAppend(({ appended }) => void told.push(...appended));
    annotate({ pinned: true });
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['annotation'],
    );
  });

  it('comes back from a saved record', () => {
    annotate({ pinned: true, note: 'look here', replayOf: 'r1' });
    const saved = [fromHar(toHar(log.entries(), { version: '1' })), fromJsonLines(toJsonLines(log.entries())).entries];
    for (const entries of saved) {
      const { pinned, note, replayOf } = row(entries);
      assert.deepEqual({ pinned, note, replayOf }, { pinned: true, note: 'look here', replayOf: 'r1' });
    }
  });
});

describe('a test fixture', () => {
  it('of a call holds the call, its answer and what carried both, and shows the same row again', () => {
    const log = new WireLog();
    for (const { fact } of capturedConversation()) log.tap(fact);
    const session = new WireSession(fixedSource(log.entries()));
    log.dispose();
    const call = session.rows().find(({ tool }) => tool === 'addUser');
    assert.ok(call);
    const { entries, badLines } = fromJsonLines(toJsonLines(session.entriesOf(call.key)));
    assert.deepEqual(badLines, []);
    const played = new WireSession(fixedSource(entries));
    const again = played.row(call.key);
    assert.deepEqual(
      { tool: again?.tool, state: again?.state, id: again?.id, up: again?.up, down: again?.down },
      { tool: call.tool, state: call.state, id: call.id, up: call.up, down: call.down },
    );
    assert.deepEqual(played.valueOf(call.key), session.valueOf(call.key));
    assert.match(played.valueOf(call.key).received?.text ?? '', /"result"/);
    assert.ok(entries.some(({ kind }) => kind === 'http-request'));
  });
});
