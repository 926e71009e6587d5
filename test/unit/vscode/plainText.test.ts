import assert from 'node:assert/strict';
import {
  clip,
  escapeMarkdown,
  fence,
  inlineCode,
  oneLine,
  plain,
  plainWords,
  prettyJson,
  showInvisible,
  withoutMention,
} from '../../../src/vscode/plainText.ts';

describe('foreign text', () => {
  it('shows bidirectional, invisible and control characters by their code', () => {
    assert.equal(showInvisible('a\u202Eb'), 'a<U+202E>b');
    assert.equal(showInvisible('\u2066x\u2069'), '<U+2066>x<U+2069>');
    assert.equal(showInvisible('zero\u200Bwidth\uFEFF'), 'zero<U+200B>width<U+FEFF>');
    assert.equal(showInvisible('esc\u001B[31m'), 'esc<U+001B>[31m');
    assert.equal(showInvisible('tag\u{E0041}'), 'tag<U+E0041>');
    assert.equal(showInvisible('soft\u00ADhyphen'), 'soft<U+00AD>hyphen');
    assert.equal(showInvisible('half \uD800 pair'), 'half <U+D800> pair');
  });

  it('leaves words of all scripts, emoji, line feeds and tabs alone', () => {
    const text = 'Grüße 你好 こんにちは мир 👩‍💻 ❤️ 🇨🇳\n\tend';
    assert.equal(showInvisible(text), text);
  });

  it('shows a joiner or selector that belongs to no emoji', () => {
    assert.equal(showInvisible('a\u200Db'), 'a<U+200D>b');
    assert.equal(showInvisible('a\uFE0F'), 'a<U+FE0F>');
  });

  it('is cut between characters, and says how much was left out', () => {
    assert.equal(clip('abcdef', 3), 'abc… (+3)');
    assert.equal(clip('a👍b', 2), 'a… (+3)');
    assert.equal(clip('abc', 3), 'abc');
  });

  it('becomes one line', () => {
    assert.equal(oneLine('  a\r\n\n b\tc '), 'a b c');
    assert.equal(oneLine('x'.repeat(300)).length, 201);
  });

  it('cannot become a link, an image, HTML, an icon or emphasis', () => {
    const hostile =
      '[x](command:quit) ![](https://e.com/b.png) <img src=x> $(error) **b** `c` # h https://e.com a@b.c &lt;';
    const escaped = escapeMarkdown(hostile);
    for (const sign of ['[x](', '![](', '<img', '$(', '**', ' `c', ' # h', 'https://', 'a@b']) {
      assert(!escaped.includes(sign), `${sign} in ${escaped}`);
    }
    assert.match(escaped, /&amp;lt;$/, 'an entity stays the characters it was');
    assert.equal(plain('a\n# b'), 'a \\# b');
  });

  it('stays as it is in titles where nothing of it could be more than words', () => {
    assert.equal(plainWords('spring-ai-mcp-sample'), 'spring-ai-mcp-sample');
    assert.equal(plainWords('get_users v2.0'), 'get_users v2.0');
    assert.equal(plainWords('添加 用户'), '添加 用户');
    assert.equal(plainWords('_all_'), '\\_all\\_');
    assert.equal(plainWords('[x](y)'), '\\[x\\]\\(y\\)');
    assert.equal(plainWords('see www.evil.example'), 'see www\\.evil\\.example');
  });

  it('stays inside inline code, whatever backticks it holds', () => {
    assert.equal(inlineCode('plain'), '`plain`');
    assert.equal(inlineCode('a`b'), '``a`b``');
    assert.equal(inlineCode('`` x'), '``` `` x ```');
    assert.equal(inlineCode(''), '`  `');
  });

  it('stays inside a fence, whatever fences it holds', () => {
    const text = fence('a\n````\n[x](command:quit)', 'json');
    assert(text.startsWith('`````json\n') && text.endsWith('\n`````'));
  });

  it('tells what JSON cannot hold', () => {
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    assert.match(prettyJson(ring), /circular/);
    assert.equal(prettyJson(undefined), 'undefined');
  });
});

describe('a literal mention at the beginning of a prompt', () => {
  it('is taken away once', () => {
    assert.equal(withoutMention('@mcp list users'), 'list users');
    assert.equal(withoutMention('  @MCP, list users'), 'list users');
    assert.equal(withoutMention('@mcp：你好'), '你好');
    assert.equal(withoutMention('@mcp'), '');
    assert.equal(withoutMention('@mcp @mcp x'), '@mcp x');
  });

  it('is left where it is another word or stands later', () => {
    assert.equal(withoutMention('@mcpx list'), '@mcpx list');
    assert.equal(withoutMention('ask @mcp'), 'ask @mcp');
    assert.equal(withoutMention('list users'), 'list users');
  });
});
