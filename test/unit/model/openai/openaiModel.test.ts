import assert from 'node:assert/strict';
import { openaiModel, type OpenaiModelOptions } from '../../../../src/model/openai/openaiModel.ts';
import type { ChatModel } from '../../../../src/model/chatModel.ts';
import { ask, callsOf, finishOf, textOf, tool } from '../../../support/modelEvents.ts';
import { startScriptedModel, textAnswer, toolCallAnswer, type ScriptedModel } from '../../../support/scriptedModel.ts';

describe('openaiModel', () => {
  let server: ScriptedModel;

  beforeEach(async () => {
    server = await startScriptedModel();
  });

  afterEach(() => server.close());

  const modelAt = (options: Partial<OpenaiModelOptions> = {}): ChatModel =>
    openaiModel({ url: server.url, id: 'scripted', ...options });

  it('streams a text and its usage', async () => {
    server.enqueue(textAnswer('Hello Carson, how are you?'));
    const events = await ask(modelAt());
    assert.equal(textOf(events), 'Hello Carson, how are you?');
    assert.deepEqual(events.at(-2), { kind: 'usage', inputTokens: 100, outputTokens: 5 });
    assert.equal(finishOf(events), 'stop');
  });

  it('gives out the captured tool call', async () => {
    server.enqueue(toolCallAnswer([{ id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers', arguments: '' }]));
    const events = await ask(modelAt(), { tools: [tool('bb7_getUsers')] });
    assert.deepEqual(callsOf(events), [
      { kind: 'tool-call', id: 'call_nL7ToTNvrfLwUPYoqtUH8Yx3', name: 'bb7_getUsers', arguments: {} },
    ]);
    assert.equal(finishOf(events), 'tool-calls');
  });
});
