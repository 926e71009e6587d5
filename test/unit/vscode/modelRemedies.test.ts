import assert from 'node:assert/strict';
import type { ChatModel } from '../../../src/model/chatModel.ts';
import { ModelError } from '../../../src/model/modelError.ts';
import { remediesFor, remembering } from '../../../src/vscode/modelRemedies.ts';

/** A model that fails with each of `failures` in turn, and then answers. */
function failing(...failures: readonly unknown[]): ChatModel {
  const left = [...failures];
  return {
    id: 'm',
    label: 'M',
    maxInputTokens: 1000,
    imageInput: false,
    maxTools: 5,
    async *stream() {
      if (left.length > 0) throw left.shift();
      yield { kind: 'text-delta', text: 'hello' };
    },
  };
}

async function run(model: ChatModel): Promise<string> {
  let text = '';
  const request = { messages: [], tools: [], signal: new AbortController().signal };
  for await (const event of model.stream(request)) text += event.kind === 'text-delta' ? event.text : '';
  return text;
}

describe('what helps against an error of a model', () => {
  it('a wrong key is set anew, an endpoint that is not there set up, a model without tools changed', () => {
    assert.deepEqual(remediesFor('unauthorized'), ['key', 'other-model']);
    assert.deepEqual(remediesFor('unreachable'), ['set-up', 'other-model']);
    assert.deepEqual(remediesFor('no-tools'), ['other-model', 'set-up']);
    assert.equal(remediesFor('not-found')[0], 'other-model');
  });

  it('what the person stopped, and what only needs another try, has no button', () => {
    for (const code of ['cancelled', 'server', 'stream', 'rejected'] as const) assert.deepEqual(remediesFor(code), []);
  });

  it('the error of the last request is remembered on its way, and only that', async () => {
    const error = new ModelError('unauthorized', 'no');
    const model = remembering(failing(error, new Error('other')));
    assert.equal(model.lastError, undefined);
    await assert.rejects(run(model), error);
    assert.equal(model.lastError, error);
    await assert.rejects(run(model), /other/);
    assert.equal(model.lastError, undefined, 'an error that is no model error has no remedy');
    assert.equal(await run(model), 'hello');
  });

  it('the model stays what it was', () => {
    const { id, label, maxInputTokens, imageInput, maxTools, recordsRequests } = remembering(failing());
    assert.deepEqual(
      [id, label, maxInputTokens, imageInput, maxTools, recordsRequests],
      ['m', 'M', 1000, false, 5, undefined],
    );
  });
});
