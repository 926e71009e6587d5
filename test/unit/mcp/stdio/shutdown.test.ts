import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioServerConfig } from '../../../../src/mcp/serverConfig.ts';
import { isRunning, SCRIPTED_SERVER, scriptedConfig, StdioPeer, type Behaviour } from '../../../support/stdioPeer.ts';

const HOST = fileURLToPath(new URL('../../../support/stdioHost.ts', import.meta.url));

function pidsOf(peer: StdioPeer): number[] {
  return peer.facts.flatMap((fact) => (fact.kind === 'process-start' && fact.pid ? [fact.pid] : []));
}

/** Waits until no process of `pids` is left; fails when one outlives `ms`. */
async function gone(pids: readonly number[], ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (pids.some(isRunning)) {
    assert.ok(performance.now() < deadline, `processes are left: ${pids.filter(isRunning).join()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

(process.platform === 'win32' ? describe.skip : describe)('the end of a stdio server', function () {
  this.timeout(15_000);
  const folder = mkdtempSync(join(tmpdir(), 'shutdown-'));
  const pidFile = join(folder, 'pid');
  const childFile = join(folder, 'child');

  after(() => rmSync(folder, { recursive: true, force: true }));

  const pidIn = (file: string): number => Number(readFileSync(file, 'utf8'));

  async function exitOf(config: StdioServerConfig): Promise<{ pid: number; how: unknown; ms: number }> {
    const peer = await new StdioPeer(config, { graceMs: 250 }).start();
    const { pid } = await peer.report();
    const started = performance.now();
    await peer.transport.close();
    const exit = peer.facts.find((fact) => fact.kind === 'process-exit');
    return { pid, how: exit?.kind === 'process-exit' && (exit.signal ?? exit.code), ms: performance.now() - started };
  }

  it('is asked for by the end of its stdin', async () => {
    const { pid, how } = await exitOf(scriptedConfig());
    assert.equal(how, 0);
    assert.equal(isRunning(pid), false);
  });

  it('is demanded by SIGTERM after a grace time, then forced', async () => {
    const patient = await exitOf(scriptedConfig({ ignoreEnd: true }));
    assert.equal(patient.how, 'SIGTERM');
    assert.ok(patient.ms >= 240);
    const stubborn = await exitOf(scriptedConfig({ ignoreTerm: true }));
    assert.equal(stubborn.how, 'SIGKILL');
    assert.ok(stubborn.ms >= 490);
  });

  it('comes to what it started too, in its own group and outside of it', async () => {
    for (const detached of [false, true]) {
      await exitOf(scriptedConfig({ child: { pidFile: childFile, detached } }));
      assert.equal(isRunning(pidIn(childFile)), false, `detached: ${detached}`);
    }
  });

  it('comes to the server behind a wrapper that does not hand signals on', async () => {
    const behaviour: Behaviour = { ignoreEnd: true, pidFile };
    const line = `"${process.execPath}" "${SCRIPTED_SERVER}" '${JSON.stringify(behaviour)}'; exit 0`;
    await exitOf({ kind: 'stdio', name: 'wrapped', command: 'sh', args: ['-c', line] });
    assert.equal(isRunning(pidIn(pidFile)), false);
  });

  it('comes to what a server leaves behind that dies by itself', async () => {
    const peer = await new StdioPeer(scriptedConfig({ child: { pidFile: childFile, detached: false } })).start();
    await assert.rejects(peer.request('die'), /exit code 3/);
    await gone([pidIn(childFile)], 3000);
    await peer.transport.close();
  });

  it('comes to a server that is still starting', async () => {
    const peer = new StdioPeer(scriptedConfig({ ignoreEnd: true }), { graceMs: 100 });
    const started = peer.start().catch((error: unknown) => error);
    await peer.transport.close();
    await started;
    assert.deepEqual(pidsOf(peer).filter(isRunning), []);
  });

  it('leaves nothing after ten reloads', async () => {
    const pids: number[] = [];
    for (let round = 0; round < 10; round++) {
      // It reads to the end of its stdin, as servers do, and starts in no time.
      const peer = await new StdioPeer({ kind: 'stdio', name: 'cat', command: 'cat' }).start();
      pids.push(...pidsOf(peer));
      await peer.transport.close();
    }
    assert.equal(new Set(pids).size, 10);
    assert.deepEqual(pids.filter(isRunning), []);
  });

  async function host(behaviour: Behaviour, how: 'exit' | 'stay'): Promise<ReturnType<typeof spawn>> {
    const child = spawn(process.execPath, [HOST, JSON.stringify(behaviour), how], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await once(child.stdout, 'data');
    return child;
  }

  it('comes when our process exits', async () => {
    const child = await host({ ignoreTerm: true, pidFile, child: { pidFile: childFile, detached: false } }, 'exit');
    if (child.exitCode === null) await once(child, 'exit');
    await gone([pidIn(pidFile), pidIn(childFile)], 3000);
  });

  it('comes when our process is killed hard, even to a server that ignores all signs', async () => {
    const child = await host({ ignoreTerm: true, pidFile, child: { pidFile: childFile, detached: false } }, 'stay');
    const pids = [pidIn(pidFile), pidIn(childFile)];
    assert.deepEqual(pids.filter(isRunning), pids);
    child.kill('SIGKILL');
    await gone(pids, 8000);
  });
});
