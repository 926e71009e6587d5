import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Ends a lock. Never rejects. */
export type Unlock = () => Promise<void>;

/** How long a lock holds and is waited for. */
export interface FileLockOptions {
  /** A lock that is older, in milliseconds, was left behind by a process that died, and is taken over. Default 45 s. */
  readonly staleMs?: number;
  /** Milliseconds between two looks at a lock that another process holds. Default 50. */
  readonly lookMs?: number;
}

/**
 * Waits until no other process holds `file`, and holds it: a file that only one process can make. The folder is made where it is
 * missing. Rejects with the error of the file system where no such file can be written.
 */
export async function lockFile(file: string, options: FileLockOptions = {}): Promise<Unlock> {
  const { staleMs = 45_000, lookMs = 50 } = options;
  const mark = randomUUID();
  await mkdir(dirname(file), { recursive: true });
  while (!(await create(file, mark))) {
    if ((await ageOf(file)) > staleMs) await removeStale(file);
    else await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return () => release(file, mark);
}

/** False when the file is there already. */
async function create(file: string, mark: string): Promise<boolean> {
  try {
    await writeFile(file, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Milliseconds since a lock was made; 0 for one that is gone. */
async function ageOf(file: string): Promise<number> {
  const found = await unlessMissing(stat(file));
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

/** Takes a stale lock away under a name of its own, so that of all who see it one removes it; a fresh one that was caught so is put back. */
async function removeStale(file: string): Promise<void> {
  const seen = await unlessMissing(readFile(file, 'utf8'));
  const aside = `${file}.${randomUUID()}`;
  if (seen === undefined || (await unlessMissing(rename(file, aside).then(() => true))) === undefined) return;
  if ((await unlessMissing(readFile(aside, 'utf8'))) !== seen) await link(aside, file).catch(ignoreExisting);
  await unlessMissing(unlink(aside));
}

/** A lock that was taken over meanwhile is its new owner's. */
async function release(file: string, mark: string): Promise<void> {
  const held = await readFile(file, 'utf8').catch(() => undefined);
  // A file that cannot be removed now is taken over when it is stale.
  if (held === mark) await unlink(file).catch(() => undefined);
}

async function unlessMissing<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function ignoreExisting(error: unknown): void {
  if (!isCode(error, 'EEXIST')) throw error;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
