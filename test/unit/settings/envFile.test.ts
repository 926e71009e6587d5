import assert from 'node:assert/strict';
import { parseEnvFile } from '../../../src/settings/envFile.ts';

function parse(text: string): Record<string, string> {
  return Object.fromEntries(parseEnvFile(text));
}

describe('parseEnvFile', () => {
  it('reads quotes, comments, export and escapes as people write them', () => {
    const text = ['A=bar # c', 'B="x # y" # c', "C='p#q'", 'D=p#q', 'export E=1', 'F=', 'G="a\\nb"'].join('\n');
    const expected = { A: 'bar', B: 'x # y', C: 'p#q', D: 'p#q', E: '1', F: '', G: 'a\nb' };
    assert.deepEqual(parse(text), expected);
    assert.deepEqual(parse(`\uFEFF${text.replaceAll('\n', '\r\n')}`), expected);
    assert.deepEqual(parse(`${text}\n`), expected);
  });

  it('begins a comment only after white space', () => {
    assert.deepEqual(parse('COLOUR=#fff\nURL=http://h/#top # comment\nPASS=a#b#c\n# X=1\n  # Y=2\nZ=1#'), {
      COLOUR: '#fff',
      URL: 'http://h/#top',
      PASS: 'a#b#c',
      Z: '1#',
    });
  });

  it('cuts a comment that follows a closing quote, and goes on with the next line', () => {
    assert.deepEqual(parse("A=\"x\"# c\nB='y' # it's\nC=`z` # c\nD=1"), { A: 'x', B: 'y', C: 'z', D: '1' });
  });

  it('keeps what is inside quotes', () => {
    assert.deepEqual(parse('A="l1\nl2"\nB=\'a\\nb\'\nC="say \'hi\'"\nD="  x  "\nE=\'{"a": "b#c"}\''), {
      A: 'l1\nl2',
      B: 'a\\nb',
      C: "say 'hi'",
      D: '  x  ',
      E: '{"a": "b#c"}',
    });
  });

  it('reads blanks around the sign, values with signs, and characters of every kind', () => {
    assert.deepEqual(parse('A = b\n  B=c=d==\nC=ключ😀\n\n\nD.e-f=1\nnot a line\nG=end'), {
      A: 'b',
      B: 'c=d==',
      C: 'ключ😀',
      'D.e-f': '1',
      G: 'end',
    });
  });

  it("lets the last of two lines count, and no line reach an object's birth names", () => {
    assert.deepEqual(parse('A=1\nA=2\n__proto__=x'), { A: '2' });
  });
});
