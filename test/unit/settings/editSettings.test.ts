import assert from 'node:assert/strict';
import {
  addInput,
  addServer,
  applyEdits,
  removeServer,
  removeValue,
  renameKey,
  setValue,
  type DocumentKind,
} from '../../../src/settings/editSettings.ts';

const add = (text: string, kind?: DocumentKind): string => applyEdits(text, addServer(text, 'n', { url: 'u' }, kind));
const remove = (text: string): string => applyEdits(text, removeServer(text, 'n'));

describe('edits of a settings file', () => {
  it('begin a file that is empty, or holds comments alone', () => {
    const body = '{\n    "mcp.servers": {\n        "n": {\n            "url": "u"\n        }\n    }\n}\n';
    assert.equal(add(''), body);
    assert.equal(add('// mine\n'), `// mine\n${body}`);
    assert.equal(add('// mine'), `// mine\n${body}`);
  });

  it('keep comments where they stand, the indentation and the line ends', () => {
    assert.equal(
      add('{\n\t// first\n\t"a": 1 // about a\n\t/* end */\n}\n'),
      '{\n\t// first\n\t"a": 1, // about a\n\t"mcp.servers": {\n\t\t"n": {\n\t\t\t"url": "u"\n\t\t}\n\t}\n\t/* end */\n}\n',
    );
    assert.equal(
      add('{\r\n  "mcp.servers": {\r\n    "x": {} /* y, z */\r\n  }\r\n}'),
      '{\r\n  "mcp.servers": {\r\n    "x": {}, /* y, z */\r\n    "n": {\r\n      "url": "u"\r\n    }\r\n  }\r\n}',
    );
    assert.equal(
      add('{ // why\n}'),
      '{ // why\n    "mcp.servers": {\n        "n": {\n            "url": "u"\n        }\n    }\n}',
    );
  });

  it('keep a trailing comma as the style of the file', () => {
    assert.equal(
      add('{\n  "mcp.servers": {\n    "x": {}, // y\n  },\n}'),
      '{\n  "mcp.servers": {\n    "x": {}, // y\n    "n": {\n      "url": "u"\n    },\n  },\n}',
    );
  });

  it('stay on one line where the object does', () => {
    assert.equal(add('{"mcp.servers": {"x": {}}}'), '{"mcp.servers": {"x": {}, "n": { "url": "u" }}}');
    assert.equal(add('{"mcp.servers": {"x": {},}}'), '{"mcp.servers": {"x": {}, "n": { "url": "u" }}}');
  });

  it('go where the servers of the file stand', () => {
    const nested = '{ "mcp": { "servers": { "x": {} } } }';
    assert.equal(add(nested), '{ "mcp": { "servers": { "x": {}, "n": { "url": "u" } } } }');
    assert.deepEqual(JSON.parse(add('{ "mcp": { "discovery": true } }')), {
      mcp: { discovery: true },
      'mcp.servers': { n: { url: 'u' } },
    });
    assert.deepEqual(JSON.parse(add('{ "servers": {} }', 'mcp')), { servers: { n: { url: 'u' } } });
    assert.deepEqual(JSON.parse(add('{ "folders": [], "settings": { "a": 1 } }', 'workspace')), {
      folders: [],
      settings: { a: 1, 'mcp.servers': { n: { url: 'u' } } },
    });
  });

  it('replace an entry of the name, and a null', () => {
    assert.deepEqual(JSON.parse(add('{ "mcp.servers": { "n": { "url": "old", "x": 1 } } }')), {
      'mcp.servers': { n: { url: 'u' } },
    });
    assert.deepEqual(JSON.parse(add('{ "mcp.servers": null }')), { 'mcp.servers': { n: { url: 'u' } } });
  });

  it('change the member that counts where a name stands twice', () => {
    const text = '{ "mcp.servers": { "a": {} }, "mcp.servers": { "b": {} } }';
    assert.equal(add(text), '{ "mcp.servers": { "a": {} }, "mcp.servers": { "b": {}, "n": { "url": "u" } } }');
  });

  it('take a member away with its line, and leave no comma too many', () => {
    assert.equal(remove('{"mcp.servers": {"a": 1, "n": 2}}'), '{"mcp.servers": {"a": 1}}');
    assert.equal(remove('{"mcp.servers": {"n": 1, "b": 2}}'), '{"mcp.servers": {"b": 2}}');
    assert.equal(remove('{"mcp.servers": {"n": 1}}'), '{"mcp.servers": {}}');
    assert.equal(remove('{"mcp.servers": { "n": 1, /* b */ "b": 2 }}'), '{"mcp.servers": { /* b */ "b": 2 }}');
    assert.equal(
      remove('{\n  "mcp.servers": {\n    // a\n    "a": {}, // a2\n    // n\n    "n": {} // n2\n    // end\n  }\n}'),
      '{\n  "mcp.servers": {\n    // a\n    "a": {} // a2\n    // n\n    // end\n  }\n}',
    );
    assert.equal(
      remove('{\n  "mcp.servers": {\n    "n": {}, // n2\n    // b\n    "b": {},\n  }\n}'),
      '{\n  "mcp.servers": {\n    // b\n    "b": {},\n  }\n}',
    );
    assert.equal(remove('{ "a": 1 }'), '{ "a": 1 }');
    assert.equal(applyEdits('{"a":[1,2,3]}', removeValue('{"a":[1,2,3]}', ['a', 2])), '{"a":[1,2]}');
  });

  it('add an input once', () => {
    const text = '{\n  "mcp.inputs": [\n    { "id": "a" } // first\n  ]\n}';
    const after = applyEdits(text, addInput(text, { id: 'b' }));
    assert.equal(after, '{\n  "mcp.inputs": [\n    { "id": "a" }, // first\n    {\n      "id": "b"\n    }\n  ]\n}');
    assert.deepEqual(addInput(after, { id: 'b' }), []);
  });

  it('rename a member and nothing else', () => {
    const text = '{ "mcpServers" /* x */ : {} }';
    assert.equal(applyEdits(text, renameKey(text, ['mcpServers'], 'mcp.servers')), '{ "mcp.servers" /* x */ : {} }');
  });

  it('refuse a broken file with the line, and a place that is taken', () => {
    assert.throws(() => addServer('{\n  "a": 1\n  "b": 2\n}', 'n', {}), /Line 3 .* Correct it first/);
    assert.throws(() => addServer('{ "mcp.servers": [] }', 'n', {}), /a list at "mcp\.servers"/);
    assert.throws(() => setValue('{ "a": "text" }', ['a', 'b'], 1), /a string at "a"/);
  });

  it('can be read again whatever the file looked like', () => {
    const layouts = ['{}', '{\n}', '{ }', '{ "x": [1, 2] }', '{\n  "x": {\n    "y": 1,\n  },\n}', '{"mcp.servers":{}}'];
    for (const layout of layouts) {
      const once = add(layout);
      const twice = applyEdits(once, addServer(once, 'm', { command: 'c', args: ['-y'] }));
      const parsed: unknown = JSON.parse(twice.replaceAll(/,(\s*[}\]])/g, '$1'));
      assert.deepEqual(Reflect.get(Object(parsed), 'mcp.servers'), {
        n: { url: 'u' },
        m: { command: 'c', args: ['-y'] },
      });
    }
  });
});
