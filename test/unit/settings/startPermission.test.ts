import assert from 'node:assert/strict';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import type { Input } from '../../../src/settings/inputs.ts';
import type { ServerEntry } from '../../../src/settings/serverEntry.ts';
import { startFacts } from '../../../src/settings/startFacts.ts';
import { configurationHash, decideStart } from '../../../src/settings/startPermission.ts';

function entryOf(value: unknown, source = 'wf0'): ServerEntry {
  const { entries } = parseServers({ some: value }, source);
  const [entry] = entries;
  assert(entry, 'the entry is sound');
  return entry;
}

const command = { command: 'node', args: ['server.js'] };
const context = { folder: '/work', inputs: [] };

describe('whether a server may start', () => {
  const table: [string, boolean, 'start' | 'decline' | undefined, string][] = [
    ['usrlocal', true, undefined, 'start'],
    ['usrremote', true, undefined, 'start'],
    ['wf0', true, undefined, 'ask'],
    ['wf3', true, undefined, 'ask'],
    ['workspace', true, undefined, 'ask'],
    ['wf0', true, 'start', 'start'],
    ['wf0', true, 'decline', 'declined'],
    ['wf0', false, undefined, 'restricted'],
    ['wf0', false, 'start', 'restricted'],
    ['workspace', false, 'start', 'restricted'],
  ];
  for (const [source, isTrusted, answer, decision] of table) {
    it(`${source}, ${isTrusted ? 'trusted' : 'restricted'}, answered ${answer ?? 'not yet'}: ${decision}`, () => {
      const address = entryOf({ url: 'http://127.0.0.1:1/mcp' }, source);
      assert.equal(decideStart(address, isTrusted, answer), decision);
    });
  }

  it("in Restricted Mode the person's own servers run, unless they take a program or its environment from the folder", () => {
    const own = (value: unknown): string => decideStart(entryOf(value, 'usrlocal'), false, undefined);
    for (const value of [
      { url: 'https://example.com/mcp' },
      { command: 'npx', args: ['-y', 'server-filesystem', '${workspaceFolder}'] },
      { command: '/usr/bin/node', args: ['/opt/server.js'] },
      { command: '~/bin/server', envFile: '~/.env' },
      { command: 'node', args: ['x.js'], cwd: '${userHome}/servers' },
    ]) {
      assert.equal(own(value), 'start', JSON.stringify(value));
    }
    for (const value of [
      { command: '${workspaceFolder}/run' },
      { command: './run.sh' },
      { command: 'node', args: ['${workspaceFolder}/server.js'] },
      { command: 'node', args: ['--require', '${workspaceFolder:b}/hook.cjs', '/opt/server.js'] },
      { command: 'npx', args: ['-y', 'x'], cwd: '${workspaceFolder}' },
      { command: 'npx', args: ['-y', 'x'], cwd: 'tools' },
      { command: 'server', envFile: '.env' },
      { command: 'server', envFile: '${workspaceFolder}/.env' },
      { command: 'node', args: ['/opt/x.js'], env: { NODE_OPTIONS: '--require=${workspaceFolder}/hook.js' } },
      { url: 'https://example.com/mcp', envFile: '${workspaceFolder}/.env' },
    ]) {
      assert.equal(own(value), 'restricted', JSON.stringify(value));
    }
  });
});

