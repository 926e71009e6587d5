import assert from 'node:assert/strict';
import { countMessageTokens, countTokens, countToolTokens } from '../../../src/model/countTokens.ts';
import { tool, user } from '../../support/modelEvents.ts';

describe('countTokens', () => {
  it('counts four letters as a token', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('a'), 1);
    assert.equal(countTokens('a'.repeat(400)), 100);
    assert.equal(countTokens('Größe für ätherische Öle'), 6);
  });

  it('counts a Chinese, Japanese or Korean character as a token', () => {
    assert.equal(countTokens('北京市朝阳区'), 6);
    assert.equal(countTokens('ひらがなカタカナ'), 8);
    assert.equal(countTokens('한국어'), 3);
    assert.equal(countTokens('用户 list'), 4);
  });

  it('counts what is neither higher than letters', () => {
    assert.ok(countTokens('🌍🌍') > countTokens('abcd'));
    assert.ok(countTokens('สวัสดี') > countTokens('abcdef'));
  });

  it('counts whole messages and tools, frames and arguments too', () => {
    assert.ok(countMessageTokens(user('a'.repeat(400))) > 100);
    const asked = {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'a', name: 'x', arguments: { text: 'a'.repeat(400) } }],
    } as const;
    assert.ok(countMessageTokens(asked) > 100);
    assert.ok(
      countMessageTokens({ role: 'user', content: [{ kind: 'image', mimeType: 'image/png', data: 'xx' }] }) >= 1000,
    );
    assert.ok(
      countToolTokens(tool('x', { type: 'object', properties: { a: { description: 'a'.repeat(400) } } })) > 100,
    );
  });
});
