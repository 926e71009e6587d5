import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServerConfig } from '../../src/mcp/serverConfig.ts';
import { freePort } from './freePort.ts';

const script = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** How to start the official example server as a child process. */
export const everythingCommand = { command: process.execPath, args: [script, 'stdio'] } as const;

/** The server that runs. */
export interface EverythingServer {
  readonly config: ServerConfig;
  close(): Promise<void>;
}

/** The official example server by one of its transports; over stdio it is started by whoever connects. */
export async function startEverything(kind: 'stdio' | 'sse' | 'http'): Promise<EverythingServer> {
  const name = 'everything';
  if (kind === 'stdio') {
    return { config: { kind, name, ...everythingCommand, timeoutMs: 15_000 }, close: () => Promise.resolve() };
  }
  const port = await freePort();
  const child = spawn(process.execPath, [script, kind === 'sse' ? 'sse' : 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const onText = (text: string): void => {
      said += text;
      if (/(listening|running) on port/i.test(said)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', onText);
    child.stderr.setEncoding('utf8').on('data', onText);
    child.once('exit', () => reject(new Error(`the example server ended: ${said}`)));
  });
  return {
    config: { kind, name, url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`, timeoutMs: 15_000 },
    close: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