describe('the configuration that an answer holds for', () => {
  const hash = (value: unknown, more = context as Parameters<typeof configurationHash>[1]): string =>
    configurationHash(entryOf(value), more);

  it('is another one whenever the start does anything else', () => {
    const password: Input = { kind: 'promptString', id: 'token', password: true };
    const base = { command: 'node', args: ['a b', '${input:token}'], env: { A: '1' }, cwd: 'x', envFile: '.env' };
    const hashes = [
      hash(base),
      hash({ ...base, command: 'nodf' }),
      hash({ ...base, args: ['a', 'b', '${input:token}'] }),
      hash({ ...base, env: { A: '2' } }),
      hash({ ...base, env: { A: '1', B: null } }),
      hash({ ...base, cwd: 'y' }),
      hash({ ...base, envFile: '.env2' }),
      hash({ ...base, autoApprove: ['*'] }),
      hash(base, { folder: '/other', inputs: [] }),
      hash(base, { folder: '/work', inputs: [password] }),
      hash(base, { folder: '/work', inputs: [{ kind: 'command', id: 'token', command: 'workbench.action.quit' }] }),
      hash({ url: 'http://127.0.0.1:1/mcp' }),
      hash({ url: 'http://127.0.0.1:1/mcp', headers: { a: '1' } }),
      hash({ url: 'http://127.0.0.1:1/mcp', oauth: { issuer: 'http://127.0.0.1:2' } }),
    ];
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('is the same where nothing of the start changed', () => {
    const unused: Input = { kind: 'promptString', id: 'other', password: false };
    assert.equal(hash(command), hash({ ...command, timeout: 5, tools: ['a'], disabled: true, prefix: 'x' }));
    assert.equal(hash(command), hash(command, { folder: '/work', inputs: [unused] }));
  });
});

describe('what a person is shown before a start', () => {
  it('is the whole command with the borders of its arguments, however long', () => {
    const long = 'x'.repeat(5000);
    const { target } = startFacts(
      entryOf({ command: 'tool', args: ['-y', 'a "b"', '', 'c\nd', long, '$(rm)'] }),
      context,
    );
    assert.equal(target.text, `tool -y "a \\"b\\"" "" "c\\nd" ${long} "$(rm)"`);
  });

  it('is the whole address, without a password in it', () => {
    const { target, headers } = startFacts(
      entryOf({ url: 'https://ann:s3cret@example.com/mcp?x=1#y', headers: { 'X-Api-Key': 'k3y-in-clear' } }),
      context,
    );
    assert.deepEqual(target, { kind: 'address', text: 'https://•••@example.com/mcp?x=1#y' });
    assert.deepEqual(headers, ['X-Api-Key']);
  });

  it('names working folder, environment, inputs, editor commands and tools that would run unasked', () => {
    const inputs: Input[] = [
      { kind: 'promptString', id: 'token', description: 'API token', password: true },
      { kind: 'command', id: 'run', command: 'workbench.action.terminal.sendSequence', args: { text: 'rm -rf ~' } },
      { kind: 'promptString', id: 'unused', password: false },
    ];
    const facts = startFacts(
      entryOf({
        command: 'x',
        args: ['${input:token}', '${input:run}'],
        env: { PORT: 1, GITHUB_TOKEN: 'abc', PLAIN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345', GONE: null },
        envFile: '.env',
        autoApprove: ['get*', '!getAll'],
      }),
      { folder: '/work', inputs },
    );
    assert.equal(facts.folder, '/work');
    assert.deepEqual(facts.environment, ['PORT=1', 'GITHUB_TOKEN=•••', 'PLAIN=•••', 'GONE (removed)']);
    assert.deepEqual(facts.commands, ['workbench.action.terminal.sendSequence {"text":"rm -rf ~"}']);
    assert.deepEqual(facts.questions, ['API token']);
    assert.deepEqual(facts.autoApprove, ['get*']);
    assert.equal(facts.envFile, '.env');
  });

  it('names what it takes from the environment and from other settings', () => {
    const { reads } = startFacts(
      entryOf({
        url: 'https://example.com/${env:USER:-nobody}',
        headers: {
          'X-A': '${env:AWS_SECRET_ACCESS_KEY}',
          'X-B': '${HOME} ${env:USER}',
          'X-C': '${config:github.token}',
        },
      }),
      context,
    );
    assert.deepEqual(reads, ['USER', 'AWS_SECRET_ACCESS_KEY', 'HOME', 'settings → github.token']);
  });
});
