import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/agent/attempt.ts';
import { Attempts } from '../../../src/vscode/attempts.ts';
import { textOutcome } from '../../support/fakeTool.ts';

const turn = { chat: 'chat:/1', place: 2, words: 'list the users' };

function note(attempt: Attempt, text = 'ok'): void {
  attempt.note('b_x', {}, false, textOutcome(text));
}

const knows = (attempt: Attempt): boolean => attempt.reuse('b_x', {}, false) !== undefined;

describe('turns that may be repeated', () => {
  it('the same words at the same place of the same chat are a repetition', () => {
    const attempts = new Attempts();
    note(attempts.begin(turn));
    assert.ok(knows(attempts.begin(turn)));
  });

  it('the same words later on, in another chat, or in a chat without an address are not', () => {
    for (const other of [{ place: 4 }, { chat: 'chat:/2' }, { words: 'list the groups' }]) {
      const attempts = new Attempts();
      note(attempts.begin(turn));
      assert.equal(knows(attempts.begin({ ...turn, ...other })), false, JSON.stringify(other));
    }
    const attempts = new Attempts();
    note(attempts.begin({ ...turn, chat: undefined }));
    assert.equal(knows(attempts.begin({ ...turn, chat: undefined })), false);
  });

  it('a chat can be forgotten without its neighbours', () => {
    const attempts = new Attempts();
    note(attempts.begin(turn));
    note(attempts.begin({ ...turn, chat: 'chat:/11' }));
    attempts.forget('chat:/1');
    assert.equal(knows(attempts.begin(turn)), false);
    assert.ok(knows(attempts.begin({ ...turn, chat: 'chat:/11' })));
  });

  it('the oldest go when there are many, or when they are large', () => {
    const attempts = new Attempts();
    for (let place = 0; place < 20; place++) note(attempts.begin({ ...turn, place }));
    assert.equal(knows(attempts.begin({ ...turn, place: 0 })), false);
    assert.ok(knows(attempts.begin({ ...turn, place: 19 })));
    const large = new Attempts();
    for (let place = 0; place < 4; place++) note(large.begin({ ...turn, place }), 'x'.repeat(6_000_000));
    assert.equal(knows(large.begin({ ...turn, place: 0 })), false);
    assert.ok(knows(large.begin({ ...turn, place: 3 })));
  });
});
