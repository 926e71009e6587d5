import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultKeeper } from '../agent/resultStore.ts';

/** How much is kept, for how long, and who is told of trouble. */
export interface KeptResultsOptions {
  /** Bytes that the folder may hold; the oldest go first. */
  readonly mostBytes?: number;
  /** What nobody has read for so long goes, in milliseconds. */
  readonly longest?: number;
  /** Told what went wrong with the folder; a result is lost then, and the model is told so when it asks for it. */
  readonly onProblem?: (text: string) => void;
}

const keyPattern = /^[0-9a-f]{32}$/;
const day = 24 * 60 * 60 * 1000;

/**
 * Large results in files of a folder, so that a chat that is opened again can read on in them. Equal texts are one file. Pure: the folder is passed in.
 */
export class KeptResults implements ResultKeeper {
  readonly #folder: string;
  readonly #options: KeptResultsOptions;
  /** Texts on their way to the folder, and what happens there, one after the other. */
  readonly #pending = new Map<string, string>();
  #work: Promise<void> = Promise.resolve();

  constructor(folder: string, options: KeptResultsOptions = {}) {
    this.#folder = folder;
    this.#options = options;
  }

  keep(text: string): string {
    const key = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#pending.set(key, text);
    this.#work = this.#work.then(() => this.#write(key, text)).finally(() => this.#pending.delete(key));
    return key;
  }

  async read(key: string): Promise<string | undefined> {
    if (!keyPattern.test(key)) return undefined;
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const file = join(this.#folder, key);
    try {
      const text = await readFile(file, 'utf8');
      const now = new Date();
      await utimes(file, now, now);
      return text;
    } catch (error) {
      if (!isMissing(error)) this.#options.onProblem?.(`A large result could not be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Resolves when everything is written and what is too old or too much is gone. */
  settled(): Promise<void> {
    return this.#work;
  }

  /** As a whole or not at all: another window may read it. */
  async #write(key: string, text: string): Promise<void> {
    const file = join(this.#folder, key);
    try {
      await mkdir(this.#folder, { recursive: true });
      const part = `${file}.${process.pid}.part`;
      await writeFile(part, text, { mode: 0o600 });
      await rename(part, file);
      await this.#tidy(key);
    } catch (error) {
      this.#options.onProblem?.(`A large result could not be kept: ${String(error)}`);
    }
  }

  /** Removes what is too old, then the oldest until the rest fits. The newest stays, however large. */
  async #tidy(newest: string): Promise<void> {
    const { mostBytes = 100_000_000, longest = 30 * day } = this.#options;
    const files = (await Promise.all((await readdir(this.#folder)).map((name) => this.#look(name)))).filter(
      (file) => file !== undefined,
    );
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size, time } of files.sort((a, b) => a.time - b.time)) {
      if (name === newest || (bytes <= mostBytes && Date.now() - time <= longest)) continue;
      await rm(join(this.#folder, name), { force: true });
      bytes -= size;
    }
  }

  async #look(name: string): Promise<{ name: string; size: number; time: number } | undefined> {
    try {
      const { size, mtimeMs } = await stat(join(this.#folder, name));
      return { name, size, time: mtimeMs };
    } catch (error) {
      // Another window was quicker to remove it.
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
