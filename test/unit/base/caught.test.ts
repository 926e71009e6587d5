import assert from 'node:assert/strict';
import { asError, messageOf } from '../../../src/base/caught.ts';

describe('caught', () => {
  it('an error stays the same error', () => {
    const error = new TypeError('broken');
    assert.equal(asError(error), error);
    assert.equal(messageOf(error), 'broken');
  });

  it('what is no error is told as text', () => {
    assert.equal(asError('ended').message, 'ended');
    assert.ok(asError(undefined) instanceof Error);
    assert.equal(messageOf(undefined), 'undefined');
    assert.equal(messageOf(7), '7');
  });
});
