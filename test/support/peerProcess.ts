import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { freePort } from './freePort.ts';

/** Node itself; inside of a desktop's extension host it is the first on the path. */
export const nodeCommand = 'electron' in process.versions ? 'node' : process.execPath;

/** A server of somebody else's that runs in a process of its own. */
export interface PeerProcess {
  readonly port: number;
  /** What it has printed, for the error of a test. */
  output(): string;
  close(): Promise<void>;
}

/** Starts a script with Node and resolves when it listens on the port that `args` and `env` are made for. Rejects when it ends before. */
export async function startPeer(
  script: string,
  args: (port: number) => readonly string[],
  env: (port: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<PeerProcess> {
  const port = await freePort();
  const child = spawn(nodeCommand, [script, ...args(port)], {
    env: { ...process.env, ...env(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let output = '';
  const keep = (text: Buffer): void => {
    output = (output + text.toString()).slice(-4000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const close = (): Promise<void> => end(child);
  try {
    await listens(port, child);
  } catch (error) {
    await close();
    throw new Error(`${script} did not begin to listen: ${output}`, { cause: error });
  }
  return { port, output: () => output, close };
}

async function listens(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it does not listen after 30 s');
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The process and what it has started; on Windows itself alone. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  if (process.platform === 'win32') child.kill('SIGKILL');
  else process.kill(-child.pid, 'SIGKILL');
  await gone;
}
