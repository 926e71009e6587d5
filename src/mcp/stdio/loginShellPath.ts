import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import os from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { signalGroup } from './processTree.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a desktop gives to programs that it starts without a shell. */
const DESKTOP_FOLDERS = new Set(
  '/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /usr/games /usr/local/games /snap/bin'.split(' '),
);

/**
 * True when the PATH in `env` may lack what the person's shell would find: it holds nothing but a desktop's own folders, and `command`
 * is not in them. Then, and only then, the login shell is worth asking.
 */
export function needsLoginShell(command: string, env: Environment, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return false;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  if (folders.some((folder) => !DESKTOP_FOLDERS.has(folder))) return false;
  if (command.includes('/'))
    return isAbsolute(command) && !DESKTOP_FOLDERS.has(command.slice(0, command.lastIndexOf('/')));
  return !folders.some((folder) => statSync(join(folder, command), { throwIfNoEntry: false })?.isFile());
}

/** The folders of `login` first, then those of `own` that it lacks. */
export function joinPaths(login: string, own: string | undefined): string {
  return [...new Set([...login.split(delimiter), ...(own ?? '').split(delimiter)])].filter(Boolean).join(delimiter);
}

const known = new Map<string, Promise<string | undefined>>();

/** The PATH of the person's login shell, asked for once in the life of our process. Undefined where the shell does not tell in time. */
export function loginShellPath(env: Environment = process.env, limitMs = 5000): Promise<string | undefined> {
  const shell = env['SHELL'] || os.userInfo().shell;
  if (!shell) return Promise.resolve(undefined);
  const answer = known.get(shell) ?? askShell(shell, env, limitMs);
  known.set(shell, answer);
  return answer;
}

/**
 * Runs `shell` as an interactive login shell that prints its PATH between two marks, for start-up files print what they like.
 * It leads a session of its own, so that it cannot take a terminal, and is ended with all that it started when `limitMs` are over.
 */
export function askShell(shell: string, env: Environment, limitMs: number): Promise<string | undefined> {
  const mark = `path-${randomUUID()}`;
  const script = `printf '%s' '${mark}'; printenv PATH; printf '%s' '${mark}'`;
  return new Promise((resolve) => {
    const child = spawn(shell, ['-ilc', script], { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const output: Buffer[] = [];
    const timer = setTimeout(() => {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      finish();
    }, limitMs);
    const finish = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      resolve(readPath(Buffer.concat(output).toString(), mark));
    };
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', finish);
    child.on('close', finish);
  });
}

function readPath(output: string, mark: string): string | undefined {
  const path = output.split(mark)[1]?.trim();
  return path === undefined || path === '' ? undefined : path;
}
