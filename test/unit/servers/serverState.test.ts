import assert from 'node:assert/strict';
import { shownKind } from '../../../src/servers/serverState.ts';

describe('the state to show of a server', () => {
  const error = new Error('nothing listens there');

  it('is failed while it is tried again by itself', () => {
    assert.equal(shownKind({ kind: 'failed', error }), 'failed');
    assert.equal(shownKind({ kind: 'connecting', attempt: 2, error }), 'failed');
  });

  it('is connecting at the first attempt, also after a session that broke', () => {
    assert.equal(shownKind({ kind: 'connecting', attempt: 1 }), 'connecting');
    assert.equal(shownKind({ kind: 'connecting', attempt: 1, error }), 'connecting');
  });
});
