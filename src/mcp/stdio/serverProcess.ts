import { LineDecoder, LineTooLongError } from '../../base/lines.ts';
import type { Clock } from '../../base/clock.ts';
import { TransportError } from '../errors.ts';
import { endWithUs } from './orphanWatch.ts';
import { findTree, isTreeAlive, signalTree, type ProcessTree } from './processTree.ts';
import type { ServerChild } from './spawnServer.ts';

/** Who is told what a process says. */
export interface ServerProcessListener {
  onLine(line: string, bytes: number): void;
  onErrorLine(line: string): void;
  /** The process has ended, or can no longer be spoken with. Told once; not after `stop`. */
  onEnd(how: ProcessEnd): void;
}

/** How a process came to its end for us. */
export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  /** It lives, but has closed this pipe, or wrote a line beyond the cap. */
  | { readonly kind: 'mute' | 'deaf' }
  | { readonly kind: 'too-long'; readonly error: LineTooLongError };

/** Which process it is, and how it is ended. */
export interface ServerProcessOptions {
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** How long each step of the shutdown waits for the processes to go, in milliseconds. */
  readonly graceMs: number;
  /** Longest line on stdout, in bytes. */
  readonly lineLimit: number;
}

/** How long output that is still in the pipe is waited for once the process is gone, in milliseconds. */
const DRAIN_MS = 250;
/** Longest line of stderr that is told in one piece, in bytes. */
const ERROR_LINE_LIMIT = 64 * 1024;
const POLL_MS = 50;

/** A running server process: lines in and out, its end, and its orderly end with all that it started. */
export class ServerProcess {
  readonly pid: number;
  readonly #child: ServerChild;
  readonly #listener: ServerProcessListener;
  readonly #options: ServerProcessOptions;
  readonly #release: () => void;
  readonly #exited: Promise<void>;
  /** Lines of this turn of the event loop, which leave together. */
  #batch = '';
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  #ended = false;
  #stopping: Promise<void> | undefined;

  constructor(child: ServerChild, listener: ServerProcessListener, options: ServerProcessOptions) {
    this.#child = child;
    this.pid = options.pid;
    this.#listener = listener;
    this.#options = options;
    this.#release = endWithUs(options.pid, options.platform);
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.#readOutput();
    this.#readErrors();
    child.stdin.on('drain', () => this.#settle());
    child.on('error', () => this.#later({ kind: 'deaf' }));
    child.stdin.on('error', () => this.#later({ kind: 'deaf' }));
    child.once('exit', (code, signal) => this.#afterOutput({ kind: 'exit', code, signal }));
  }

  /**
   * Writes a line. Undefined when the pipe takes more; else a promise that resolves when it does, so that a server that does not
   * read holds its callers back, and rejects when the process ends before.
   */
  write(line: string): Promise<void> | undefined {
    const { stdin } = this.#child;
    if (this.#ended || !stdin.writable) return Promise.reject(new TransportError('closed', 'The process has ended.'));
    const isFirst = this.#batch === '';
    this.#batch += `${line}\n`;
    if (isFirst) process.nextTick(flush, this);
    if (!stdin.writableNeedDrain && stdin.writableLength + this.#batch.length < stdin.writableHighWaterMark)
      return undefined;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Hands over what was written. One write for many lines: each is a call of the system, and wakes the server. */
  flush(): void {
    const batch = this.#batch;
    this.#batch = '';
    if (batch === '' || !this.#child.stdin.writable) return;
    if (this.#child.stdin.write(batch)) this.#settle();
  }

  /**
   * Ends the process and what it started: closes its stdin, after a grace time SIGTERM, after another SIGKILL (MCP, lifecycle: shutdown).
   * Resolves when all are gone.
   */
  stop(): Promise<void> {
    this.flush();
    this.#ended = true;
    this.#settle(new TransportError('closed', 'The connection was closed.'));
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  #readOutput(): void {
    const lines = new LineDecoder(
      (line, bytes) => {
        if (!this.#ended) this.#listener.onLine(line, bytes);
      },
      { limit: this.#options.lineLimit },
    );
    this.#child.stdout.on('data', (chunk: Buffer) => {
      try {
        lines.write(chunk);
      } catch (error) {
        if (!(error instanceof LineTooLongError)) throw error;
        this.#finish({ kind: 'too-long', error });
      }
    });
    this.#child.stdout.on('end', () => {
      lines.end();
      this.#later({ kind: 'mute' });
    });
  }

  #readErrors(): void {
    const lines = new LineDecoder((line) => this.#listener.onErrorLine(line), { limit: ERROR_LINE_LIMIT, cut: true });
    this.#child.stderr.on('data', (chunk: Buffer) => lines.write(chunk));
    this.#child.stderr.on('end', () => lines.end());
  }

  /** A pipe that closes is mostly the first sign of an exit, which says more. */
  #later(how: ProcessEnd): void {
    this.#options.clock.after(DRAIN_MS, () => this.#finish(how));
  }

  /** Output may still be in the pipe; but a grandchild that holds the pipe open does not delay the news. */
  #afterOutput(how: ProcessEnd): void {
    const cancel = this.#options.clock.after(DRAIN_MS, () => this.#finish(how));
    this.#child.once('close', () => {
      cancel();
      this.#finish(how);
    });
  }

  #finish(how: ProcessEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#settle(new TransportError('closed', 'The process has ended.'));
    this.#stopping ??= this.#shutDown();
    this.#listener.onEnd(how);
  }

  #settle(error?: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve, reject } of waiting) {
      if (error) reject(error);
      else resolve();
    }
  }

  async #shutDown(): Promise<void> {
    const { platform } = this.#options;
    const tree = await findTree(this.pid, platform);
    this.#child.stdin.end();
    if (!(await this.#isGone(tree))) await signalTree(tree, 'SIGTERM', platform);
    if (!(await this.#isGone(tree))) await signalTree(tree, 'SIGKILL', platform);
    await this.#exited;
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#release();
  }

  /** Waits up to the grace time for the leader to exit and the rest of its tree to follow. */
  async #isGone(tree: ProcessTree): Promise<boolean> {
    const { clock, graceMs, platform } = this.#options;
    const deadline = clock.now() + graceMs;
    await Promise.race([this.#exited, pause(clock, graceMs)]);
    while (this.#isRunning() || (await isTreeAlive(tree, platform))) {
      if (clock.now() >= deadline) return false;
      await pause(clock, POLL_MS);
    }
    return true;
  }

  #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }
}

function flush(server: ServerProcess): void {
  server.flush();
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}
