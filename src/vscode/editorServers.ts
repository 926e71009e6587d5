import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { JsonObject } from '../base/json.ts';
import { STATELESS_REVISION } from '../mcp/schema.ts';
import type { OpenServer, ServerConnection } from '../servers/serverConnection.ts';
import { ServerPool } from '../servers/serverPool.ts';
import { untilUsable } from '../servers/untilUsable.ts';
import { allowsName } from '../settings/namePattern.ts';
import { isOfWorkspace } from '../settings/startPermission.ts';
import { serverIdentity } from '../servers/serverIdentity.ts';
import type { Tool } from '../tools/tool.ts';
import { ToolRegistry, type ToolRegistryOptions } from '../tools/toolRegistry.ts';
import type { ToolSwitches } from '../tools/toolSwitches.ts';
import { oneLine } from './plainText.ts';
import { ProblemReport } from './problemReport.ts';
import { specsOf, type SpecOptions } from './serverSpecs.ts';
import { StartGate, type AskedPermissions } from './startGate.ts';
import { readServerSettings, type ServerSettings } from './settingsSource.ts';
import type { StoppedServers } from './stoppedServers.ts';

/** What the servers of this window are opened with. */
export interface EditorServersOptions
  extends Omit<SpecOptions, 'inputs' | 'heldBy' | 'isHalted'>, Omit<ToolRegistryOptions, 'isEnabled'> {
  /** Which of their tools the person has switched on. */
  readonly switches: ToolSwitches;
  /** Which servers the person has stopped in this workspace. */
  readonly stopped: StoppedServers;
  /** Which servers of the workspace the person lets start. */
  readonly permissions: AskedPermissions;
  readonly open: OpenServer;
  readonly log: (level: 'info' | 'warning' | 'error', text: string, server?: string) => void;
}

/**
 * The servers of this window: what the settings of all scopes say, kept running while they say so.
 * Nothing is read or started before the chat or a command needs it.
 */
export class EditorServers implements Disposable {
  readonly switches: ToolSwitches;
  readonly #options: EditorServersOptions;
  readonly #pool: ServerPool;
  readonly #registry: ToolRegistry;
  readonly #gate: StartGate;
  readonly #store = new DisposableStore();
  #settings: ServerSettings | undefined;
  readonly #report = new ProblemReport();
  #warnings: string[] = [];

