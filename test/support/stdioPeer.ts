import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../src/base/json.ts';
import type { TapFact } from '../../src/base/tap.ts';
import { openStdioTransport, type StdioOptions } from '../../src/mcp/stdioTransport.ts';
import type { StdioServerConfig } from '../../src/mcp/serverConfig.ts';
import type { Transport } from '../../src/mcp/transport.ts';

/** The program that the tests start as a server. */
export const SCRIPTED_SERVER = fileURLToPath(new URL('stdioServer.mjs', import.meta.url));

/** What `stdioServer.mjs` is told to do; see there. */
export interface Behaviour {
  readonly pidFile?: string;
  readonly ignoreEnd?: boolean;
  readonly ignoreTerm?: boolean;
  readonly child?: { readonly pidFile: string; readonly detached: boolean };
  readonly banner?: string;
  readonly stderr?: string;
  readonly exit?: number;
  readonly noiseBetween?: string;
}

/** An entry for the scripted server. */
export function scriptedConfig(behaviour: Behaviour = {}, more: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return {
    kind: 'stdio',
    name: 'scripted',
    command: process.execPath,
    args: [SCRIPTED_SERVER, JSON.stringify(behaviour)],
    ...more,
  };
}

/** A transport with the least of a peer on it: requests by number, everything that came is kept. */
export class StdioPeer {
  readonly messages: unknown[] = [];
  readonly facts: TapFact[] = [];
  readonly notes: { level: string; text: string }[] = [];
  readonly transport: Transport;
  /** Resolves when the wire is gone by itself. */
  readonly closed: Promise<Error>;
  readonly #pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #onClose: (error: Error) => void = () => {};
  #nextId = 1;

  constructor(config: StdioServerConfig, options: StdioOptions = {}) {
    this.closed = new Promise((resolve) => {
      this.#onClose = resolve;
    });
    this.transport = openStdioTransport(
      config,
      {
        server: config.name,
        source: { connection: 'test', server: config.name, peer: 'mcp' },
        tap: (fact) => this.facts.push(fact),
        note: (level, text) => this.notes.push({ level, text }),
      },
      { graceMs: 300, ...options },
    );
  }

  async start(): Promise<this> {
    await this.transport.start({
      onMessage: (message) => this.#onMessage(message),
      onClose: (error) => {
        for (const { reject } of this.#pending.values()) reject(error);
        this.#onClose(error);
      },
    });
    return this;
  }

  /** Sends a request and gives its result. */
  request(method: string, params: unknown = {}): Promise<unknown> {
    const id = this.#nextId++;
    const answered = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    return this.transport.send({ jsonrpc: '2.0', id, method, params }).then(() => answered);
  }

  /** The result of `report`: what the process knows of itself. */
  async report(): Promise<{ cwd: string; argv: string[]; env: Record<string, string>; pid: number }> {
    const result = await this.request('report');
    if (!isReport(result)) throw new Error('not a report');
    return result;
  }

  #onMessage(message: unknown): void {
    this.messages.push(message);
    if (!isRecord(message) || typeof message['id'] !== 'number') return;
    this.#pending.get(message['id'])?.resolve(message['result'] ?? message['error']);
    this.#pending.delete(message['id']);
  }
}

function isReport(value: unknown): value is { cwd: string; argv: string[]; env: Record<string, string>; pid: number } {
  return isRecord(value) && typeof value['cwd'] === 'string' && Array.isArray(value['argv']) && isRecord(value['env']);
}

/** True while the process lives; one that is dead and not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
