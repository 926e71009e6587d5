import assert from 'node:assert/strict';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import type { ServerEntry } from '../../../src/settings/serverEntry.ts';

/** The one entry that `entry` gives, which must have no error. */
function parseOne(entry: unknown): { entry: ServerEntry; hints: string[] } {
  const { entries, problems } = parseServers({ one: entry }, 'usrlocal');
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  const [first] = entries;
  assert.ok(first);
  return { entry: first, hints: problems.map(({ path, severity }) => `${severity} ${path}`) };
}

/** The errors of `entry`, beside a plain server that must not suffer. */
function errorsOf(entry: unknown): string[] {
  const { entries, problems } = parseServers({ bad: entry, good: { url: 'http://localhost:1/sse' } }, 'usrlocal');
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['good'],
  );
  const errors = problems.filter(({ severity }) => severity === 'error');
  assert.ok(errors.length > 0);
  return errors.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseServers', () => {
  it('reads a full stdio entry', () => {
    const { entry, hints } = parseOne({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'some-server', 8080, true],
      cwd: '${workspaceFolder}/tools',
      env: { A: '1' },
      envFile: '.env',
      timeout: 90,
      prefix: 'abc',
      disabled: true,
    });
    assert.deepEqual(hints, []);
    assert.deepEqual(entry, {
      name: 'one',
      source: 'usrlocal',
      path: 'mcp.servers.one',
      segments: ['one'],
      launch: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'some-server', '8080', 'true'],
        cwd: '${workspaceFolder}/tools',
      },
      env: { A: '1' },
      envFile: '.env',
      timeoutMs: 90_000,
      prefix: 'abc',
      disabled: true,
    });
  });

  it('reads a full http entry', () => {
    const { entry, hints } = parseOne({
      type: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer ${input:token}', 'X-Version': 2 },
      oauth: { clientId: 'abc', scopes: ['read', 'write'], enterpriseManaged: true },
      ca: '~/ca.pem',
    });
    assert.deepEqual(hints, []);
    assert.deepEqual(entry.launch, {
      kind: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer ${input:token}', 'X-Version': '2' },
      oauth: { clientId: 'abc', scopes: ['read', 'write'], enterpriseManaged: true },
      ca: ['~/ca.pem'],
    });
  });

  it('infers a missing type from url or command', () => {
    assert.equal(parseOne({ url: 'http://localhost:1/mcp' }).entry.launch.kind, 'auto');
    assert.equal(parseOne({ command: 'node' }).entry.launch.kind, 'stdio');
    assert.equal(parseOne({ type: null, url: 'http://localhost:1/mcp' }).entry.launch.kind, 'auto');
  });

  it('understands every usual spelling of a type', () => {
    const spellings = {
      sse: ['sse', 'SSE', 'http+sse', 'http-sse'],
      http: [
        'http',
        'HTTP',
        'https',
        'streamable-http',
        'streamableHttp',
        'streamable_http',
        'http-stream',
        'StreamableHTTP',
        'streamable http',
      ],
      auto: ['remote', 'auto'],
    };
    for (const [kind, words] of Object.entries(spellings)) {
      for (const type of words) assert.equal(parseOne({ type, url: 'http://h/mcp' }).entry.launch.kind, kind, type);
    }
    for (const type of ['stdio', 'STDIO', 'local', 'std-io'])
      assert.equal(parseOne({ type, command: 'x' }).entry.launch.kind, 'stdio', type);
  });

  it('gives a hint for a foreign spelling and none for its own', () => {
    assert.deepEqual(parseOne({ type: 'sse', url: 'http://h/' }).hints, []);
    assert.deepEqual(parseOne({ type: 'streamable-http', url: 'http://h/' }).hints, ['hint mcp.servers.one.type']);
    assert.deepEqual(parseOne({ serverUrl: 'http://h/' }).hints, ['hint mcp.servers.one.serverUrl']);
  });

  it('understands the members of other products', () => {
    const http = (entry: object): ServerEntry['launch'] => parseOne(entry).entry.launch;
    const url = 'http://h/mcp';
    assert.deepEqual(http({ serverUrl: url }), { kind: 'auto', url, headers: {} });
    assert.deepEqual(http({ httpUrl: url }), { kind: 'http', url, headers: {} });
    assert.deepEqual(http({ URL: url, transport: 'sse' }), { kind: 'sse', url, headers: {} });
    assert.deepEqual(http({ transport: { type: 'streamable-http', url } }), { kind: 'http', url, headers: {} });
    assert.deepEqual(http({ url, requestInit: { headers: { A: 'b' } } }), { kind: 'auto', url, headers: { A: 'b' } });
    assert.deepEqual(http({ url, http_headers: { A: 'b' }, bearer_token_env_var: 'TOKEN' }), {
      kind: 'auto',
      url,
      headers: { A: 'b', Authorization: 'Bearer ${env:TOKEN}' },
    });
    assert.deepEqual(http({ url, env_http_headers: { 'X-Key': 'KEY' } }), {
      kind: 'auto',
      url,
      headers: { 'X-Key': '${env:KEY}' },
    });
    assert.deepEqual(parseOne({ command: 'x', environment: { A: 'b' } }).entry.env, { A: 'b' });
    assert.deepEqual(parseOne({ command: 'x', envVars: { A: 'b' } }).entry.env, { A: 'b' });
    assert.deepEqual(parseOne({ command: 'x', env: ['A=b=c', 'D='] }).entry.env, { A: 'b=c', D: '' });
    assert.deepEqual(parseOne({ command: 'x', workingDirectory: '/w' }).entry.launch, {
      kind: 'stdio',
      command: 'x',
      args: [],
      cwd: '/w',
    });
    assert.equal(parseOne({ command: 'x', enabled: false }).entry.disabled, true);
    assert.equal(parseOne({ command: 'x', isActive: false }).entry.disabled, true);
    assert.equal(parseOne({ command: 'x', isActive: true }).entry.disabled, false);
    assert.equal(parseOne({ command: 'x', timeoutMs: 1500 }).entry.timeoutMs, 1500);
    assert.equal(parseOne({ command: 'x', tool_timeout_sec: 5 }).entry.timeoutMs, 5000);
    assert.deepEqual(parseOne({ command: 'x', alwaysAllow: ['a', 'b'] }).entry.autoApprove, {
      allow: ['a', 'b'],
      deny: [],
    });
    assert.deepEqual(parseOne({ command: 'x', trust: true }).entry.autoApprove, { allow: ['*'], deny: [] });
    assert.deepEqual(parseOne({ command: 'x', includeTools: ['a'], excludeTools: ['b'] }).entry.tools, {
      allow: ['a'],
      deny: ['b'],
    });
    assert.deepEqual(parseOne({ command: 'x', disabledTools: ['b'] }).entry.tools, { deny: ['b'] });
  });

  it('takes a command apart that holds its arguments', () => {
    const launch = (entry: object): unknown => {
      const { launch } = parseOne(entry).entry;
      return launch.kind === 'stdio' ? [launch.command, ...launch.args] : launch;
    };
    assert.deepEqual(launch({ command: ['uvx', 'thing', 1] }), ['uvx', 'thing', '1']);
    assert.deepEqual(launch({ command: 'npx -y thing' }), ['npx', '-y', 'thing']);
    assert.deepEqual(launch({ command: 'npx -y', args: ['thing'] }), ['npx', '-y', 'thing']);
    assert.deepEqual(launch({ command: '/usr/bin/node "/a b/x.js"' }), ['/usr/bin/node', '/a b/x.js']);
    assert.deepEqual(launch({ command: 'node', args: '-e "a b" c' }), ['node', '-e', 'a b', 'c']);
    assert.deepEqual(launch({ command: 'C:\\Program Files\\nodejs\\node.exe C:\\x.js' }), [
      'C:\\Program Files\\nodejs\\node.exe',
      'C:\\x.js',
    ]);
  });

  it('leaves a path with blanks whole', () => {
    for (const command of [
      'C:\\Program Files\\x y\\run.cmd',
      '/opt/my tools/run',
      './my server',
      '${workspaceFolder}/a b/run.sh',
    ]) {
      assert.deepEqual(parseOne({ command }).entry.launch, { kind: 'stdio', command, args: [] });
    }
  });

  it('makes text of numbers and booleans, and lets null remove a variable', () => {
    const { entry, hints } = parseOne({ command: 'x', env: { PORT: 14002, GUI: true, X: null, EMPTY: '' } });
    assert.deepEqual(entry.env, { PORT: '14002', GUI: 'true', X: null, EMPTY: '' });
    assert.deepEqual(hints, []);
    assert.deepEqual(parseOne({ url: 'http://h/', headers: { A: 1, B: null, C: false } }).entry.launch, {
      kind: 'auto',
      url: 'http://h/',
      headers: { A: '1', C: 'false' },
    });
  });

  it('names the member whose value cannot be used', () => {
    const command = 'x';
    const url = 'http://h/';
    const cases: [unknown, RegExp][] = [
      [{ command, env: { Y: ['a'] } }, /^mcp\.servers\.bad\.env\.Y: .*a list/],
      [{ command, env: { Y: { a: 1 } } }, /^mcp\.servers\.bad\.env\.Y: .*an object/],
      [{ command, env: { 'A=B': 'c' } }, /^mcp\.servers\.bad\.env\.A=B: /],
      [{ command, env: { A: 'a\0b' } }, /^mcp\.servers\.bad\.env\.A: .*NUL/],
      [{ command, env: 'A' }, /^mcp\.servers\.bad\.env: /],
      [{ url, headers: { X: 'a\nb' } }, /^mcp\.servers\.bad\.headers\.X: .*line break/],
      [{ url, headers: { X: 'a\r\nEvil: 1' } }, /^mcp\.servers\.bad\.headers\.X: .*line break/],
      [{ url, headers: { X: 'ключ' } }, /^mcp\.servers\.bad\.headers\.X: .*Latin-1/],
      [{ url, headers: { X: '😀' } }, /^mcp\.servers\.bad\.headers\.X: .*Latin-1/],
      [{ url, headers: { X: ['a'] } }, /^mcp\.servers\.bad\.headers\.X: .*a list/],
      [{ url, headers: { 'X Y': 'a' } }, /^mcp\.servers\.bad\.headers\.X Y: /],
      [{ url, headers: { '': 'a' } }, /^mcp\.servers\.bad\.headers\.: /],
      [{ url, headers: 'X: y' }, /^mcp\.servers\.bad\.headers: /],
      [{ command, args: ['a', null] }, /^mcp\.servers\.bad\.args\[1\]: .*null/],
      [{ command, args: [['a']] }, /^mcp\.servers\.bad\.args\[0\]: .*a list/],
      [{ command, args: { a: 1 } }, /^mcp\.servers\.bad\.args: /],
      [{ command, cwd: 1 }, /^mcp\.servers\.bad\.cwd: /],
      [{ command, cwd: '' }, /^mcp\.servers\.bad\.cwd: .*empty/],
      [{ command, envFile: ['a'] }, /^mcp\.servers\.bad\.envFile: /],
      [{ command, timeout: 'soon' }, /^mcp\.servers\.bad\.timeout: .*seconds/],
      [{ command, timeout: -1 }, /^mcp\.servers\.bad\.timeout: /],
      [{ command, timeout: 0 }, /^mcp\.servers\.bad\.timeout: /],
      [{ command, timeout: true }, /^mcp\.servers\.bad\.timeout: /],
      [{ command, timeout: '' }, /^mcp\.servers\.bad\.timeout: /],
      [{ command, disabled: 'yes' }, /^mcp\.servers\.bad\.disabled: /],
      [{ command, prefix: 'a b' }, /^mcp\.servers\.bad\.prefix: /],
      [{ command, prefix: 7 }, /^mcp\.servers\.bad\.prefix: /],
      [{ command, tools: 5 }, /^mcp\.servers\.bad\.tools: /],
      [{ command, tools: ['a', 5] }, /^mcp\.servers\.bad\.tools\[1\]: /],
      [{ command, autoApprove: 5 }, /^mcp\.servers\.bad\.autoApprove: /],
      [{ url, oauth: 'yes' }, /^mcp\.servers\.bad\.oauth: /],
      [{ url, oauth: { clientId: 5 } }, /^mcp\.servers\.bad\.oauth\.clientId: /],
      [{ url, ca: 5 }, /^mcp\.servers\.bad\.ca: /],
    ];
    for (const [entry, expected] of cases) assert.match(errorsOf(entry).join('\n'), expected, JSON.stringify(entry));
  });

  it('tells what a launch lacks, or has twice', () => {
    const cases: [unknown, RegExp][] = [
      [{}, /^mcp\.servers\.bad: .*"url".*"command"/],
      [{ type: 'sse' }, /^mcp\.servers\.bad\.url: "url" is missing/],
      [{ type: 'http', command: 'x' }, /^mcp\.servers\.bad\.url: "url" is missing.*stdio/],
      [{ type: 'stdio' }, /^mcp\.servers\.bad\.command: "command" is missing/],
      [{ type: 'stdio', url: 'http://h/' }, /^mcp\.servers\.bad\.command: "command" is missing/],
      [{ command: 'x', url: 'http://h/' }, /^mcp\.servers\.bad\.url: .*not both/],
      [{ type: 'websocket', url: 'http://h/' }, /^mcp\.servers\.bad\.type: The type "websocket" is not known/],
      [{ type: 5, url: 'http://h/' }, /^mcp\.servers\.bad\.type: /],
      [{ command: '' }, /^mcp\.servers\.bad\.command: .*empty/],
      [{ command: '  ' }, /^mcp\.servers\.bad\.command: .*empty/],
      [{ command: [] }, /^mcp\.servers\.bad\.command: .*empty/],
      [{ command: 5 }, /^mcp\.servers\.bad\.command: .*a number/],
      [{ command: { file: 'x' } }, /^mcp\.servers\.bad\.command: .*an object/],
      [{ url: '' }, /^mcp\.servers\.bad\.url: .*empty/],
      [{ url: 5 }, /^mcp\.servers\.bad\.url: .*a number/],
      [{ url: 'localhost:3000/sse' }, /^mcp\.servers\.bad\.url: .*in front/],
      [{ url: 'example.com/mcp' }, /^mcp\.servers\.bad\.url: .*in front/],
      [{ url: 'http://' }, /^mcp\.servers\.bad\.url: .*not a URL/],
      [{ url: 'http://h:99999/' }, /^mcp\.servers\.bad\.url: .*not a URL/],
      [{ url: 'ws://h/' }, /^mcp\.servers\.bad\.url: .*WebSocket/],
      [{ url: 'file:///etc/passwd' }, /^mcp\.servers\.bad\.url: .*"file:"/],
      [{ url: 'javascript:alert(1)' }, /^mcp\.servers\.bad\.url: .*"javascript:"/],
      ['npx', /^mcp\.servers\.bad: .*must be an object.*a string/],
      [null, /^mcp\.servers\.bad: .*null/],
      [[], /^mcp\.servers\.bad: .*a list/],
      [true, /^mcp\.servers\.bad: .*true/],
    ];
    for (const [entry, expected] of cases) assert.match(errorsOf(entry).join('\n'), expected, JSON.stringify(entry));
  });

  it('finds servers that are wrapped once more', () => {
    for (const wrapper of ['mcpServers', 'servers', 'mcp.servers', 'mcp', 'mcp_servers']) {
      const { entries, problems } = parseServers(
        { [wrapper]: { a: { command: 'x' }, b: { url: 'http://h/' } } },
        'usrlocal',
      );
      assert.deepEqual(
        entries.map(({ name, path }) => [name, path]),
        [
          ['a', `mcp.servers.${wrapper}.a`],
          ['b', `mcp.servers.${wrapper}.b`],
        ],
      );
      assert.deepEqual(
        problems.map(({ path, severity }) => `${severity} ${path}`),
        [`hint mcp.servers.${wrapper}`],
      );
    }
    const twice = parseServers({ mcp: { servers: { a: { command: 'x' } } }, b: { command: 'y' } }, 'usrlocal');
    assert.deepEqual(
      twice.entries.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  it('takes a server for a server that is named like a wrapper', () => {
    const { entries, problems } = parseServers({ servers: { command: 'x' }, mcp: { url: 'http://h/' } }, 'usrlocal');
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['servers', 'mcp'],
    );
    assert.deepEqual(problems, []);
  });

  it('hands on inputs that were pasted with the servers', () => {
    const inputs = [{ id: 'a', type: 'promptString' }];
    const parsed = parseServers({ inputs, servers: { a: { command: 'x' } }, $schema: 'https://x' }, 'usrlocal');
    assert.equal(parsed.inputs, inputs);
    assert.deepEqual(
      parsed.entries.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      parsed.problems.filter(({ severity }) => severity !== 'hint'),
      [],
    );
  });

  it('understands a list of named entries', () => {
    const { entries, problems } = parseServers([{ name: 'a', command: 'x' }, { command: 'y' }], 'usrlocal');
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      problems.map(({ path, severity }) => `${severity} ${path}`),
      ['hint mcp.servers', 'error mcp.servers[1]'],
    );
  });

  it('tells of an entry that has no name', () => {
    const { entries, problems } = parseServers({ command: 'npx', args: ['x'] }, 'usrlocal');
    assert.deepEqual(entries, []);
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /without a name/);
  });

  it('tells of a setting that is no object, and takes none for empty', () => {
    for (const value of [5, 'x', true]) assert.equal(parseServers(value, 'usrlocal').problems[0]?.path, 'mcp.servers');
    for (const value of [undefined, null, {}])
      assert.deepEqual(parseServers(value, 'usrlocal'), { entries: [], problems: [] });
  });

  it('uses one of two servers of one name and tells of the other', () => {
    const { entries, problems } = parseServers(
      { a: { command: 'x' }, mcpServers: { a: { command: 'y' } } },
      'usrlocal',
    );
    assert.equal(entries.length, 1);
    const errors = problems.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['mcp.servers.mcpServers.a'],
    );
  });

  it('is not confused by names that objects have by birth', () => {
    const value: unknown = JSON.parse(`{
      "__proto__": { "command": "x", "env": { "__proto__": "1", "constructor": "2" } },
      "constructor": { "command": "x", "__proto__": { "url": "http://evil/" }, "toString": 1 },
      "hasOwnProperty": { "url": "http://h/", "headers": { "__proto__": "x" } }
    }`);
    const { entries, problems } = parseServers(value, 'usrlocal');
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['__proto__', 'constructor', 'hasOwnProperty'],
    );
    assert.deepEqual(Object.entries(entries[0]?.env ?? {}), [
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    assert.deepEqual(entries[1]?.launch, { kind: 'stdio', command: 'x', args: [] });
    assert.equal(Object.hasOwn(Object.prototype, 'url'), false);
  });

  it('warns of unknown members, near ones by name, and keeps the entry', () => {
    const { entries, problems } = parseServers(
      { a: { command: 'x', argz: ['y'], colour: 'red', description: 'fine' } },
      'usrlocal',
    );
    assert.equal(entries.length, 1);
    assert.deepEqual(
      problems.map(({ path, severity }) => `${severity} ${path}`),
      ['warning mcp.servers.a.argz', 'hint mcp.servers.a.colour'],
    );
    assert.match(problems[0]?.message ?? '', /Did you mean "args"/);
  });

  it('says which of two members of one meaning counts', () => {
    const { entries, problems } = parseServers({ a: { serverUrl: 'http://other/', url: 'http://own/' } }, 'usrlocal');
    assert.deepEqual(entries[0]?.launch, { kind: 'auto', url: 'http://own/', headers: {} });
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'warning').map(({ path }) => path),
      ['mcp.servers.a.serverUrl'],
    );
  });

  it('reads text numbers and flags with a hint, and bounds a timeout in milliseconds', () => {
    assert.equal(parseOne({ command: 'x', timeout: '30' }).entry.timeoutMs, 30_000);
    assert.equal(parseOne({ command: 'x', disabled: 'true' }).entry.disabled, true);
    const { entry, hints } = parseOne({ command: 'x', timeout: 60_000 });
    assert.equal(entry.timeoutMs, 30 * 60_000);
    assert.deepEqual(hints, ['warning mcp.servers.one.timeout']);
  });

  it('leaves the headers of the protocol to the protocol', () => {
    const { entry, hints } = parseOne({
      url: 'http://h/',
      headers: { Accept: '*/*', 'content-type': 'x', 'X-A': '1' },
    });
    assert.deepEqual(entry.launch, { kind: 'auto', url: 'http://h/', headers: { 'X-A': '1' } });
    assert.deepEqual(hints, ['hint mcp.servers.one.headers.Accept', 'hint mcp.servers.one.headers.content-type']);
  });

  it('sends the last of two headers that differ in case alone', () => {
    const { entry, hints } = parseOne({ url: 'http://h/', headers: { authorization: 'a', Authorization: 'b' } });
    assert.deepEqual(entry.launch, { kind: 'auto', url: 'http://h/', headers: { Authorization: 'b' } });
    assert.deepEqual(hints, ['warning mcp.servers.one.headers.Authorization']);
  });

  it('warns once of a placeholder that lacks its dollar sign, and passes it as it is', () => {
    const { entry, hints } = parseOne({ command: 'node', args: ['{workspaceFolder}/x.js', '{workspaceFolder}/y.js'] });
    assert.deepEqual(entry.launch, {
      kind: 'stdio',
      command: 'node',
      args: ['{workspaceFolder}/x.js', '{workspaceFolder}/y.js'],
    });
    assert.deepEqual(hints, ['warning mcp.servers.one.args[0]']);
    for (const text of [
      '{env:X}',
      '{input:x}',
      '$(workspaceFolder)/x',
      '$workspaceFolder/x',
      '{{userHome}}',
      '~/x',
      '$HOME/x',
    ]) {
      assert.deepEqual(parseOne({ command: 'node', args: [text] }).hints, ['warning mcp.servers.one.args[0]'], text);
    }
    for (const text of ['${workspaceFolder}/x.js', '{"json": 1}', '{a}', 'cost$5', '${env:A}${input:b}']) {
      assert.deepEqual(parseOne({ command: 'node', args: [text] }).hints, [], text);
    }
  });

  it('suggests the right form of a placeholder', () => {
    const { problems } = parseServers({ a: { command: 'x', args: ['{workspaceFolder:b}/y'] } }, 'usrlocal');
    assert.match(problems[0]?.message ?? '', /write "\$\{workspaceFolder:b\}"/);
  });
});