  constructor(options: EditorServersOptions) {
    this.#options = options;
    this.switches = options.switches;
    this.#pool = new ServerPool({ open: options.open });
    this.#registry = new ToolRegistry(this.#pool, {
      ...options,
      isEnabled: (identity, tool) => this.switches.isOn(identity, tool),
      reserved: new Set(['read_result', 'search_tools', 'list_resources', 'read_resource']),
    });
    this.#gate = new StartGate({
      permissions: options.permissions,
      settings: () => this.#settings,
      onAnswer: () => this.#reconcile(),
      log: options.log,
    });
    this.#store.add(this.switches.onDidChange(() => this.#registry.refresh()));
    this.#store.add(
      this.#pool.onDidWarn(({ server, text }) => {
        this.#warnings.push(text);
        options.log('warning', text, server);
      }),
    );
  }

  get onDidChange(): ServerPool['onDidChange'] {
    return this.#pool.onDidChange;
  }

  /** Reads the settings and starts what they name; afterwards edits of the settings are followed. */
  start(): void {
    if (this.#settings !== undefined) return;
    this.#begin();
    void this.#gate.announce();
  }

  #begin(): void {
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('mcp.servers') && !event.affectsConfiguration('mcp.inputs')) return;
        this.#reconcile();
        void this.#gate.announce();
      }),
    );
    this.#store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.#reconcile();
        void this.#gate.announce();
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#reconcile();
        this.#tellRoots();
      }),
    );
    this.#reconcile();
  }

  /** Whether the servers have been started, so that their states say more than the settings do. */
  get isStarted(): boolean {
    return this.#settings !== undefined;
  }

  /** What the settings say now; starts nothing. */
  settings(): ServerSettings {
    return this.#settings ?? readServerSettings();
  }

  /** Starts if need be, asking first about what the workspace defines; resolves when a turn should begin: see `untilUsable`. */
  async usable(signal: AbortSignal): Promise<void> {
    if (this.#settings === undefined) this.#begin();
    await this.#gate.askForDue();
    await untilUsable(this.#pool, signal);
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

  /** All tools that the settings allow, also those that the person has switched off. */
  listedTools(): readonly Tool[] {
    return this.#registry.listed;
  }

  /** The tools of one server, also those that the person has switched off. */
  toolsOf(identity: string): readonly Tool[] {
    return this.toolsByServer().get(identity) ?? [];
  }

  /** The tools of all servers by the server's identity, also those that are switched off; none for a server that lists none. */
  toolsByServer(): ReadonlyMap<string, readonly Tool[]> {
    const byServer = new Map<string, Tool[]>();
    for (const tool of this.listedTools()) {
      const present = byServer.get(tool.serverIdentity);
      if (present === undefined) byServer.set(tool.serverIdentity, [tool]);
      else present.push(tool);
    }
    return byServer;
  }

  /** The servers that are not switched off as a whole: what the model may know of. */
  connectionsInUse(): readonly ServerConnection[] {
    return this.#pool.servers.filter(({ spec }) => this.switches.isServerOn(spec.identity));
  }

  /** Whether settings let a tool run without asking. Those of a workspace count where the person agreed to them at its start. */
  isAutoApproved(tool: Tool): boolean {
    const identity = tool.serverIdentity;
    const entry = this.#settings?.entries.find(({ source, name }) => serverIdentity(source, name) === identity);
    if (entry?.autoApprove === undefined || !allowsName(entry.autoApprove, tool.tool)) return false;
    return !isOfWorkspace(entry.source) || this.#gate.allowsTools(entry);
  }

  /** What servers warned of since the last call. */
  takeWarnings(): readonly string[] {
    return this.#warnings.splice(0);
  }

  leftOut(): ToolRegistry['leftOut'] {
    return this.#registry.leftOut;
  }

  problems(): ServerSettings['problems'] {
    return (this.#settings?.problems ?? []).filter(({ severity }) => severity !== 'hint');
  }

  /** What ready servers say about their tools. */
  instructions(): readonly { readonly server: string; readonly text: string }[] {
    return this.connectionsInUse().flatMap(({ spec, state }) => {
      const text = state.kind === 'ready' ? state.client.instructions : undefined;
      return text === undefined || text === '' ? [] : [{ server: spec.name, text }];
    });
  }

  /** Calls a tool by its server's own name of it, outside of any chat. Rejects when the server or the call fails. */
  async callTool(
    server: string,
    tool: string,
    args: JsonObject,
    onRequestId: (id: number | string) => void,
  ): Promise<void> {
    this.start();
    const connection = this.#pool.servers.find(({ spec }) => spec.name === server);
    if (connection === undefined)
      throw new Error(vscode.l10n.t('The server {0} is not configured any more.', oneLine(server)));
    await connection.use(new AbortController().signal, (client) => client.callTool(tool, args, { onRequestId }));
  }

  /** A number of our own settings. */
  number(name: 'maxSteps' | 'maxTools', fallback: number): number {
    const value: unknown = vscode.workspace.getConfiguration('mcpAgent').get(name);
    return typeof value === 'number' && value > 0 ? Math.floor(value) : fallback;
  }

  /** Connects anew; one that is held back is asked about, since the person acts. */
  restart(identity: string): void {
    this.#startQuietly();
    if (this.isHalted(identity)) void this.startOne(identity);
    else if (this.find(identity)?.spec.held === undefined) this.#pool.restart(identity);
    else void this.#gate.askAgain(identity);
  }

  restartNamed(name: string): void {
    this.#startQuietly();
    for (const { spec } of this.#pool.servers) if (spec.name === name) this.restart(spec.identity);
  }

  /** True for a server that the person has stopped, until they start it again. */
  isHalted(identity: string): boolean {
    return this.#options.stopped.has(identity);
  }

  /** Ends a server and keeps it so in this workspace, until it is started. Resolves when that is remembered. */
  async halt(identity: string): Promise<void> {
    await this.#setHalted(identity, true);
  }

  /** Starts one server that was stopped, or is held back: then the person is asked. */
  async startOne(identity: string): Promise<void> {
    this.#startQuietly();
    await this.#setHalted(identity, false);
    const server = this.find(identity);
    if (server?.spec.held !== undefined) await this.#gate.askAgain(identity);
    else server?.start();
  }

  async #setHalted(identity: string, isHalted: boolean): Promise<void> {
    const stored = this.#options.stopped.set(identity, isHalted);
    this.#startQuietly();
    this.#reconcile();
    await stored;
  }

  /** For something that the person does to one server: the others are not spoken of. */
  #startQuietly(): void {
    if (this.#settings === undefined) this.#begin();
  }

  /** Starts at once where the person wants that. */
  startIfWanted(): void {
    if (vscode.workspace.getConfiguration('mcpAgent').get('startServers') === 'onStartup') this.start();
  }

  /** Ends every server. Resolves when all is closed. */
  async close(): Promise<void> {
    this.#store.dispose();
    await this.#pool.close();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Servers are told that the folders of the window changed (MCP "Root List Changes"); the stateless revision has no such notice. */
  #tellRoots(): void {
    for (const { state, spec } of this.#pool.servers) {
      if (state.kind !== 'ready' || state.client.protocolVersion === STATELESS_REVISION) continue;
      state.client.notify('notifications/roots/list_changed').catch((error: unknown) => {
        this.#options.log('warning', `The change of folders was not told: ${String(error)}`, spec.name);
      });
    }
  }

  #reconcile(): void {
    const settings = readServerSettings();
    this.#settings = settings;
    for (const { source, path, message, severity } of settings.problems) {
      this.#options.log(severity === 'hint' ? 'info' : severity, `${source} ${path}: ${message}`);
    }
    this.#pool.reconcile(
      specsOf(settings.entries, {
        ...this.#options,
        inputs: settings.inputs,
        heldBy: (entry) => this.#gate.heldBy(entry),
        isHalted: (identity) => this.isHalted(identity),
      }),
    );
    void this.#report.show(this.problems());
  }
}
