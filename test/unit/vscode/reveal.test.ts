import assert from 'node:assert/strict';
import { readReveal, revealMessage } from '../../../src/vscode/reveal.ts';
import { fixedSource, WireSession } from '../../../src/wire/wireSession.ts';
import { recordedConversation } from '../../support/wire/recordedConversation.ts';

describe('what the inspector shows when it opens', () => {
  const session = new WireSession(fixedSource(recordedConversation()));
  session.start({ file: '', recording: true, bytes: 0, live: true });

  it('is nothing in particular for an argument that is none of ours', () => {
    for (const argument of [undefined, null, 'x', [], { callId: 1, server: {} }])
      assert.equal(revealMessage(readReveal(argument), session), undefined);
  });

  it('is the row of a call that a tool row names', () => {
    const call = session.rows().find(({ tool }) => tool === 'addUser');
    assert.ok(call?.callId !== undefined);
    assert.deepEqual(revealMessage(readReveal({ callId: call.callId }), session), { kind: 'reveal', key: call.key });
  });

  it('is the call of that time where a model gives the same id to calls of several turns', () => {
    const [first, , second] = session.rows().filter(({ kind, tool }) => kind === 'rpc' && tool !== undefined);
    assert.ok(first && second);
    const rows = [first, { ...second, at: first.at + 60_000 }].map((row) => ({ ...row, callId: 'planner_1' }));
    const keyAt = (since?: number): string | undefined =>
      revealMessage(readReveal({ callId: 'planner_1', since }), { rows: () => rows })?.key;
    assert.equal(keyAt(first.at - 500), first.key);
    assert.equal(keyAt(first.at + 59_500), second.key);
    assert.equal(keyAt(first.at + 65_000), undefined, 'a call that was not made');
    assert.equal(keyAt(), second.key);
  });

  it('is no row for a call that is not kept any more', () => {
    assert.deepEqual(revealMessage(readReveal({ callId: 'call_of_long_ago' }), session), { kind: 'reveal' });
  });

  it('is what belongs to a server, whatever stands in its name', () => {
    assert.deepEqual(revealMessage(readReveal({ server: 'my "own" server' }), session), {
      kind: 'reveal',
      filter: 'server:"my own server"',
    });
  });

  it('is a turn', () => {
    assert.deepEqual(revealMessage(readReveal({ turn: 'turn-1' }), session), { kind: 'reveal', turn: 'turn-1' });
  });
});
