import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import { parseServers } from '../../src/settings/parseSettings.ts';
import type { ServerEntry } from '../../src/settings/serverEntry.ts';
import { InputPrompts } from '../../src/vscode/inputPrompts.ts';
import { StartPermissions } from '../../src/vscode/startPermissions.ts';
import { answerDialogs, type AnsweredDialogs } from '../support/host/dialogs.ts';

/** Writes the folder's settings and waits until the editor has taken them in. */
async function writeServers(servers: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder, 'the tests need a folder');
  const wanted = JSON.stringify(servers);
  const isThere = (): boolean =>
    JSON.stringify(vscode.workspace.getConfiguration('mcp').inspect('servers')?.workspaceValue) === wanted;
  const changed = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeConfiguration(() => {
      if (!isThere()) return;
      subscription.dispose();
      resolve();
    });
  });
  const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ 'mcp.servers': servers })));
  if (!isThere()) await changed;
}

const restart = (name: string): Thenable<unknown> => vscode.commands.executeCommand('mcpAgent.restartServer', name);

describe('a server that the workspace defines', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-agent-trust-'));
  let answer: string | undefined;
  let dialogs: AnsweredDialogs;

  /** A program that leaves a file behind when it runs. */
  const writing = (name: string): { file: string; entry: Record<string, unknown> } => {
    const file = join(scratch, name);
    const code = `require('node:fs').writeFileSync(${JSON.stringify(file)}, 'ran')`;
    return {
      file,
      entry: {
        command: process.execPath,
        args: ['-e', code, 'a b', '\u202Egpj.exe'],
        env: { SECRET_TOKEN: 'hidden-value', MODE: 'fast' },
      },
    };
  };
  const ran = async (file: string): Promise<void> => {
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  before(() => {
    dialogs = answerDialogs(() => answer);
  });
  after(async () => {
    dialogs.dispose();
    await writeServers({});
    rmSync(scratch, { recursive: true, force: true });
  });

  it('is asked about with its whole command line before it starts, and not started when the person says no', async () => {
    const { file, entry } = writing('declined');
    answer = 'Do Not Start';
    await writeServers({ declined: entry });
    await restart('declined');
    const { message, detail, buttons } = await dialogs.dialog(1);
    assert.match(message, /“declined”/);
    assert(detail.includes(process.execPath) && detail.includes('writeFileSync'), detail);
    assert(detail.includes('"a b"'), 'the borders of arguments are seen');
    assert(detail.includes('<U+202E>gpj.exe'), 'what turns the text around is seen');
    assert(detail.includes('SECRET_TOKEN=•••') && detail.includes('MODE=fast') && !detail.includes('hidden-value'));
    assert(detail.includes(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '?'), 'the working folder is named');
    assert.deepEqual(buttons, ['Start', 'Do Not Start', 'Not Now']);
    assert(!existsSync(file));
  });

  it('starts once it is allowed, and is asked about again when its configuration changes', async () => {
    const { file, entry } = writing('allowed');
    answer = 'Start';
    const before = dialogs.shown.length;
    await writeServers({ allowed: entry });
    await restart('allowed');
    await dialogs.dialog(before + 1);
    await ran(file);
    rmSync(file);
    await restart('allowed');
    await ran(file);
    assert.equal(dialogs.shown.length, before + 1, 'the answer holds');
    const other = writing('changed');
    answer = undefined;
    await writeServers({ allowed: other.entry });
    await restart('allowed');
    const { detail } = await dialogs.dialog(before + 2);
    assert(detail.includes(other.file));
    assert(!existsSync(other.file), 'a changed one waits');
  });
});

