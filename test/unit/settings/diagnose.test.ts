import assert from 'node:assert/strict';
import { diagnose as diagnoseText, type DiagnoseOptions, type Finding } from '../../../src/settings/diagnose.ts';
import { applyEdits, type DocumentKind } from '../../../src/settings/editSettings.ts';

const diagnose = (text: string, kind: DocumentKind, options?: DiagnoseOptions): Finding[] =>
  diagnoseText(text, kind, options) ?? assert.fail('the text is broken');

const plain = (text: string): unknown =>
  JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/,(\s*[}\]])/g, '$1'));

/** The one finding whose message fits, with the text that it marks and what the first fix makes of the file. */
function find(
  text: string,
  message: RegExp,
  kind: DocumentKind = 'settings',
): { finding: Finding; marked: string; fixed: string } {
  const all = diagnose(text, kind);
  const found = all.filter((each) => message.test(each.message));
  const [finding] = found;
  assert(finding && found.length === 1, `${found.length} of ${JSON.stringify(all.map((each) => each.message))}`);
  const [fix] = finding.fixes;
  const fixed = fix ? applyEdits(text, fix.edits) : text;
  if (fix) assert(!diagnose(fixed, kind).some((each) => message.test(each.message)), `still there: ${fixed}`);
  return { finding, marked: text.slice(finding.offset, finding.offset + finding.length), fixed };
}

const settings = (entry: string): string => `{\n  // mine\n  "mcp.servers": {\n    "some": ${entry}\n  }\n}`;
const entryOf = (text: string): unknown => Reflect.get(Object(Reflect.get(Object(plain(text)), 'mcp.servers')), 'some');

