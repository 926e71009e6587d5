import assert from 'node:assert/strict';
import { fencedBlock, inlineCode, plain } from '../../../src/model/planner/markdown.ts';

describe('foreign text in Markdown', () => {
  it('stays inside fences longer than any of its own', () => {
    assert.equal(inlineCode('a `b` c'), '``a `b` c``');
    assert.equal(inlineCode('`a`'), '`` `a` ``');
    assert.equal(inlineCode('two\n\nlines'), '`two lines`');
    assert.equal(fencedBlock('a\n````\nb', 'text'), '`````text\na\n````\nb\n`````');
  });

  it('is cut without halving a character', () => {
    assert.equal(inlineCode('ab😀cd', 4), '`ab…`');
    assert.equal(fencedBlock('ab😀cd', '', 3), '```\nab\n…\n```');
  });

  it('loses its meaning in Markdown outside of code', () => {
    assert.equal(plain('[x](http://e) <b> *a* `c`'), String.raw`\[x\](http\://e) \<b\> \*a\* \`c\``);
  });
});
