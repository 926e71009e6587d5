import assert from 'node:assert/strict';
import { readTarget } from '../../../src/vscode/serverTarget.ts';

describe('the server that a command is about', () => {
  const target = { identity: 'wf0/a/b', name: 'a/b', source: 'wf0' };

  it('is that of a row of the view, also where its name has a slash', () => {
    assert.deepEqual(readTarget({ kind: 'tool', server: { ...target, tools: [] }, tool: { name: 'x' } }), target);
    assert.deepEqual(readTarget({ kind: 'bad-entry', entry: { name: 'a/b', source: 'wf0', message: 'no' } }), target);
  });

  it('is that of a lens, or of a caller who knows the identity alone', () => {
    assert.deepEqual(readTarget(target), target);
    assert.deepEqual(readTarget({ identity: 'wf0/a/b' }), target);
  });

  it('is nobody for anything else', () => {
    for (const argument of [
      undefined,
      null,
      'a',
      3,
      {},
      { name: 'a' },
      { identity: '/a' },
      { server: 'a' },
      { note: 'no-model' },
    ])
      assert.equal(readTarget(argument), undefined, JSON.stringify(argument));
  });
});
