import assert from 'node:assert/strict';
import { splitWords } from '../../../src/vscode/splitWords.ts';

describe('what is typed after a command', () => {
  const known = new Set(['city', 'state']);

  it('is taken apart at blanks, and quotes keep words together', () => {
    assert.deepEqual(splitWords(` one "two three" 'four five'  six`, known).plain, [
      'one',
      'two three',
      'four five',
      'six',
    ]);
    assert.deepEqual(splitWords('', known), { plain: [], named: {} });
  });

  it('has arguments by name, also with quotes and empty ones', () => {
    const { plain, named } = splitWords(`city="New York" state='New Jersey' rest`, known);
    assert.deepEqual([plain, named], [['rest'], { city: 'New York', state: 'New Jersey' }]);
    assert.deepEqual(splitWords('city= x', known).named, { city: '' });
  });

  it('a name that is no argument is a word like any other', () => {
    assert.deepEqual(splitWords('a=b https://x.example/?city=1', known), {
      plain: ['a=b', 'https://x.example/?city=1'],
      named: {},
    });
  });
});
