import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { onAbort } from '../../base/abort.ts';
import type { Disposable } from '../../base/disposables.ts';
import { childEnvironment } from './childEnvironment.ts';
import { TransportError } from '../errors.ts';
import { joinPaths, loginShellPath, needsLoginShell } from './loginShellPath.ts';
import type { StdioServerConfig } from '../serverConfig.ts';
import { checkFolder, startFailure } from './startFailure.ts';
import { planWindowsCommand, type SpawnPlan } from './windowsCommand.ts';

/** A process whose three streams are pipes. */
export type ServerChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** What of the machine starting a server depends on; tests pass their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The PATH of the login shell. */
  readonly loginPath: () => Promise<string | undefined>;
}

/** The machine that this runs on. */
export const thisMachine: Machine = { platform: process.platform, loginPath: () => loginShellPath() };

/**
 * Starts a server's process and resolves when it runs. On POSIX it leads a process group of its own, so that it can be ended with
 * all that it starts. Rejects with a TransportError that says what is missing; after an abort nothing is started.
 */
export async function spawnServer(
  config: StdioServerConfig,
  machine: Machine,
  signal: AbortSignal,
): Promise<ServerChild> {
  const start = { server: config.name, command: config.command, cwd: config.cwd };
  checkFolder(start);
  const env = await environmentOf(config, machine, signal);
  if (signal.aborted) throw new TransportError('cancelled', `${config.name}: starting was cancelled.`);
  const plan = planCommand(config, env, machine.platform);
  try {
    const child = spawn(plan.file, plan.args, {
      cwd: config.cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: machine.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: plan.verbatim,
    });
    await spawned(child);
    return child;
  } catch (error) {
    throw startFailure(start, error);
  }
}

function spawned(child: ServerChild): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

async function environmentOf(
  config: StdioServerConfig,
  machine: Machine,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const inherited = config.inheritedEnv ?? process.env;
  const env = childEnvironment(inherited, config.env ?? {}, machine.platform);
  const ownPath = config.inheritedEnv !== undefined || config.env?.['PATH'] !== undefined;
  if (ownPath || !needsLoginShell(config.command, env, machine.platform)) return env;
  const login = await unlessAborted(machine.loginPath(), signal);
  return login === undefined ? env : { ...env, PATH: joinPaths(login, env['PATH']) };
}

/** What `work` gives, or undefined as soon as `signal` is aborted. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let release: Disposable | undefined;
  const aborted = new Promise<undefined>((resolve) => {
    release = onAbort(signal, () => resolve(undefined));
  });
  return Promise.race([work, aborted]).finally(() => release?.dispose());
}

function planCommand(config: StdioServerConfig, env: Record<string, string>, platform: NodeJS.Platform): SpawnPlan {
  const { command, args = [] } = config;
  if (platform !== 'win32') return { file: command, args, verbatim: false };
  const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return planWindowsCommand(command, args, { env, cwd: config.cwd ?? process.cwd(), isFile });
}
