/**
 * A VS Code server process: the host of the workbench, with data and extension folders of its own.
 * It is the server that the npm package `code-server` ships (`lib/vscode`), started without that package's own front.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The hosts that the tests run on; the first is the newest and the one that the demo shows. */
export const hostVersions = ['4.139.1', '4.133.0'] as const;

export type HostVersion = (typeof hostVersions)[number];

/** The project's root folder. */
export const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** The cache folder of the hosts, ignored by git. `MCP_AGENT_HOSTS` names another, to share one between clones. */
export const hostCache = process.env['MCP_AGENT_HOSTS'] ?? join(projectRoot, '.vscode-test');

/** The folder of one VS Code server in the cache; it holds `out/server-main.js` once it is set up. */
export function hostFolder(version: string): string {
  return join(hostCache, `code-server-${version}`, 'node_modules', 'code-server', 'lib', 'vscode');
}

/** The entry file of a host. Throws when it is not set up. */
function serverMain(version: string): string {
  const file = join(hostFolder(version), 'out', 'server-main.js');
  if (!existsSync(file)) throw new Error(`VS Code host ${version} is not set up in ${hostCache}: run "npm test" once`);
  return file;
}

/** Folders of one host run. */
export interface HostFolders {
  readonly data: string;
  readonly extensions: string;
}

/** Installs a VSIX into `folders`; throws with the installer's own words when it refuses. */
export function installVsix(version: string, folders: HostFolders, vsix: string): void {
  const args = [serverMain(version), ...commonArguments(folders), '--install-extension', vsix];
  try {
    execFileSync(process.execPath, args, { stdio: 'pipe', encoding: 'utf8', timeout: 120_000 });
  } catch (error) {
    throw new Error(`The host did not install ${vsix}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function commonArguments(folders: HostFolders): string[] {
  return [
    '--accept-server-license-terms',
    '--server-data-dir',
    folders.data,
    '--extensions-dir',
    folders.extensions,
    '--telemetry-level',
    'off',
  ];
}

/** A running server. `output()` is what it has printed, for error messages. */
export interface HostServer {
  readonly url: string;
  readonly port: number;
  readonly output: () => string;
  /** Ends the server and every process that it started; resolves when it is gone. */
  readonly close: () => Promise<void>;
}

export interface HostServerOptions {
  readonly version: string;
  readonly folders: HostFolders;
  /** Added to this process's environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A fixed port; a free one by default. */
  readonly port?: number;
}

/** Starts a server and resolves when it answers. Throws with its output when it does not within 60 s. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const port = options.port ?? (await freePort());
  const child = spawn(
    process.execPath,
    [
      serverMain(options.version),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--without-connection-token',
      '--enable-smoke-test-driver',
      ...commonArguments(options.folders),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32', env: hostEnvironment(options.env) },
  );
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const killNow = (): void => killTree(child, 'SIGKILL');
  process.once('exit', killNow);
  const output = (): string => lines.join('');
  const close = async (): Promise<void> => {
    await endTree(child);
    process.off('exit', killNow);
  };
  try {
    await untilAnswering(port, child, 60_000);
  } catch (error) {
    await close();
    throw new Error(`The VS Code host ${options.version} did not start:\n${output().slice(-2000)}`, { cause: error });
  }
  return { url: `http://127.0.0.1:${port}/`, port, output, close };
}

/** The environment of a host: without what an outer VS Code would hand down, and with `extra`. */
function hostEnvironment(extra: HostServerOptions['env']): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env))
    if (/^(VSCODE_|ELECTRON_)/.test(name) || name === 'NODE_OPTIONS') delete env[name];
  Object.assign(env, extra);
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name];
  return env;
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilAnswering(port: number, child: ChildProcess, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    if (await answers(port)) return;
    if (Date.now() > end) throw new Error(`no answer within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/version', agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}

/** Asks a process tree of ours to end, and ends it by force after 5 s. */
async function endTree(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    killTree(child, 'SIGTERM');
    const timer = setTimeout(() => killTree(child, 'SIGKILL'), 5000);
    await gone;
    clearTimeout(timer);
  }
  killTree(child, 'SIGKILL');
}

/** Signals the process group that `child` leads (a group of our own, see `detached`); what is gone already is fine. */
function killTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32')
      execFileSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (process.platform !== 'win32' && !isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
