import assert from 'node:assert/strict';
import { getMaxListeners } from 'node:events';
import { linkedController } from '../../../src/base/abort.ts';

describe('linkedController', () => {
  it('is aborted with any of its signals, for the reason of that one, until it is released', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const linked = linkedController(one.signal, undefined, other.signal);
    const released = linkedController(one.signal);
    released.release();
    one.abort('enough');
    assert.equal(linked.controller.signal.reason, 'enough');
    assert.equal(released.controller.signal.aborted, false);
  });

  it('lets any number listen without a warning', () => {
    assert.equal(getMaxListeners(linkedController().controller.signal), 0);
  });
});
