import assert from 'node:assert/strict';
import { Conversation } from '../../../src/agent/conversation.ts';
import type { ChatMessage } from '../../../src/model/chatModel.ts';

const user: ChatMessage = { role: 'user', content: [{ kind: 'text', text: 'hi' }] };
const asks: ChatMessage = {
  role: 'assistant',
  text: '',
  toolCalls: [
    { id: 'a', name: 'b_x', arguments: {} },
    { id: 'b', name: 'b_y', arguments: { n: 1 } },
  ],
};
const result = (callId: string): ChatMessage => ({
  role: 'tool',
  callId,
  name: 'b_x',
  content: [{ kind: 'text', text: 'ok' }],
  isError: false,
});

/** There and back through JSON text. */
function restored(value: unknown): Conversation {
  return Conversation.fromJSON(JSON.parse(JSON.stringify(value)));
}

describe('a conversation as JSON', () => {
  it('comes back as it was', () => {
    const conversation = new Conversation();
    for (const message of [user, asks, result('a'), result('b')]) conversation.append(message);
    conversation.shorten('a', 100);
    conversation.leaveOut(0);
    assert.equal(conversation.isNews('told'), true);
    const back = restored(conversation.toJSON());
    assert.deepEqual(back.toJSON(), conversation.toJSON());
    assert.equal(back.isNews('told'), false);
  });

  it('gives no id again that a restored call has', () => {
    const back = restored({ messages: [user, asks, result('a'), result('b')] });
    assert.notEqual(back.claimCallId('a'), 'a');
    assert.equal(back.claimCallId('c'), 'c');
  });

  it('gives a lost result back as a sentence, and drops a result without a call', () => {
    const back = restored({ messages: [user, asks, result('b'), result('zz'), user, asks] });
    assert.deepEqual(
      back.messages.map((message) => (message.role === 'tool' ? `tool ${message.callId}` : message.role)),
      ['user', 'assistant', 'tool a', 'tool b', 'user', 'assistant', 'tool a', 'tool b'],
    );
  });

  it('takes any value', () => {
    for (const value of [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { messages: 7 },
      { messages: [null, 7, { role: 'nobody' }, { role: 'user' }] },
    ]) {
      assert.deepEqual(Conversation.fromJSON(value).messages, []);
    }
  });
});
