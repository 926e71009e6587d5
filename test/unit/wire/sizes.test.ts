import assert from 'node:assert/strict';
import { RowBook } from '../../../src/wire/rowBook.ts';
import { requestSizes } from '../../../src/wire/requestSizes.ts';
import { sizeStory } from '../../../src/wire/sizes.ts';
import { recordedConversation } from '../../support/wire/recordedConversation.ts';

describe('the sizes of model requests', () => {
  const book = new RowBook();
  book.read(recordedConversation());
  const story = sizeStory(book.rows());

  it('are told part by part, and the parts are the whole', () => {
    assert.equal(story.bars.length, 4);
    for (const bar of story.bars) {
      const sum = bar.segments.reduce((total, { bytes }) => total + bytes, 0);
      assert.equal(sum, bar.bytes);
    }
    assert.deepEqual(
      story.bars[1]?.segments.map(({ part, server }) => [part, server]),
      [
        ['instructions', undefined],
        ['tools', 'spring-ai-mcp-sample'],
        ['history', undefined],
        ['results', undefined],
        ['user', undefined],
        ['other', undefined],
      ],
    );
  });

  it('grow by the results, which are named', () => {
    const [first, second, third] = story.bars;
    assert.deepEqual(first?.growth, []);
    const [grown] = second?.growth.filter(({ part }) => part === 'results') ?? [];
    assert.deepEqual([grown?.label, (grown?.bytes ?? 0) > 100], ['bb7_getUsers', true]);
    assert.ok(third?.growth.some(({ label }) => label === 'bb7_addUser'));
  });

  it('tokens are those that the endpoint told', () =>
    assert.deepEqual(
      story.bars.map(({ tokens }) => tokens),
      [1330, 1460, 1590, 1720],
    ));

  it('name the largest tools and results once each', () => {
    assert.equal(story.largestTools[0]?.name, 'bb7_addUser');
    assert.equal(story.largestTools.length, 4);
    assert.equal(story.largestResults.length, 3);
    assert.ok((story.largestResults[0]?.bytes ?? 0) >= (story.largestResults[1]?.bytes ?? 0));
  });
});

describe('requestSizes', () => {
  it('reads the messages of our own contract as well as those of endpoints', () => {
    const own = {
      messages: [
        { role: 'system', text: 'be brief' },
        { role: 'user', content: [{ kind: 'text', text: 'go' }] },
        { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'bb7_x', arguments: {} }] },
        { role: 'tool', callId: 'c1', name: 'bb7_x', content: [], isError: false },
      ],
      tools: [{ name: 'bb7_x', description: '', inputSchema: {} }],
    };
    const sizes = requestSizes(own, JSON.stringify(own).length, () => 'demo');
    assert.deepEqual(
      sizes.tools.map(({ name, server }) => [name, server]),
      [['bb7_x', 'demo']],
    );
    assert.deepEqual(
      sizes.results.map(({ name, callId }) => [name, callId]),
      [['bb7_x', 'c1']],
    );
    assert.ok(sizes.instructions > 0 && sizes.user > 0 && sizes.history > 0);
    assert.equal(sizes.messages, 4);
  });

  it('counts bytes, not characters', () => {
    const body = { messages: [{ role: 'user', content: '北京' }] };
    assert.equal(requestSizes(body, 100, () => undefined).user, Buffer.byteLength(JSON.stringify(body.messages[0])));
  });

  it('of something that is no request are all in the rest', () => {
    const sizes = requestSizes('text', 12, () => undefined);
    assert.deepEqual([sizes.other, sizes.messages], [12, 0]);
  });
});