describe('diagnostics of a settings file', () => {
  it('a sound file has none', () => {
    const text = settings(
      '{ "type": "http", "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer ${input:t}" }, "timeout": 5 }',
    ).replace(/\}$/, ', "mcp.inputs": [{ "id": "t", "type": "promptString", "password": true }] }');
    assert.deepEqual(diagnose(text, 'settings'), []);
    assert.deepEqual(diagnose('', 'settings'), []);
    assert.deepEqual(diagnose('{ "editor.fontSize": 12, "mcp": { "discovery": true } }', 'settings'), []);
  });

  it('an unknown member is marked by its name and can be renamed or removed', () => {
    const slip = find(settings('{ "url": "http://a/mcp", "haeders": {} }'), /Did you mean "headers"/);
    assert.equal(slip.marked, '"haeders"');
    assert.deepEqual(entryOf(slip.fixed), { url: 'http://a/mcp', headers: {} });
    assert.match(slip.fixed, /\/\/ mine/);
    const odd = find(settings('{ "url": "http://a/mcp", "colour": "red" }'), /"colour" is not known/);
    assert.deepEqual(entryOf(odd.fixed), { url: 'http://a/mcp' });
  });

  it('a wrong type is marked at its value', () => {
    assert.equal(find(settings('{ "command": "x", "args": 7 }'), /must be a list/).marked, '7');
    const flag = find(settings('{ "command": "x", "disabled": "true" }'), /without quotes/);
    assert.equal(flag.marked, '"true"');
    assert.deepEqual(entryOf(flag.fixed), { command: 'x', disabled: true });
    const timeout = find(settings('{ "command": "x", "timeout": "30" }'), /without quotes/);
    assert.deepEqual(entryOf(timeout.fixed), { command: 'x', timeout: 30 });
    assert.equal(find(settings('"http://a"'), /must be an object/).marked, '"http://a"');
    assert.equal(find(settings('{ "type": "sse" }'), /"url" is missing/).marked, '"some"');
  });

  for (const [written, right] of [
    ['{ "serverUrl": "http://a/mcp" }', { url: 'http://a/mcp' }],
    ['{ "type": "streamable-http", "url": "http://a/mcp" }', { type: 'http', url: 'http://a/mcp' }],
    ['{ "transport": "sse", "url": "http://a/x" }', { type: 'sse', url: 'http://a/x' }],
    ['{ "httpUrl": "http://a/mcp" }', { url: 'http://a/mcp', type: 'http' }],
    ['{ "command": "x", "enabled": false }', { command: 'x', disabled: true }],
    ['{ "command": "x", "alwaysAllow": ["a"] }', { command: 'x', autoApprove: ['a'] }],
    ['{ "command": "x", "timeoutMs": 5000 }', { command: 'x', timeout: 5 }],
    ['{ "command": "npx -y thing" }', { command: 'npx', args: ['-y', 'thing'] }],
    ['{ "command": ["npx", "-y"] }', { command: 'npx', args: ['-y'] }],
    ['{ "command": "x", "args": "a b" }', { command: 'x', args: ['a', 'b'] }],
    ['{ "command": "x", "env": ["A=b"] }', { command: 'x', env: { A: 'b' } }],
    ['{ "transport": { "type": "http", "url": "http://a/mcp" } }', { type: 'http', url: 'http://a/mcp' }],
    ['{ "command": "x", "args": ["{workspaceFolder}/a"] }', { command: 'x', args: ['${workspaceFolder}/a'] }],
    ['{ "command": "x", "env": { "A": "${env.HOME}" } }', { command: 'x', env: { A: '${env:HOME}' } }],
    ['{ "url": "http://a/sse" }', { url: 'http://a/sse', type: 'sse' }],
  ] as const) {
    it(`${written} can be written as it is called here`, () => {
      const text = settings(written);
      const all = diagnose(text, 'settings').filter(({ fixes }) => fixes.length > 0);
      assert.equal(all.length, 1, JSON.stringify(all));
      const fixed = applyEdits(text, all[0]?.fixes[0]?.edits ?? []);
      assert.deepEqual(entryOf(fixed), right);
      assert.match(fixed, /\/\/ mine/);
      assert.deepEqual(diagnose(fixed, 'settings'), []);
    });
  }

  it('a type that nobody knows can be left out', () => {
    const slip = find(settings('{ "type": "ssee", "url": "http://a/mcp" }'), /"ssee" is not known/);
    assert.deepEqual(entryOf(slip.fixed), { url: 'http://a/mcp' });
  });

  it('a nested key becomes the dotted one, with its comments', () => {
    const text =
      '{\n  "a": 1,\n  "mcp": {\n    // mine\n    "servers": {\n      "x": { "command": "x" }, // this\n    },\n    "inputs": [],\n  },\n}';
    const { marked, fixed } = find(text, /in one word/);
    assert.equal(marked, '"mcp"');
    assert.equal(
      fixed,
      '{\n  "a": 1,\n  // mine\n  "mcp.servers": {\n    "x": { "command": "x" }, // this\n  },\n  "mcp.inputs": [],\n}',
    );
    const workspace = '{ "folders": [], "settings": { "mcp": { "servers": {} } } }';
    assert.deepEqual(plain(find(workspace, /in one word/, 'workspace').fixed), {
      folders: [],
      settings: { 'mcp.servers': {} },
    });
  });

  it('both forms beside each other are told', () => {
    const { finding } = find('{ "mcp": { "servers": {} }, "mcp.servers": {} }', /only the later one counts/);
    assert.deepEqual(finding.fixes, []);
  });

  it('a pasted "mcpServers" is renamed, or taken out of "mcp.servers"', () => {
    const outer = find('{ "mcpServers": { "x": { "command": "x" } } }', /is not read here/);
    assert.deepEqual(plain(outer.fixed), { 'mcp.servers': { x: { command: 'x' } } });
    const file = find('{ "mcpServers": {} }', /is not read here/, 'mcp');
    assert.deepEqual(plain(file.fixed), { servers: {} });
    const inner = find('{ "mcp.servers": { "mcpServers": { "x": { "command": "x" } } } }', /one step too deep/);
    assert.deepEqual(plain(inner.fixed), { 'mcp.servers': { x: { command: 'x' } } });
  });

  it('what is understood in another place of the entry is not overwritten', () => {
    const { fixes = [] } =
      diagnose(settings('{ "serverUrl": "http://a/mcp", "url": "http://b/mcp" }'), 'settings')[0] ?? {};
    assert.deepEqual(fixes, []);
  });

  describe('a secret in clear text', () => {
    for (const [written, right] of [
      [
        '{ "url": "http://a/mcp", "headers": { "Authorization": "Bearer abc12345xyz" } }',
        { url: 'http://a/mcp', headers: { Authorization: 'Bearer ${input:some-authorization}' } },
      ],
      [
        '{ "url": "http://a/mcp", "headers": { "X-Api-Key": "k" } }',
        { url: 'http://a/mcp', headers: { 'X-Api-Key': '${input:some-x-api-key}' } },
      ],
      [
        '{ "command": "x", "env": { "GITHUB_TOKEN": "abc" } }',
        { command: 'x', env: { GITHUB_TOKEN: '${input:some-github-token}' } },
      ],
      [
        '{ "command": "x", "env": { "OPENAI_API_KEY": "abc" } }',
        { command: 'x', env: { OPENAI_API_KEY: '${input:some-openai-api-key}' } },
      ],
      [
        '{ "command": "x", "env": { "PLAIN": "ghp_abcdefghijklmnopqrstuvwxyz0123456789" } }',
        { command: 'x', env: { PLAIN: '${input:some-plain}' } },
      ],
      ['{ "command": "x", "args": ["--api-key=abc"] }', { command: 'x', args: ['--api-key=${input:some-api-key}'] }],
      ['{ "command": "x", "args": ["--token", "abc"] }', { command: 'x', args: ['--token', '${input:some-token}'] }],
      ['{ "url": "https://a/mcp?api_key=abc&x=1" }', { url: 'https://a/mcp?api_key=${input:some-api-key}&x=1' }],
      ['{ "url": "https://ann:pass@a/mcp" }', { url: 'https://ann:${input:some-password}@a/mcp' }],
      [
        '{ "url": "http://a/mcp", "oauth": { "clientId": "c", "clientSecret": "abc" } }',
        { url: 'http://a/mcp', oauth: { clientId: 'c', clientSecret: '${input:some-clientsecret}' } },
      ],
    ] as const) {
      it(`${written} becomes an input with a password`, () => {
        const { fixed, finding } = find(settings(written), /secret in clear text/);
        assert.deepEqual(entryOf(fixed), right);
        const inputs: unknown = Reflect.get(Object(plain(fixed)), 'mcp.inputs');
        assert(Array.isArray(inputs) && inputs.length === 1);
        const [input]: unknown[] = inputs;
        assert.deepEqual(
          [Reflect.get(Object(input), 'type'), Reflect.get(Object(input), 'password')],
          ['promptString', true],
        );
        assert(JSON.stringify(right).includes(`\${input:${String(Reflect.get(Object(input), 'id'))}}`));
        assert.equal(finding.severity, 'warning');
        assert.doesNotMatch(finding.message, /abc|pass\b/);
      });
    }

    it('of mcp.json goes to the inputs of mcp.json, and no id is used twice', () => {
      const text =
        '{ "servers": { "s": { "command": "x", "env": { "A_TOKEN": "abc" } } }, "inputs": [{ "id": "s-a-token" }] }';
      const { fixed } = find(text, /clear text/, 'mcp');
      assert.deepEqual(plain(fixed), {
        servers: { s: { command: 'x', env: { A_TOKEN: '${input:s-a-token-2}' } } },
        inputs: [
          { id: 's-a-token' },
          { id: 's-a-token-2', type: 'promptString', description: 'A_TOKEN of s', password: true },
        ],
      });
    });

    it('is not seen in what holds none', () => {
      for (const entry of [
        '{ "command": "x", "env": { "MAX_TOKENS": "4096", "TOKEN_LIMIT": "100000", "TOKEN_FILE": "/run/token", "KEYBOARD": "us", "SORT_KEY": "name", "GITHUB_TOKEN": "${env:GITHUB_TOKEN}", "EMPTY_TOKEN": "" } }',
        '{ "url": "http://a/mcp?page=2&monkey=1", "headers": { "Accept-Language": "de", "X-Version": "2" } }',
        '{ "command": "x", "args": ["--token", "--verbose", "--monkey", "banana", "--tokenizer", "bpe"] }',
        '{ "url": "http://a/mcp", "headers": { "Authorization": "Bearer ${input:t}" } }',
      ]) {
        const told = diagnose(settings(entry), 'settings').filter(({ message }) => /clear text/.test(message));
        assert.deepEqual(told, [], entry);
      }
    });
  });

  describe('a variable without a value', () => {
    it('an input that nobody defines can be defined, as a password where it is one', () => {
      const text = settings('{ "url": "http://a/mcp", "headers": { "Authorization": "Bearer ${input:pat}" } }');
      const { fixed, marked } = find(text, /There is no input "pat"/);
      assert.equal(marked, '"Bearer ${input:pat}"');
      assert.deepEqual(Reflect.get(Object(plain(fixed)), 'mcp.inputs'), [
        { id: 'pat', type: 'promptString', description: 'pat', password: true },
      ]);
      assert.deepEqual(diagnose(text, 'settings', { otherInputs: new Set(['pat']) }), []);
    });

    it('an unknown one is told, one without a name too', () => {
      assert.deepEqual(entryOf(find(settings('{ "command": "x", "args": ["${myFolder}"] }'), /no variable/).fixed), {
        command: 'x',
        args: ['${env:myFolder}'],
      });
      find(settings('{ "command": "x", "args": ["${env:}"] }'), /names nothing/);
    });

    it('known ones are not', () => {
      const text = settings(
        '{ "command": "${userHome}/x", "args": ["${workspaceFolder:a}", "${pathSeparator}", "${config:a.b}", "${env:A}", "${HOME}", "${A:-b}"], "cwd": "${workspaceFolder}" }',
      );
      assert.deepEqual(diagnose(text, 'settings'), []);
    });
  });

  it('a broken file is left to the editor', () => {
    const whole = settings('{ "serverUrl": "http://a/sse", "env": { "A_TOKEN": "abc" }, "args": ["${x}"] }');
    for (let length = 1; length < whole.length; length++) {
      const findings = diagnoseText(whole.slice(0, length), 'settings');
      assert(findings === undefined || findings.length === 0, String(length));
    }
  });
});
