import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askShell, joinPaths, loginShellPath, needsLoginShell } from '../../../../src/mcp/stdio/loginShellPath.ts';
import { isRunning } from '../../../support/stdioPeer.ts';

(process.platform === 'win32' ? describe.skip : describe)('the PATH of the login shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'));
  const system = { PATH: '/usr/bin:/bin' };

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A shell whose start-up files do `startUp`. */
  function shell(name: string, startUp: string): string {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${startUp}\n[ "$1" = -ilc ] && eval "$2"\n`, { mode: 0o755 });
    return file;
  }

  it('is read through what start-up files print', async () => {
    const path = await askShell(shell('noisy', 'echo Welcome; PATH=/opt/x/bin:$PATH; export PATH'), system, 5000);
    assert.equal(path, '/opt/x/bin:/usr/bin:/bin');
  });

  it('is not waited for beyond the limit, and nothing of the shell is left', async () => {
    const pidFile = join(folder, 'pid');
    const started = performance.now();
    const slow = shell('slow', `echo $$ > "${pidFile}"; sleep 60 & wait`);
    assert.equal(await askShell(slow, system, 300), undefined);
    assert.ok(performance.now() - started < 2000);
    assert.equal(isRunning(Number(readFileSync(pidFile, 'utf8'))), false);
  });

  it('is undefined where the shell fails or does not exist', async () => {
    assert.equal(await askShell(shell('failing', 'exit 1'), system, 5000), undefined);
    assert.equal(await askShell(join(folder, 'nope'), system, 5000), undefined);
  });

  it('is asked for once', async () => {
    const count = join(folder, 'count');
    const env = { ...system, SHELL: shell('counted', `echo x >> "${count}"`) };
    const answers = await Promise.all([loginShellPath(env), loginShellPath(env)]);
    assert.deepEqual([...answers, await loginShellPath(env)], ['/usr/bin:/bin', '/usr/bin:/bin', '/usr/bin:/bin']);
    assert.equal(readFileSync(count, 'utf8'), 'x\n');
  });

  it('is needed only where a desktop started us and the program is not found', () => {
    assert.equal(needsLoginShell('no-such-program', system, 'linux'), true);
    assert.equal(needsLoginShell('no-such-program', { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' }, 'darwin'), true);
    assert.equal(needsLoginShell('no-such-program', {}, 'linux'), true);
    assert.equal(needsLoginShell('/opt/homebrew/bin/npx', system, 'darwin'), true);
    assert.equal(needsLoginShell('sh', system, 'linux'), false);
    assert.equal(needsLoginShell('/usr/bin/anything', system, 'linux'), false);
    assert.equal(needsLoginShell('./run.sh', system, 'linux'), false);
    assert.equal(needsLoginShell('no-such-program', { PATH: '/usr/bin:/home/me/.nvm/bin' }, 'linux'), false);
    assert.equal(needsLoginShell('no-such-program', system, 'win32'), false);
  });

  it('comes before our own, each folder once', () => {
    assert.equal(joinPaths('/opt/a:/usr/bin', '/usr/bin:/bin'), '/opt/a:/usr/bin:/bin');
    assert.equal(joinPaths('/opt/a', undefined), '/opt/a');
  });
});
