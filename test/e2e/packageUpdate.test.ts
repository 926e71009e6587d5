import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeTurns } from '../support/host/chat.ts';
import { installVsix, projectRoot } from '../support/host/hostServer.ts';
import { openHost, type VsCodeHost } from '../support/host/vsCodeHost.ts';
import { startUsersServer, type UsersServer } from '../support/usersServer.ts';

/** Packs the committed state before the newest one, as an older version. Undefined where there is no history to take it from. */
function packPrevious(folder: string): string | undefined {
  try {
    const archive = execFileSync('git', ['archive', 'HEAD~1'], {
      cwd: projectRoot,
      maxBuffer: 512 * 1024 * 1024,
      stdio: 'pipe',
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch (error) {
    if (error instanceof Error && /git|tar/.test(error.message)) return undefined;
    throw error;
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'package.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
  execFileSync(process.execPath, [join(folder, 'scripts', 'package.ts')], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'dist', 'mcp-agent.vsix');
}

describe('an update of the extension', function () {
  this.timeout(300_000);
  let folder: string;
  let users: UsersServer;
  let host: VsCodeHost | undefined;

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'mcp-agent-previous-'));
    const vsix = packPrevious(folder);
    if (vsix === undefined) return this.skip();
    users = await startUsersServer();
    host = await openHost({ vsix, settings: { 'mcp.servers': { users: { type: 'sse', url: users.url } } } });
  });

  after(async () => {
    await host?.close();
    await users?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps what was allowed and the prefixes of tools', async () => {
    assert.ok(host);
    await host.chat.open();
    await host.chat.send('@mcp list the users');
    await host.chat.card('getUsers');
    await host.chat.clickCardLink('everywhere', 'getUsers');
    assert.match(describeTurns([await host.chat.answered()]), /Jane/);
    await host.chat.send('@mcp /tools ');
    const before = describeTurns([await host.chat.answered()]);
    assert.match(before, /bb7_getUsers/);

    const data = dirname(dirname(dirname(dirname(host.settingsFile))));
    const folders = { data: join(data, 'data'), extensions: join(data, 'extensions') };
    installVsix(host.version, folders, join(projectRoot, 'dist', 'mcp-agent.vsix'));
    await host.reload();
    await host.chat.open();
    assert.equal(await versionShown(host), ownVersion());
    await host.chat.send('@mcp list the users');
    const turn = await host.chat.answered();
    assert.match(describeTurns([turn]), /Jane/);
    assert.equal(turn.parts.filter(({ kind }) => kind === 'card').length, 0);
    await host.chat.send('@mcp /tools ');
    assert.match(describeTurns([await host.chat.answered()]), /bb7_getUsers/);
  });
});

function ownVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  return manifest.version;
}

/** The version that runs, as the list of running extensions shows it. */
async function versionShown(host: VsCodeHost): Promise<string> {
  await host.workbench.runCommand('Developer: Show Running Extensions');
  const row = host.page.locator('.runtime-extensions-editor .extension', { hasText: 'MCP Agent' }).first();
  await row.waitFor();
  const text = await row.innerText();
  return /\d+\.\d+\.\d+/.exec(text)?.[0] ?? text;
}
