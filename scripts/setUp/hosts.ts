/** Fetches the VS Code hosts into the cache folder. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostCache, hostFolder } from '../../test/support/host/hostServer.ts';
import { runProgram } from './runProgram.ts';

/** Npm writes this file when everything of a folder is in place, so it tells a whole installation from a cut one. */
const completeMark = join('node_modules', '.package-lock.json');

/** Whether a host is there, whole. */
export function isHostComplete(version: string): boolean {
  const folder = hostFolder(version);
  return (
    existsSync(join(folder, 'out', 'server-main.js')) &&
    existsSync(join(folder, completeMark)) &&
    existsSync(join(hostCache, `code-server-${version}`, completeMark))
  );
}

/**
 * Installs a host from the npm package `code-server`, which ships a whole VS Code server. Its native modules are not
 * built: it works without them. What an interrupted run has fetched is used again. Throws when npm fails twice.
 */
export async function installHost(version: string, say: (text: string) => void): Promise<void> {
  const folder = join(hostCache, `code-server-${version}`);
  const title = `VS Code host ${version}`;
  try {
    await installInto(folder, version, title, say);
  } catch (error) {
    say(`${title}: ${error instanceof Error ? error.message : String(error)}; trying once more from the start`);
    rmSync(folder, { recursive: true, force: true });
    await installInto(folder, version, title, say);
  }
  if (!isHostComplete(version)) throw new Error(`${title} is not complete in ${folder}`);
}

async function installInto(folder: string, version: string, title: string, say: (text: string) => void): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: { 'code-server': version } })}\n`,
  );
  if (!existsSync(join(folder, completeMark))) await npmInstall(folder, `${title}, 1 of 2: the server`, say);
  await npmInstall(hostFolder(version), `${title}, 2 of 2: what it needs (600 MB on disk)`, say);
}

/** `npm install` without development packages and without install scripts. */
async function npmInstall(folder: string, title: string, say: (text: string) => void): Promise<void> {
  const args = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  const client = process.env['npm_execpath'];
  const viaNode = client !== undefined && client.endsWith('npm-cli.js');
  await runProgram({
    title,
    program: viaNode ? process.execPath : 'npm',
    args: viaNode ? [client, ...args] : args,
    shell: !viaNode && process.platform === 'win32',
    cwd: folder,
    say,
  });
}
