import assert from 'node:assert/strict';
import { settingsCursor } from '../../../src/settings/settingsCursor.ts';

/** What can be written at the `|` of a text, with the text that it would take the place of. */
function at(marked: string): unknown {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const cursor = settingsCursor(text, 'settings', offset);
  if (cursor === undefined) return undefined;
  const { span, ...rest } = cursor;
  return { ...rest, replaces: text.slice(span.offset, span.offset + span.length) };
}

describe('what can be written at a place of the settings', () => {
  it('a server has its name directly in the object of servers', () => {
    const expected = { kind: 'server-name', hasValue: false, replaces: '' };
    assert.deepEqual(at('{ "mcp.servers": { | } }'), expected);
    assert.deepEqual(at('{ "mcp.servers": { "a": {}, | } }'), expected);
    assert.deepEqual(at('{ "mcp": { "servers": { | } } }'), expected);
    assert.deepEqual(at('{ "mcp.servers": { "|" } }'), { ...expected, replaces: '""' });
    assert.deepEqual(at('{ "mcp.servers": { "a|b": {} } }'), { ...expected, hasValue: true, replaces: '"ab"' });
  });

  it('no server has its name inside of an entry or elsewhere in the file', () => {
    for (const text of ['{ | }', '{ "mcp.servers": { "a": { | } } }', '{ "editor": { | } }', '|'])
      assert.equal(at(text), undefined, text);
  });

  it('a variable begins with a dollar in any string of an entry', () => {
    const variable = (replaces: string): unknown => ({ kind: 'variable', server: 'a', replaces });
    assert.deepEqual(at('{ "mcp.servers": { "a": { "url": "http://$|" } } }'), variable('$'));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "url": "http://${en|v:X}/" } } }'), variable('${env:X}'));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "args": ["-t", "${input:|"] } } }'), variable('${input:'));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "headers": { "A": "Bearer ${|}" } } } }'), variable('${}'));
  });

  it('a variable that is over, and a dollar outside of servers, are left alone', () => {
    assert.equal(at('{ "mcp.servers": { "a": { "url": "${env:X}|" } } }'), undefined);
    assert.equal(at('{ "terminal": "$|" }'), undefined);
  });

  it('tools have their names in the lists that name tools', () => {
    const tool = (replaces: string): unknown => ({ kind: 'tool-name', server: 'a', replaces });
    assert.deepEqual(at('{ "mcp.servers": { "a": { "tools": ["|"] } } }'), tool('""'));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "tools": [ | ] } } }'), tool(''));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "tools": { "deny": ["x", "de|l"] } } } }'), tool('"del"'));
    assert.deepEqual(at('{ "mcp.servers": { "a": { "autoApprove": ["|"] } } }'), tool('""'));
    assert.equal(at('{ "mcp.servers": { "a": { "args": ["|"] } } }'), undefined);
  });
});
