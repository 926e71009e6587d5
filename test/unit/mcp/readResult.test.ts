import assert from 'node:assert/strict';
import { readCallToolResult } from '../../../src/mcp/readResult.ts';

describe('readCallToolResult', () => {
  it('keeps text that a server did not dress as a block', () => {
    const content = ['one', { text: 'two' }, null, 5, { type: 'text', text: 'three' }];
    assert.deepEqual(readCallToolResult({ content }, 's').content, [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
      { type: 'text', text: 'three' },
    ]);
  });
});
