import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../scripts/lock.mjs';
import { deferred } from '../../support/deferred.ts';

describe('the lock of set-up and build', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-agent-lock-'));
    file = join(folder, 'deep', 'set-up.lock');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one work at a time, tells the other once that it waits, and leaves nothing behind', async () => {
    const said: string[] = [];
    const order: string[] = [];
    const started = deferred();
    const finish = deferred();
    const waiting = deferred();
    const first = withLock(
      file,
      async () => {
        order.push('first begins');
        started.resolve();
        await finish.promise;
        order.push('first ends');
      },
      () => assert.fail('nobody was there before'),
    );
    await started.promise;
    const second = withLock(
      file,
      async () => void order.push('second'),
      (text) => {
        said.push(text);
        waiting.resolve();
      },
    );
    await waiting.promise;
    finish.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first begins', 'first ends', 'second']);
    assert.equal(said.length, 1);
    assert.equal(existsSync(file), false);
  });

  it('is free again after work that throws', async () => {
    const broken = withLock(file, () => Promise.reject(new Error('no')), assert.fail);
    await assert.rejects(broken, /no/);
    assert.equal(await withLock(file, async () => 'done', assert.fail), 'done');
  });

  it('is taken over from a process that has died', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await withLock(file, async () => undefined, assert.fail);
    writeFileSync(file, JSON.stringify({ pid, host: hostname(), token: 1 }));
    assert.equal(
      await withLock(
        file,
        async () => 'done',
        () => undefined,
      ),
      'done',
    );
  });

  it('is taken over from another machine only when it has not been renewed for long', async () => {
    await withLock(file, async () => undefined, assert.fail);
    writeFileSync(file, JSON.stringify({ pid: process.pid, host: 'elsewhere', token: 1 }));
    const waiting = deferred();
    let entered = false;
    const taken = withLock(
      file,
      async () => {
        entered = true;
      },
      () => waiting.resolve(),
    );
    await waiting.promise;
    assert.equal(entered, false);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    await taken;
    assert.equal(entered, true);
  });
});
