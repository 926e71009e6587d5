import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import { bodyOf, type WireEntry } from '../wire/wireEntry.ts';
import type { WireLog } from '../wire/wireLog.ts';
import { clip, oneLine } from './plainText.ts';
import { hideSecretsBy } from './serverErrorText.ts';

/** Characters of a body that a log line holds. */
const bodyLimit = 4000;

/** One log a server, made when there is something to say; plus one for the extension itself. Fed from the record, so already redacted. */
export class ServerLogs implements Disposable {
  readonly #channels = new Map<string, vscode.LogOutputChannel>();
  readonly #subscription: Disposable;
  readonly #wire: WireLog;

  constructor(wire: WireLog) {
    this.#wire = wire;
    hideSecretsBy((text) => wire.redact(text));
    this.#subscription = wire.onDidAppend(({ appended }) => {
      for (const entry of appended) if (entry.peer !== 'model' && entry.server !== '') this.#write(entry);
    });
  }

  /** The log of the extension itself. */
  get own(): vscode.LogOutputChannel {
    return this.#channel('MCP Agent');
  }

  /** Writes a line of our own, redacted. */
  note(level: 'debug' | 'info' | 'warning' | 'error', text: string, server?: string): void {
    const channel = server === undefined ? this.own : this.#of(server);
    write(channel, level, this.#wire.redact(text));
  }

  /** The level that the log of a server shows. */
  levelOf(server: string): vscode.LogLevel {
    return this.#of(server).logLevel;
  }

  onDidChangeLevel(server: string, listener: (level: vscode.LogLevel) => void): Disposable {
    return this.#of(server).onDidChangeLogLevel(listener);
  }

  show(server?: string): void {
    (server === undefined ? this.own : this.#of(server)).show(true);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const channel of this.#channels.values()) channel.dispose();
  }

  #write(entry: WireEntry): void {
    const line = lineOf(entry);
    if (line !== undefined) write(this.#of(entry.server), line.level, line.text);
  }

  #of(server: string): vscode.LogOutputChannel {
    return this.#channel(`MCP Agent: ${oneLine(server, 60)}`);
  }

  #channel(name: string): vscode.LogOutputChannel {
    const channel = this.#channels.get(name) ?? vscode.window.createOutputChannel(name, { log: true });
    this.#channels.set(name, channel);
    return channel;
  }
}

interface Line {
  readonly level: 'trace' | 'debug' | 'info' | 'warning' | 'error';
  readonly text: string;
}

function write(channel: vscode.LogOutputChannel, level: Line['level'], text: string): void {
  if (level === 'warning') channel.warn(text);
  else channel[level](text);
}

/** What a log says of one fact: life at info, messages at debug, HTTP at trace. */
function lineOf(entry: WireEntry): Line | undefined {
  switch (entry.kind) {
    case 'note':
      return { level: entry.level, text: entry.text };
    case 'connection-open':
      return {
        level: 'info',
        text: `Connected (${entry.transport}${entry.protocolVersion === undefined ? '' : `, MCP ${entry.protocolVersion}`}).`,
      };
    case 'connection-close':
      return {
        level: entry.error === undefined ? 'info' : 'warning',
        text: `Closed${entry.error === undefined ? '.' : `: ${entry.error}`}`,
      };
    case 'process-start':
      return { level: 'info', text: `Started: ${[entry.command, ...entry.args].join(' ')}` };
    case 'process-exit':
      return { level: 'info', text: `The process ended (${entry.signal ?? `exit code ${entry.code}`}).` };
    case 'stdio-line':
      return entry.direction === 'err'
        ? { level: 'info', text: `stderr: ${clip(bodyOf(entry)?.text ?? '', bodyLimit)}` }
        : undefined;
    case 'message':
      return { level: 'debug', text: messageLine(entry) };
    case 'http-request':
      return { level: 'trace', text: `→ ${entry.method} ${entry.url}` };
    case 'http-response':
      return { level: 'trace', text: `← ${entry.status} ${entry.statusText}` };
    default:
      return undefined;
  }
}

function messageLine(entry: WireEntry & { kind: 'message' }): string {
  const arrow = entry.direction === 'out' ? '→' : '←';
  return `${arrow} ${JSON.stringify(entry.head)} (${entry.bytes} B)`;
}