describe('the answer about a server that the workspace defines', () => {
  const memory = (): vscode.Memento => {
    const values = new Map<string, unknown>();
    return {
      keys: () => [...values.keys()],
      get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
      update: async (key, value) => void values.set(key, structuredClone(value)),
    };
  };
  const entryOf = (value: unknown, source = 'wf0'): ServerEntry => {
    const [entry] = parseServers({ users: value }, source).entries;
    assert(entry);
    return entry;
  };
  const context = { folder: '/work', inputs: [] };
  const entry = entryOf({ url: 'http://127.0.0.1:9/mcp', autoApprove: ['get*'] });

  for (const [button, tools] of [
    ['Start', false],
    ['Start and Run These Tools Unasked', true],
  ] as const) {
    it(`"${button}" ${tools ? 'lets' : 'does not let'} its own autoApprove count`, async () => {
      const permissions = new StartPermissions(memory());
      const dialogs = answerDialogs(() => button);
      try {
        assert.equal(permissions.allowsTools(entry, context), false);
        assert.equal(permissions.isDue(entry, context), true);
        assert.equal(await permissions.ask(entry, context), true);
        assert.match(dialogs.shown[0]?.detail ?? '', /run without asking you: get\*/);
        assert.equal(permissions.decide(entry, context), 'start');
        assert.equal(permissions.allowsTools(entry, context), tools);
        const wider = entryOf({ url: 'http://127.0.0.1:9/mcp', autoApprove: ['*'] });
        assert.equal(
          permissions.decide(wider, context),
          'ask',
          'what it lets run unasked belongs to the configuration',
        );
        assert.equal(permissions.allowsTools(wider, context), false);
        assert.equal(permissions.decide(entry, { ...context, folder: '/other' }), 'ask');
      } finally {
        dialogs.dispose();
      }
    });
  }

  it('is not asked for again in this window when it was put off, and can be taken back', async () => {
    const permissions = new StartPermissions(memory());
    let button: string | undefined = 'Not Now';
    const dialogs = answerDialogs(() => button);
    try {
      assert.equal(await permissions.ask(entry, context), false);
      assert.equal(permissions.isDue(entry, context), false);
      assert.equal(permissions.decide(entry, context), 'ask');
      button = 'Do Not Start';
      await permissions.ask(entry, context);
      assert.match(permissions.heldBy(entry, context) ?? '', /you did not allow it/);
      assert.deepEqual(permissions.list(), [{ identity: 'wf0/users', answer: 'decline' }]);
      await permissions.forget('wf0/users');
      assert.equal(permissions.isDue(entry, context), true);
    } finally {
      dialogs.dispose();
    }
  });

  it('that storage holds in another shape lets nothing start', () => {
    for (const value of [
      true,
      'start',
      { 'wf0/users': 'start' },
      [{ identity: 'wf0/users', answer: 'start' }],
      [null],
    ]) {
      const odd: vscode.Memento = { keys: () => [], get: () => value, update: async () => undefined };
      assert.equal(new StartPermissions(odd).decide(entry, context), 'ask');
    }
  });
});

describe('an input of the user settings for a server that the workspace defines', () => {
  it('is asked for anew by a server of the workspace, and its kept answer stays with the person', async () => {
    const kept = new Map([['mcpAgent.input:token', 'typed for a server of my own']]);
    const secrets: vscode.SecretStorage = {
      keys: async () => [...kept.keys()],
      get: async (key) => kept.get(key),
      store: async (key, value) => void kept.set(key, value),
      delete: async (key) => void kept.delete(key),
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const prompts = new InputPrompts(secrets, () => undefined);
    const input = { kind: 'promptString', id: 'token', password: true, source: 'usrlocal' } as const;
    const original = vscode.window.showInputBox;
    let asked = 0;
    Reflect.set(vscode.window, 'showInputBox', async () => {
      asked += 1;
      return 'typed for the workspace';
    });
    try {
      const mine = prompts.lookup([input], { name: 'mine', source: 'usrlocal' });
      assert.equal(await mine('token'), 'typed for a server of my own');
      assert.equal(asked, 0);
      const theirs = prompts.lookup([input], { name: 'theirs', source: 'wf0' });
      assert.equal(await theirs('token'), 'typed for the workspace');
      assert.equal(asked, 1);
      assert.equal(kept.get('mcpAgent.input:token'), 'typed for a server of my own');
    } finally {
      Reflect.set(vscode.window, 'showInputBox', original);
    }
  });
});

describe('commands of ours in the hands of another extension', () => {
  before(async () => {
    await vscode.extensions.getExtension('mcp-agent.mcp-agent')?.activate();
  });

  for (const command of ['mcpAgent.allowCall', 'mcpAgent.answerCall', 'mcpAgent.refuseCall', 'mcpAgent.compareTool']) {
    it(`${command} does nothing without an open question`, async () => {
      for (const args of [
        [],
        ['guessed'],
        ['guessed', true],
        ['guessed', 'server-always'],
        [7, {}],
        ['', 'tool-always'],
      ]) {
        assert.equal(await vscode.commands.executeCommand(command, ...args), undefined);
      }
    });
  }

  it('resetting what was allowed asks the person', async () => {
    const dialogs = answerDialogs(() => undefined);
    try {
      await vscode.commands.executeCommand('mcpAgent.resetApprovals');
      assert.match(dialogs.shown[0]?.message ?? '', /Take back everything/);
    } finally {
      dialogs.dispose();
    }
  });
});
