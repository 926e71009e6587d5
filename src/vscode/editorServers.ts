import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { ServerPool, } from '../servers/serverPool.ts';
import type { OpenServer } from '../servers/serverConnection.ts';
import type { Tool } from '../tools/tool.ts';
import { ToolRegistry, type ToolRegistryOptions } from '../tools/toolRegistry.ts';
import { oneLine } from './plainText.ts';
import { specsOf, type SpecOptions } from './serverSpecs.ts';
import { readServerSettings, type ServerSettings } from './settingsSource.ts';

export interface EditorServersOptions extends Omit<SpecOptions, 'inputs'>, ToolRegistryOptions {
  readonly open: OpenServer;
  readonly log: (level: 'info' | 'warning' | 'error', text: string) => void;
}

/**
 * The servers of this window: what the settings of all scopes say, kept running while they say so.
 * Nothing is read or started before the chat or a command needs it.
 */
export class EditorServers implements Disposable {
  readonly #options: EditorServersOptions;
  readonly #pool: ServerPool;
  readonly #registry: ToolRegistry;
  readonly #store = new DisposableStore();
  #settings: ServerSettings | undefined;
  #reported = '';

  constructor(options: EditorServersOptions) {
    this.#options = options;
    this.#pool = new ServerPool({ open: options.open });
    this.#registry = new ToolRegistry(this.#pool, options);
    this.#store.add(this.#pool.onDidWarn(({ server, text }) => options.log('warning', `${server}: ${text}`)));
  }

  get onDidChange(): ServerPool['onDidChange'] {
    return this.#pool.onDidChange;
  }

  /** Reads the settings and starts what they name; afterwards edits of the settings are followed. */
  start(): void {
    if (this.#settings !== undefined) return;
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('mcp.servers') || event.affectsConfiguration('mcp.inputs')) this.#reconcile();
    }));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#reconcile()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#reconcile()));
    this.#reconcile();
  }

  /** Starts if need be; resolves when every server is ready or has failed for the first time. */
  ready(): Promise<void> {
    this.start();
    return this.#pool.ready();
  }

  connections(): readonly ServerConnection[] {
    return this.#pool.servers;
  }

  find(identity: string): ServerConnection | undefined {
    return this.#pool.find(identity);
  }

  /** The tools that a model is offered now. */
  tools(): readonly Tool[] {
    return this.#registry.snapshot();
  }

  toolsOf(identity: string): readonly Tool[] {
    const name = this.find(identity)?.spec.name;
    return this.tools().filter((tool) => tool.server === name);
  }

  leftOut(): ToolRegistry['leftOut'] {
    return this.#registry.leftOut;
  }

  problems(): ServerSettings['problems'] {
    return (this.#settings?.problems ?? []).filter(({ severity }) => severity !== 'hint');
  }

  /** What ready servers say about their tools. */
  instructions(): readonly { readonly server: string; readonly text: string }[] {
    return this.#pool.servers.flatMap(({ spec, state }) => {
      const text = state.kind === 'ready' ? state.client.instructions : undefined;
      return text === undefined || text === '' ? [] : [{ server: spec.name, text }];
    });
  }

  /** A number of our own settings. */
  number(name: 'maxSteps' | 'maxTools', fallback: number): number {
    const value: unknown = vscode.workspace.getConfiguration('mcpAgent').get(name);
    return typeof value === 'number' && value > 0 ? Math.floor(value) : fallback;
  }

  restart(identity: string): void {
    this.start();
    this.#pool.restart(identity);
  }

  /** Ends every server. Resolves when all is closed. */
  async close(): Promise<void> {
    this.#store.dispose();
    await this.#pool.close();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #reconcile(): void {
    const settings = readServerSettings();
    this.#settings = settings;
    for (const { source, path, message, severity } of settings.problems) {
      this.#options.log(severity === 'hint' ? 'info' : severity, `${source} ${path}: ${message}`);
    }
    this.#pool.reconcile(specsOf(settings.entries, { ...this.#options, inputs: settings.inputs }));
    void this.#report();
  }

  /** One notification for all problems; none again for the same ones. */
  async #report(): Promise<void> {
    const problems = this.problems();
    const key = JSON.stringify(problems);
    if (key === this.#reported) return;
    this.#reported = key;
    const [first] = problems;
    if (first === undefined) return;
    const open = vscode.l10n.t('Open Settings');
    const rest = problems.length > 1 ? ` ${vscode.l10n.t('({0} more in the log)', problems.length - 1)}` : '';
    const text = `${oneLine(first.path, 100)}: ${oneLine(first.message, 300)}${rest}`;
    if ((await vscode.window.showWarningMessage(text, open)) === open) {
      await vscode.commands.executeCommand('mcpAgent.openSettings');
    }
  }
}
