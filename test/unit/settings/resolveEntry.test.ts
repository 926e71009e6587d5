import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '../../../src/mcp/serverConfig.ts';
import type { Lookup } from '../../../src/settings/lookup.ts';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import { resolveEntry } from '../../../src/settings/resolveEntry.ts';

const one = { name: 'a', path: '/w/a' };
const two = { name: 'b', path: '/w/b' };

async function resolve(entry: unknown, lookup: Lookup = {}, source = 'usrlocal'): Promise<ServerConfig> {
  const [parsed] = parseServers({ one: entry }, source).entries;
  assert.ok(parsed);
  return resolveEntry(parsed, { env: {}, userHome: '/home/me', platform: 'linux', ...lookup });
}

/** Arguments, with their variables replaced. */
async function args(args: string[], lookup: Lookup = {}, source = 'usrlocal'): Promise<readonly string[] | undefined> {
  const config = await resolve({ command: 'x', args }, lookup, source);
  return config.kind === 'stdio' ? config.args : undefined;
}

async function cwd(entry: object, lookup: Lookup, source: string): Promise<string | undefined> {
  const config = await resolve({ command: 'x', ...entry }, lookup, source);
  return config.kind === 'stdio' ? config.cwd : undefined;
}

describe('resolveEntry', () => {
  it('gives plain values', async () => {
    assert.deepEqual(await resolve({ command: 'node', args: ['x.js'], env: { A: null, B: '1' }, timeout: 5 }), {
      kind: 'stdio',
      name: 'one',
      command: 'node',
      args: ['x.js'],
      env: { A: null, B: '1' },
      cwd: '/home/me',
      inheritedEnv: {},
      timeoutMs: 5000,
    });
    assert.deepEqual(await resolve({ type: 'sse', url: 'http://h/', headers: { A: 'b' }, oauth: { clientId: 'c' } }), {
      kind: 'sse',
      name: 'one',
      url: 'http://h/',
      headers: { A: 'b' },
      oauth: { clientId: 'c' },
    });
  });

  it('replaces variables in every string', async () => {
    const lookup: Lookup = {
      env: { TOKEN: 'secret', HOST: 'h' },
      workspaceFolders: [one],
      input: async (id) => `answer to ${id}`,
      config: (key) => (key === 'a.port' ? 8080 : undefined),
    };
    assert.deepEqual(
      await args(
        [
          '${env:TOKEN}-${env:HOST}',
          '${input:x}',
          '${workspaceFolder}/y',
          '${userHome}',
          'a${/}b${pathSeparator}c',
          '${config:a.port}',
          '${workspaceFolderBasename}',
        ],
        lookup,
      ),
      ['secret-h', 'answer to x', '/w/a/y', '/home/me', 'a/b/c', '8080', 'a'],
    );
    const stdio = await resolve(
      { command: '${env:HOST}/bin', cwd: '${workspaceFolder}', env: { A: '${env:TOKEN}' } },
      lookup,
    );
    assert.deepEqual(stdio.kind === 'stdio' && [stdio.command, stdio.cwd, stdio.env], [
      'h/bin',
      '/w/a',
      { A: 'secret' },
    ]);
    const http = await resolve(
      {
        url: 'http://${env:HOST}/x',
        headers: { A: 'Bearer ${env:TOKEN}' },
        oauth: { clientId: '${env:TOKEN}', more: { deep: ['${env:HOST}', 1] } },
        ca: '-----BEGIN CERTIFICATE-----${env:TOKEN}',
      },
      lookup,
    );
    assert.deepEqual(http, {
      kind: 'auto',
      name: 'one',
      url: 'http://h/x',
      headers: { A: 'Bearer secret' },
      oauth: { clientId: 'secret', more: { deep: ['h', 1] } },
      ca: ['-----BEGIN CERTIFICATE-----secret'],
    });
  });

  it('uses the separators of Windows on Windows', async () => {
    assert.deepEqual(await args(['a${/}b', '${env:path}'], { platform: 'win32', env: { Path: 'C:\\x' } }), [
      'a\\b',
      'C:\\x',
    ]);
  });

  it('takes a value as it is, whatever it looks like', async () => {
    assert.deepEqual(await args(['${env:A}'], { env: { A: '${env:B} $& $1 {workspaceFolder}' } }), [
      '${env:B} $& $1 {workspaceFolder}',
    ]);
  });

  it('names the variable that has no value, and where it stands', async () => {
    const cases: [unknown, Lookup, RegExp][] = [
      [
        { command: 'x', args: ['a', '${env:NOPE}'] },
        {},
        /mcp\.servers\.one\.args\[1\].*\$\{env:NOPE\}.*NOPE is not set/,
      ],
      [{ url: 'http://h/', headers: { A: 'Bearer ${env:NOPE}' } }, {}, /mcp\.servers\.one\.headers\.A.*NOPE/],
      [{ url: 'http://${env:NOPE}/' }, {}, /mcp\.servers\.one\.url.*NOPE/],
      [{ command: '${env:NOPE}' }, {}, /mcp\.servers\.one\.command.*NOPE/],
      [{ command: 'x', cwd: '${env:NOPE}' }, {}, /mcp\.servers\.one\.cwd.*NOPE/],
      [{ command: 'x', env: { A: '${env:NOPE}' } }, {}, /mcp\.servers\.one\.env\.A.*NOPE/],
      [{ command: 'x', envFile: '${env:NOPE}' }, {}, /mcp\.servers\.one\.envFile.*NOPE/],
      [{ command: 'x', args: ['${input:key}'] }, {}, /args\[0\].*input "key"/],
      [{ command: 'x', args: ['${input:key}'] }, { input: async () => undefined }, /args\[0\].*input "key"/],
      [
        { command: 'x', args: ['${input:key}'] },
        { input: () => Promise.reject(new Error('the prompt was closed')) },
        /args\[0\].*the prompt was closed/,
      ],
      [{ command: 'x', args: ['${config:a.b}'] }, {}, /args\[0\].*setting "a\.b"/],
      [{ command: 'x', args: ['${config:a.b}'] }, { config: () => ({}) }, /args\[0\].*setting "a\.b"/],
      [{ command: 'x', args: ['${workspaceFolder}'] }, {}, /args\[0\].*no folder is open/],
      [{ command: 'x', args: ['${workspaceFolder:c}'] }, { workspaceFolders: [one, two] }, /args\[0\].*"c".*"a", "b"/],
      [{ command: 'x', args: ['${file}'] }, {}, /args\[0\].*\$\{file\}.*\$\{env:NAME\}/],
      [{ command: 'x', args: ['${env.HOME}'] }, {}, /args\[0\].*\$\{env:HOME\}/],
      [{ command: 'x', args: ['${env:}'] }, {}, /args\[0\].*name.*missing/],
      [{ command: 'x', args: ['${}'] }, {}, /args\[0\]/],
      [{ command: 'x', args: ['${constructor}', '${__proto__}'] }, {}, /args\[0\].*args\[1\]/],
    ];
    for (const [entry, lookup, expected] of cases)
      await assert.rejects(resolve(entry, lookup), expected, JSON.stringify(entry));
  });

  it('names all that is missing at once', async () => {
    await assert.rejects(
      resolve({ command: 'x', args: ['${env:A}', '${env:B}'], env: { C: '${env:C}' } }),
      (error: Error) => {
        assert.match(error.message, /^one: /);
        for (const name of ['A', 'B', 'C']) assert.match(error.message, new RegExp(`environment variable ${name} `));
        return true;
      },
    );
  });

  it('lets a variable that is set to nothing be nothing', async () => {
    assert.deepEqual(await args(['a${env:EMPTY}b'], { env: { EMPTY: '' } }), ['ab']);
  });

  it("understands shells' own form and its default", async () => {
    assert.deepEqual(await args(['${TOKEN}', '${NOPE:-other}', '${TOKEN:-other}'], { env: { TOKEN: 't' } }), [
      't',
      'other',
      't',
    ]);
    await assert.rejects(args(['${NOPE}']), /NOPE is not set/);
  });

  it('finds workspace folders by source and by name', async () => {
    const both = { workspaceFolders: [one, two] };
    assert.deepEqual(await args(['${workspaceFolder}'], { workspaceFolders: [one] }), ['/w/a']);
    assert.deepEqual(await args(['${workspaceFolder}'], both), ['/w/a']);
    assert.deepEqual(await args(['${workspaceFolder}'], both, 'wf1'), ['/w/b']);
    assert.deepEqual(await args(['${workspaceFolder:b}'], both), ['/w/b']);
    assert.deepEqual(await args(['${workspaceFolder:b}'], { workspaceFolders: ['/w/a', '/x/b'] }), ['/x/b']);
  });

  it('asks for an input once, and only when nothing else is missing', async () => {
    const asked: string[] = [];
    const input = async (id: string): Promise<string> => {
      asked.push(id);
      return 'v';
    };
    assert.deepEqual(await args(['${input:a}${input:a}', '${input:a}', '${input:b}'], { input }), ['vv', 'v', 'v']);
    assert.deepEqual(asked.sort(), ['a', 'b']);
    asked.length = 0;
    await assert.rejects(args(['${input:a}', '${env:NOPE}'], { input }), /NOPE/);
    assert.deepEqual(asked, []);
  });

  it('tells every value that may be a secret', async () => {
    const secrets: string[] = [];
    await resolve(
      { command: 'x', args: ['${env:A}', '${input:b}'], envFile: '/f' },
      {
        env: { A: 'sa' },
        input: async () => 'sb',
        readFile: async () => 'C=sc',
        onSecret: (value) => secrets.push(value),
      },
    );
    assert.deepEqual([...new Set(secrets)].sort(), ['sa', 'sb', 'sc']);
    assert.ok(!secrets.includes(''));
  });

  describe('with an envFile', () => {
    const files: Record<string, string> = {
      '/w/a/.env.local': 'DB=x\nONLY=file',
      '/home/me/.env': 'DB=home',
      '/home/me/sub/.env': 'DB=sub',
    };
    const lookup: Lookup = {
      env: { DB: 'process', P: 'p' },
      workspaceFolders: [one],
      readFile: async (path) => {
        const text = files[path];
        if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
        return text;
      },
    };

    it('replaces variables in its path first, and offers its values to args', async () => {
      const config = await resolve(
        { command: 'x', args: ['${env:DB}', '${env:P}'], envFile: '${workspaceFolder}/.env.local' },
        lookup,
      );
      assert.deepEqual(config.kind === 'stdio' && [config.args, config.env], [['x', 'p'], { DB: 'x', ONLY: 'file' }]);
    });

    it('lets env win over the file, and the file over the process', async () => {
      const config = await resolve(
        { command: 'x', args: ['${env:DB}'], env: { DB: 'env', COPY: '${env:DB}' }, envFile: '.env.local' },
        lookup,
        'wf0',
      );
      assert.deepEqual(config.kind === 'stdio' && [config.args, config.env], [
        ['env'],
        { DB: 'env', ONLY: 'file', COPY: 'x' },
      ]);
    });

    it('lets null in env remove what the file sets', async () => {
      const config = await resolve(
        { command: 'x', env: { DB: null }, envFile: '${workspaceFolder}/.env.local' },
        lookup,
      );
      assert.deepEqual(config.kind === 'stdio' && config.env, { DB: null, ONLY: 'file' });
      await assert.rejects(resolve({ command: 'x', args: ['${env:DB}'], env: { DB: null } }, lookup), /DB.*removes it/);
    });

    it('finds it from home, from the home folder where none is open, and below the workspace folder', async () => {
      const db = async (envFile: string, more: Lookup = {}): Promise<unknown> => {
        const config = await resolve({ command: 'x', envFile }, { ...lookup, ...more });
        return config.kind === 'stdio' && config.env?.['DB'];
      };
      assert.equal(await db('~/.env'), 'home');
      assert.equal(await db('sub/.env', { workspaceFolders: [] }), 'sub');
      assert.equal(await db('./.env.local'), 'x');
    });

    it('serves the headers of an http entry too', async () => {
      const config = await resolve({ url: 'http://h/', headers: { A: '${env:DB}' }, envFile: './.env.local' }, lookup);
      assert.deepEqual(config.kind !== 'stdio' && config.headers, { A: 'x' });
    });

    it('names a file that does not exist', async () => {
      await assert.rejects(
        resolve({ command: 'x', envFile: 'nope.env' }, lookup),
        /mcp\.servers\.one\.envFile.*\/w\/a\/nope\.env.*does not exist/,
      );
    });

    it('reads a file of the disk', async () => {
      await assert.rejects(
        resolve({ command: 'x', envFile: '/nowhere/nope.env' }),
        /\/nowhere\/nope\.env.*does not exist/,
      );
    });
  });

  it('finds a relative program below the open folder where there is none in the working folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'programs-'));
    const home = join(folder, 'home');
    const work = join(folder, 'work');
    await Promise.all([mkdir(home), mkdir(work)]);
    await Promise.all(
      [join(work, 'run.sh'), join(work, 'both.sh'), join(home, 'both.sh')].map((path) => writeFile(path, '')),
    );
    const lookup = { userHome: home, workspaceFolders: [work] };
    const commandOf = async (entry: object): Promise<unknown> => {
      const config = await resolve(entry, lookup);
      return 'command' in config ? config.command : undefined;
    };
    assert.equal(await commandOf({ command: './run.sh' }), join(work, 'run.sh'));
    assert.equal(await commandOf({ command: './both.sh' }), './both.sh');
    assert.equal(await commandOf({ command: './none.sh' }), './none.sh');
    assert.equal(await commandOf({ command: './run.sh', cwd: home }), './run.sh');
    await rm(folder, { recursive: true });
  });

  it('chooses the working folder', async () => {
    const open = { workspaceFolders: [one, two] };
    const cases: [object, Lookup, string, string][] = [
      [{}, open, 'usrlocal', '/home/me'],
      [{}, open, 'usrremote', '/home/me'],
      [{}, open, 'wf0', '/w/a'],
      [{}, open, 'wf1', '/w/b'],
      [{}, open, 'workspace', '/w/a'],
      [{}, {}, 'workspace', '/home/me'],
      [{ cwd: 'tools' }, open, 'wf1', '/w/b/tools'],
      [{ cwd: './tools' }, open, 'wf0', '/w/a/tools'],
      [{ cwd: 'tools' }, open, 'usrlocal', '/w/a/tools'],
      [{ cwd: 'tools' }, {}, 'usrlocal', '/home/me/tools'],
      [{ cwd: '/a b/c' }, open, 'wf0', '/a b/c'],
      [{ cwd: '${workspaceFolder}/tools' }, open, 'wf1', '/w/b/tools'],
      [{ cwd: '~' }, open, 'wf0', '/home/me'],
      [{ cwd: '~/x' }, open, 'wf0', '/home/me/x'],
      [{ cwd: '..' }, open, 'wf0', '/w'],
    ];
    for (const [entry, lookup, source, expected] of cases) {
      assert.equal(await cwd(entry, lookup, source), expected, `${JSON.stringify(entry)} ${source}`);
    }
  });

  it('reads ~ at the start of a command', async () => {
    const config = await resolve({ command: '~/bin/server' });
    assert.equal(config.kind === 'stdio' && config.command, '/home/me/bin/server');
  });

  it('checks the values that variables gave', async () => {
    await assert.rejects(resolve({ url: '${env:U}' }, { env: { U: 'ftp://h/' } }), /mcp\.servers\.one\.url.*"ftp:"/);
    await assert.rejects(resolve({ url: '${env:U}' }, { env: { U: 'nonsense' } }), /mcp\.servers\.one\.url.*URL/);
    await assert.rejects(resolve({ command: '${env:C}' }, { env: { C: ' ' } }), /mcp\.servers\.one\.command.*empty/);
    await assert.rejects(
      resolve({ url: 'http://h/', headers: { A: '${env:T}' } }, { env: { T: 'tok\n' } }),
      (error: Error) =>
        /mcp\.servers\.one\.headers\.A.*line break/.test(error.message) && !error.message.includes('tok'),
    );
    await assert.rejects(
      resolve({ url: 'http://h/', ca: 'nope.pem' }),
      /mcp\.servers\.one\.ca\[0\].*nope\.pem.*does not exist/,
    );
  });

  it('hands the environment on only where one was given', async () => {
    const [parsed] = parseServers({ one: { command: 'x' } }, 'usrlocal').entries;
    assert.ok(parsed);
    assert.equal('inheritedEnv' in (await resolveEntry(parsed, {})), false);
  });
});
