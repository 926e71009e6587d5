import assert from 'node:assert/strict';
import { documentKindOf, findServerPlace, serverPlaces } from '../../../src/settings/serverPlaces.ts';
import type { DocumentKind } from '../../../src/settings/settingsPlaces.ts';

/** Each entry as `name: text of the key → text of the value`. */
function found(text: string, kind: DocumentKind = 'settings'): string[] {
  const cut = ({ offset, length }: { offset: number; length: number }): string => text.slice(offset, offset + length);
  return serverPlaces(text, kind).map(({ name, key, value }) => `${name}: ${cut(key)} → ${cut(value)}`);
}

describe('the places of servers in a text', () => {
  it('the dotted and the nested key are found, with comments and commas at the end', () => {
    const text = `{
      // "mcp.servers": { "no": {} },
      "mcp.servers": { "a": { "url": "http://a/" }, /* later */ "b.c": { "command": "x" }, },
      "mcp": { "servers": { "d": {} } },
    }`;
    assert.deepEqual(found(text), [
      'a: "a" → { "url": "http://a/" }',
      'b.c: "b.c" → { "command": "x" }',
      'd: "d" → {}',
    ]);
  });

  it('a workspace file holds them below its settings, an mcp.json at its top', () => {
    const workspace =
      '{ "folders": [], "settings": { "mcp.servers": { "a": {} }, "mcp": { "servers": { "b": {} } } } }';
    assert.deepEqual(found(workspace, 'workspace'), ['a: "a" → {}', 'b: "b" → {}']);
    assert.deepEqual(found(workspace, 'settings'), []);
    assert.deepEqual(found('{ "servers": { "a": {} }, "inputs": [] }', 'mcp'), ['a: "a" → {}']);
    assert.deepEqual(found('{ "mcpServers": { "a": {} } }', 'mcp'), ['a: "a" → {}']);
  });

  it('servers that were pasted one step too deep, or as a list, are found where they stand', () => {
    assert.deepEqual(found('{ "mcp.servers": { "mcpServers": { "a": { "command": "x" } } } }'), [
      'a: "a" → { "command": "x" }',
    ]);
    assert.deepEqual(found('{ "mcp.servers": [{ "name": "a", "url": "http://a/" }] }'), [
      'a: { "name": "a", "url": "http://a/" } → { "name": "a", "url": "http://a/" }',
    ]);
  });

  it('a text that is being written gives what can be read of it', () => {
    assert.deepEqual(found('{ "mcp.servers": { "a": { "url": "http://a/" }, "b": '), [
      'a: "a" → { "url": "http://a/" }',
    ]);
    for (const text of ['', '{', 'null', '[]', '{ "mcp.servers": ', '{ "mcp.servers": 3 }', '{ "mcp": [] }'])
      assert.deepEqual(found(text), [], text);
  });

  it('a name that stands twice is found where it counts: at its last place', () => {
    const text = '{ "mcp.servers": { "a": { "url": "http://one/" }, "a": { "url": "http://two/" } } }';
    const { offset, length } = findServerPlace(text, 'settings', 'a')?.value ?? { offset: 0, length: 0 };
    assert.match(text.slice(offset, offset + length), /two/);
    assert.equal(findServerPlace(text, 'settings', 'A'), undefined);
  });

  it('files are told by their names', () => {
    const kinds = [
      '/User/settings.json',
      '/w/.vscode/mcp.json',
      '/w/a.code-workspace',
      '/w/tasks.json',
      '/w/xsettings.json',
    ];
    assert.deepEqual(kinds.map(documentKindOf), ['settings', 'mcp', 'workspace', undefined, undefined]);
  });
});
