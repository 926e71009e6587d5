import { systemClock, type Clock } from '../base/clock.ts';
import { DEFAULT_LINE_LIMIT } from '../base/lines.ts';
import type { TapFact } from '../base/tap.ts';
import { TransportError } from './errors.ts';
import type { JsonRpcMessage } from './jsonrpc.ts';
import { withoutSecrets } from './stdio/childEnvironment.ts';
import { LastLines } from './stdio/lastLines.ts';
import { processEndError } from './stdio/processEndError.ts';
import type { StdioServerConfig } from './serverConfig.ts';
import { ServerProcess, type ProcessEnd } from './stdio/serverProcess.ts';
import { spawnServer, thisMachine, type Machine } from './stdio/spawnServer.ts';
import { readStdoutLine } from './stdio/stdoutMessages.ts';
import { ACCEPTED, type Transport, type TransportContext, type TransportListener } from './transport.ts';

/** What tests replace. */
export interface StdioOptions {
  readonly machine?: Machine;
  readonly clock?: Clock;
  /** How long each step of the shutdown waits, in milliseconds. Default 2,000. */
  readonly graceMs?: number;
  /** Longest message of the server, in bytes. Default 64 MiB. */
  readonly lineLimit?: number;
}

/** How many lines of noise are told one by one. */
const NOISE_TOLD = 20;
/** When to tell a person that a server has written nothing but noise, in milliseconds. */
const ONLY_NOISE_MS = 10_000;

/** A transport to a server that is started as a child process (MCP, transports: stdio). */
export function openStdioTransport(
  config: StdioServerConfig,
  context: TransportContext,
  options: StdioOptions = {},
): StdioTransport {
  return new StdioTransport(config, context, options);
}

type Fact = TapFact extends infer F ? (F extends TapFact ? Omit<F, 'connection' | 'server' | 'peer'> : never) : never;

/** A server that is a program: JSON-RPC lines on stdin and stdout (MCP "Transports", "stdio"). */
class StdioTransport implements Transport {
  readonly kind = 'stdio';
  readonly #config: StdioServerConfig;
  readonly #context: TransportContext;
  readonly #options: Required<StdioOptions>;
  readonly #opening = new AbortController();
  readonly #errorLines = new LastLines();
  #start: Promise<void> | undefined;
  #process: ServerProcess | undefined;
  #end: TransportError | undefined;
  #callOffWarning: () => void = () => undefined;
  #messages = 0;
  #noise = 0;
  #firstNoise = '';

  constructor(config: StdioServerConfig, context: TransportContext, options: StdioOptions) {
    this.#config = config;
    this.#context = context;
    this.#options = {
      machine: thisMachine,
      clock: systemClock,
      graceMs: 2000,
      lineLimit: DEFAULT_LINE_LIMIT,
      ...options,
    };
  }

  start(listener: TransportListener): Promise<void> {
    this.#start ??= this.#open(listener);
    return this.#start;
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (!this.#process || this.#end) return Promise.reject(this.#end ?? this.#gone());
    const line = JSON.stringify(message);
    if (this.#context.tap) {
      this.#tell({ kind: 'stdio-line', direction: 'out', text: line });
      this.#tell({ kind: 'message', direction: 'out', message, bytes: Buffer.byteLength(line) });
    }
    const held = this.#process.write(line);
    return held?.catch(() => Promise.reject(this.#end ?? this.#gone())) ?? ACCEPTED;
  }

  /** What may explain that the server does not answer; to be put behind a sentence that has no full stop. May be empty. */
  trouble(): string {
    const noise = this.#messages === 0 && this.#noise > 0 ? `. ${capital(this.#onlyNoise())}` : '';
    const errors = this.#errorLines.toString();
    const text = errors === '' ? noise : `${noise}. Its last lines on stderr:\n${errors}`;
    return withoutSecrets(text, this.#config.env ?? {});
  }

  /** Nothing waits here for an answer. */
  abandon(): void {}

  async close(): Promise<void> {
    this.#opening.abort();
    this.#callOffWarning();
    this.#end ??= new TransportError('cancelled', `${this.#config.name}: the connection was closed.`);
    // Whoever started it was told of the failure.
    await this.#start?.catch(() => undefined);
    await this.#process?.stop();
  }

  async #open(listener: TransportListener): Promise<void> {
    const child = await spawnServer(this.#config, this.#options.machine, this.#opening.signal);
    const { command, args = [], cwd } = this.#config;
    const { pid } = child;
    if (pid === undefined) throw this.#gone();
    this.#tell({ kind: 'process-start', command, args, ...(cwd !== undefined && { cwd }), pid });
    child.once('exit', (code, signal) => this.#tell({ kind: 'process-exit', code, signal }));
    const { clock, graceMs, lineLimit, machine } = this.#options;
    this.#process = new ServerProcess(
      child,
      {
        onLine: (line, bytes) => this.#onLine(line, bytes, listener),
        onErrorLine: (line) => this.#onErrorLine(line),
        onEnd: (how) => this.#onEnd(how, listener),
      },
      { pid, platform: machine.platform, clock, graceMs, lineLimit },
    );
    if (this.#opening.signal.aborted) throw this.#gone();
    this.#callOffWarning = clock.after(ONLY_NOISE_MS, () => this.#warnOfNoise());
  }

  #onLine(line: string, bytes: number, listener: TransportListener): void {
    const read = readStdoutLine(line);
    if (this.#context.tap) this.#tell({ kind: 'stdio-line', direction: 'in', text: line });
    if (!read || this.#end) return;
    if ('noise' in read) return this.#onNoise(read.noise);
    this.#messages++;
    if (this.#context.tap) this.#tell({ kind: 'message', direction: 'in', message: read.message, bytes });
    listener.onMessage(read.message);
  }

  #onNoise(text: string): void {
    if (this.#noise++ === 0) this.#firstNoise = shorten(text);
    const { note } = this.#context;
    if (this.#noise <= NOISE_TOLD) note('info', `A line on stdout is no message and was skipped: ${shorten(text)}`);
    if (this.#noise === NOISE_TOLD) note('info', 'Further such lines are skipped without a note.');
  }

  #warnOfNoise(): void {
    if (this.#messages > 0 || this.#noise === 0 || this.#end) return;
    this.#context.note('warning', `${this.#config.name}: ${this.#onlyNoise()}`);
  }

  #onlyNoise(): string {
    return `so far the process has written only text to stdout and no JSON-RPC message; first: ${this.#firstNoise}`;
  }

  #onErrorLine(text: string): void {
    this.#errorLines.add(text);
    if (this.#context.tap) this.#tell({ kind: 'stdio-line', direction: 'err', text });
  }

  #onEnd(how: ProcessEnd, listener: TransportListener): void {
    this.#callOffWarning();
    if (this.#end) return;
    const noise = this.#messages === 0 && this.#noise > 0 ? this.#firstNoise : undefined;
    this.#end = processEndError(this.#config, how, { errorLines: this.#errorLines.toString(), noise });
    listener.onClose(this.#end);
  }

  #gone(): TransportError {
    return new TransportError('closed', `${this.#config.name}: there is no connection.`);
  }

  #tell(fact: Fact): void {
    this.#context.tap?.({ ...this.#context.source, ...fact });
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
