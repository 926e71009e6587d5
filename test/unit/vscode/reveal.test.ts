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
