import assert from 'node:assert/strict';
import type { SamplingRequest } from '../../../src/answerSampling.ts';
import { readBack, requestText } from '../../../src/vscode/samplingDocument.ts';

const image = { kind: 'image', mimeType: 'image/png', data: 'AA==' } as const;
const request: SamplingRequest = {
  systemPrompt: 'Be brief.',
  messages: [
    { role: 'user', content: [{ kind: 'text', text: 'Why is the sky blue?' }, image] },
    { role: 'assistant', text: 'Which sky?', toolCalls: [] },
    { role: 'user', content: [{ kind: 'text', text: 'Ours.\n\nReally.' }] },
  ],
  wishes: { maxTokens: 5 },
  hints: [],
};

describe('a request of a server as a document', () => {
  it('that nobody edited is the same request', () => {
    assert.equal(readBack(requestText(request).trim(), request), request);
  });

  it('has the texts as they were edited; images and limits stay', () => {
    const text = requestText(request).replace('Be brief.', 'Be long.').replace('blue?', 'blue? In a word.');
    const edited = readBack(text.replaceAll('\n', '\r\n'), request);
    assert.equal(edited.systemPrompt, 'Be long.');
    assert.deepEqual(edited.wishes, request.wishes);
    assert.equal(edited.messages.length, 3);
    assert.match(JSON.stringify(edited.messages[0]), /In a word\..*image\/png/);
    assert.deepEqual(edited.messages[1], request.messages[1]);
    assert.deepEqual(edited.messages[2], request.messages[2]);
  });

  it('without instructions has none any more', () => {
    const text = requestText(request).replace('Be brief.', '');
    assert.equal('systemPrompt' in readBack(text, request), false);
  });

  it('whose marks were taken away is one message', () => {
    assert.deepEqual(readBack('Just this.', request).messages, [
      { role: 'user', content: [{ kind: 'text', text: 'Just this.' }, image] },
    ]);
  });
});
