import assert from 'node:assert/strict';
import { answerSampling, hintedModel, readSamplingRequest } from '../../src/answerSampling.ts';
import { ModelError } from '../../src/model/modelError.ts';
import { fakeModel, says } from '../support/fakeModel.ts';

const text = (words: string, role = 'user') => ({ role, content: { type: 'text', text: words } });
const never = new AbortController().signal;

describe('a server’s request to the model', () => {
  it('is read with its instructions, messages, limits and hints', () => {
    const request = readSamplingRequest({
      systemPrompt: 'Be brief.',
      messages: [text('Hi'), text('Hello', 'assistant'), { role: 'user', content: [{ type: 'text', text: 'More' }] }],
      maxTokens: 20.7,
      temperature: 0,
      stopSequences: ['END', 7, ''],
      modelPreferences: { hints: [{ name: 'claude' }, { other: 1 }, { name: 'gpt' }], speedPriority: 1 },
    });
    assert.deepEqual(request, {
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'user', content: [{ kind: 'text', text: 'Hi' }] },
        { role: 'assistant', text: 'Hello', toolCalls: [] },
        { role: 'user', content: [{ kind: 'text', text: 'More' }] },
      ],
      wishes: { maxTokens: 20, temperature: 0, stopSequences: ['END'] },
      hints: ['claude', 'gpt'],
    });
  });

  it('with tools, without messages or of another shape is refused as invalid parameters', () => {
    const toolUse = { role: 'assistant', content: { type: 'tool_use', id: '1', name: 'x', input: {} } };
    for (const params of [
      undefined,
      {},
      { messages: [] },
      { messages: ['hi'] },
      { messages: [text('x')], tools: [{ name: 'x' }] },
      { messages: [toolUse] },
    ]) {
      assert.throws(() => readSamplingRequest(params), { code: -32602 }, JSON.stringify(params));
    }
  });

  it('the first hint that fits a model wins, and a part of a name is enough', () => {
    const models = ['gpt-4o', 'claude-3-5-sonnet', 'claude-3-haiku'];
    const choose = (...hints: string[]) => hintedModel(models, hints, (model) => [model]);
    assert.equal(choose('Sonnet', 'gpt'), 'claude-3-5-sonnet');
    assert.equal(choose('gemini', 'claude'), 'claude-3-5-sonnet');
    assert.equal(choose('gemini'), undefined);
  });

  it('is answered in the form of the specification', async () => {
    const model = fakeModel([says('Blue.')]);
    const request = readSamplingRequest({ messages: [text('Sky?')], systemPrompt: 'Brief.', maxTokens: 9 });
    assert.deepEqual(await answerSampling(model, request, never), {
      role: 'assistant',
      content: { type: 'text', text: 'Blue.' },
      model: 'fake',
      stopReason: 'endTurn',
    });
    assert.deepEqual(model.requests[0]?.messages[0], { role: 'system', text: 'Brief.' });
    assert.deepEqual(model.requests[0]?.wishes, { maxTokens: 9 });
    assert.deepEqual(model.requests[0]?.tools, []);
  });

  it('ends before a stop sequence, also one that came in pieces, and the model is let go', async () => {
    const model = fakeModel([['one EN', 'D two'].map((part) => ({ kind: 'text-delta', text: part }) as const)]);
    const request = readSamplingRequest({ messages: [text('x')], stopSequences: ['END'] });
    const answer = await answerSampling(model, request, never);
    assert.deepEqual([answer['content'], answer['stopReason']], [{ type: 'text', text: 'one ' }, 'stopSequence']);
    assert.equal(model.aborted.length, 1);
  });

  it('a model that does not keep the limit of tokens is stopped', async () => {
    const flood = Array.from({ length: 1000 }, () => ({ kind: 'text-delta', text: 'word after word ' }) as const);
    const request = readSamplingRequest({ messages: [text('x')], maxTokens: 20 });
    const answer = await answerSampling(fakeModel([flood]), request, never);
    assert.equal(answer['stopReason'], 'maxTokens');
    assert.ok(JSON.stringify(answer).length < 400);
  });

  it('an endpoint that refuses temperature and stop sequences is asked without them', async () => {
    const model = fakeModel([[new ModelError('rejected', 'no temperature')], says('Fine.')]);
    const request = readSamplingRequest({ messages: [text('x')], temperature: 1, maxTokens: 5 });
    await answerSampling(model, request, never);
    assert.deepEqual(
      model.requests.map(({ wishes }) => wishes),
      [{ maxTokens: 5, temperature: 1 }, { maxTokens: 5 }],
    );
  });

  it('other failures of the model are failures', async () => {
    const request = readSamplingRequest({ messages: [text('x')], temperature: 1 });
    const model = fakeModel([[new ModelError('unreachable', 'no endpoint')]]);
    await assert.rejects(answerSampling(model, request, never), { code: 'unreachable' });
    assert.equal(model.requests.length, 1);
  });
});
