import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../../src/base/fileLock.ts';

describe('a lock between processes', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'file-lock-'));
    file = join(folder, 'deep', 'one.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is held by one at a time, and by everyone who waits in the end', async () => {
    let holding = 0;
    const most: number[] = [];
    const work = async (): Promise<void> => {
      const unlock = await lockFile(file, { lookMs: 1 });
      most.push((holding += 1));
      await new Promise((resolve) => setImmediate(resolve));
      holding -= 1;
      await unlock();
    };
    await Promise.all(Array.from({ length: 8 }, work));
    assert.deepEqual(most, [1, 1, 1, 1, 1, 1, 1, 1]);
    assert.deepEqual(readdirSync(join(folder, 'deep')), []);
  });

  it('that a dead process left behind is taken over by one of all who wait', async () => {
    const unlock = await lockFile(file);
    utimesSync(file, new Date(0), new Date(0));
    let holding = 0;
    const work = async (): Promise<void> => {
      const end = await lockFile(file, { lookMs: 1, staleMs: 60_000 });
      holding += 1;
      assert.equal(holding, 1);
      await new Promise((resolve) => setImmediate(resolve));
      holding -= 1;
      await end();
    };
    await Promise.all(Array.from({ length: 6 }, work));
    await unlock();
    assert.deepEqual(readdirSync(join(folder, 'deep')), []);
  });

  it('that was taken over is not ended by its first owner', async () => {
    const unlock = await lockFile(file);
    utimesSync(file, new Date(0), new Date(0));
    const second = await lockFile(file);
    await unlock();
    assert.equal(existsSync(file), true);
    await second();
    assert.equal(existsSync(file), false);
  });

  it('rejects where no file can be written', async () => {
    writeFileSync(join(folder, 'plain'), '');
    await assert.rejects(lockFile(join(folder, 'plain', 'one.lock')), { code: /ENOTDIR|EEXIST/ });
  });
});
