import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposables.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { CallToolOptions, Client, RequestOptions } from '../client.ts';
import { ClientEvents } from '../clientEvents.ts';
import { readCallToolResult, type Cursor } from '../readResult.ts';
import type { PeerRequestOptions, RpcPeer } from '../rpcPeer.ts';
import { STATELESS_REVISION, type CallToolResult, type Implementation, type Tool } from '../schema.ts';
import { offersTools, ToolList } from '../toolList.ts';
import type { Note, Transport } from '../transport.ts';
import type { Discovery } from './discovery.ts';
import { EraWatch } from './eraWatch.ts';
import type { MirroredHeaders } from './mirroredHeaders.ts';
import { modernCode, rpcErrorIn } from './modernError.ts';
import { isReplacedNotice, replacedRequest, type Replacements } from './replacedRequests.ts';
import type { StatelessRequests } from './statelessRequests.ts';
import { Subscription } from './subscription.ts';

/** The server that the client is for. */
export interface StatelessClientOptions {
  readonly connection: string;
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  readonly peer: RpcPeer;
  readonly transport: Transport;
  readonly requests: StatelessRequests;
  readonly discovery: Discovery;
  /** Where the transport repeats parts of messages in headers. */
  readonly mirrored?: MirroredHeaders;
  /** Told once, however it ends. `eraLost`: because the server does not speak this revision any more. */
  onEnd(error: Error | undefined, eraLost: boolean): void;
}

/**
 * A client of the stateless revision 2026-07-28: there is no session, each request stands for itself, and changes are told
 * on a stream that was asked for. Used like any other client.
 */
export class StatelessClient implements Client, Replacements {
  readonly protocolVersion = STATELESS_REVISION;
  readonly #options: StatelessClientOptions;
  readonly #events: ClientEvents;
  readonly #tools: ToolList;
  readonly #subscription: Subscription;
  readonly #resources = new Set<string>();
  readonly #complaints = new Set<string>();
  readonly #era: EraWatch;
  #ttlMs = 0;

  constructor(options: StatelessClientOptions) {
    this.#options = options;
    const { server, clock, note } = options;
    this.#events = new ClientEvents(note);
    this.#tools = new ToolList({
      server,
      clock,
      note,
      isOffered: () => offersTools(this.capabilities),
      fetchPage: (params, options) => this.#fetchPage(params, options),
      isFresh: (ageMs) => (this.#ttlMs > 0 ? ageMs < this.#ttlMs : this.#subscription.covers('toolsListChanged')),
    });
    this.#subscription = new Subscription({
      clock,
      note,
      listen: (notifications, onRequestId, signal) =>
        options.requests.send('subscriptions/listen', { notifications }, { timeoutMs: Infinity, onRequestId, signal }),
      onGap: () => this.#onGap(),
    });
    this.#era = new EraWatch({
      server,
      discover: () => options.requests.send('server/discover', undefined, {}),
      onLost: (error) => this.#onEraLost(error),
    });
  }

  get transport(): Client['transport'] {
    return this.#options.transport.kind;
  }

  get connection(): string {
    return this.#options.connection;
  }

  get serverInfo(): Implementation {
    return this.#options.discovery.serverInfo;
  }

  get capabilities(): JsonObject {
    return this.#options.discovery.capabilities;
  }

  get instructions(): string | undefined {
    return this.#options.discovery.instructions;
  }

  /** Begins to listen for changes, where the server says that it tells of any. */
  listen(): void {
    this.#subscription.update(this.#filter());
  }

  listTools(options: RequestOptions = {}): Promise<Tool[]> {
    return this.#tools.get(options);
  }

  async callTool(name: string, args: Record<string, unknown>, options: CallToolOptions = {}): Promise<CallToolResult> {
    const params = { name, arguments: args ?? {} };
    const result = await this.#request('tools/call', params, { ...options, progressToken: true });
    return readCallToolResult(result, this.#options.server);
  }

  request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    return replacedRequest(method, params, this) ?? this.#request(method, params, options);
  }

  notify(method: string, params?: unknown): Promise<void> {
    return isReplacedNotice(method) ? Promise.resolve() : this.#options.peer.notify(method, params);
  }

  onDidChangeTools(listener: () => void): Disposable {
    return this.#tools.onDidChange(listener);
  }

  onDidReceiveNotification(listener: (notification: { method: string; params: unknown }) => void): Disposable {
    return this.#events.onNotification(listener);
  }

  onDidWarn(listener: (text: string) => void): Disposable {
    return this.#events.onWarn(listener);
  }

  onDidClose(listener: (error?: Error) => void): Disposable {
    return this.#events.onClose(listener);
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#options.peer.close();
    this.onClosed(undefined);
  }

  setLogLevel(level: string): void {
    this.#options.requests.setLogLevel(level);
  }

  subscribe(uri: string): void {
    this.#resources.add(uri);
    this.listen();
  }

  unsubscribe(uri: string): void {
    if (this.#resources.delete(uri)) this.listen();
  }

  reach(): Promise<unknown> {
    return this.#request('server/discover', undefined, {});
  }

  /** A notification of the server's. */
  onNotification(method: string, params: unknown): void {
    if (method === 'notifications/tools/list_changed') this.#tools.invalidate();
    else if (method === 'notifications/subscriptions/acknowledged') this.#subscription.onAcknowledged(params);
    else if (method === 'notifications/cancelled') this.#subscription.onCancelled(params);
    else this.#events.notify({ method, params });
  }

  onWarning(text: string): void {
    this.#events.warn(text);
  }

  /** The wire has ended, or the server is not what it was. */
  onClosed(error: Error | undefined, eraLost = false): void {
    if (this.#events.isEnded) return;
    this.#stop();
    this.#options.onEnd(error, eraLost);
    this.#events.end(error);
  }

  #onEraLost(error: Error): void {
    this.onClosed(error, true);
    void this.#options.peer.close();
  }

  #stop(): void {
    this.#subscription.stop();
    this.#tools.close();
    this.#options.requests.close();
  }

  #filter(): JsonObject {
    const tells = (name: string): boolean => {
      const capability = this.capabilities[name];
      return isRecord(capability) && capability['listChanged'] === true;
    };
    return {
      ...(tells('tools') && { toolsListChanged: true }),
      ...(tells('prompts') && { promptsListChanged: true }),
      ...(tells('resources') && { resourcesListChanged: true }),
      ...(this.#resources.size > 0 && { resourceSubscriptions: [...this.#resources] }),
    };
  }

  /** What may have been missed is taken for changed. */
  #onGap(): void {
    if (this.#subscription.covers('toolsListChanged')) this.#tools.invalidate();
    for (const kind of ['prompts', 'resources']) {
      if (!this.#subscription.covers(`${kind}ListChanged`)) continue;
      this.#events.notify({ method: `notifications/${kind}/list_changed`, params: undefined });
    }
  }

  async #request(method: string, params: unknown, options: CallToolOptions & PeerRequestOptions): Promise<unknown> {
    const { requests, mirrored } = this.#options;
    const mirrors = mirrored !== undefined && method === 'tools/call';
    try {
      if (!mirrors) return await requests.ask(method, params, options);
      return await requests.ask(method, params, options, (...request) => this.#sendMirrored(mirrored, ...request));
    } catch (error) {
      this.#era.suspect(error);
      throw error;
    }
  }

  /** A server that misses headers has refused the call: where its list says now that they are others, the call leaves once more. */
  async #sendMirrored(
    mirrored: MirroredHeaders,
    method: string,
    params: unknown,
    options: PeerRequestOptions,
  ): Promise<unknown> {
    const { requests } = this.#options;
    const name = String(isRecord(params) ? params['name'] : '');
    const before = mirrored.stateOf(name);
    try {
      return await requests.send(method, params, options);
    } catch (error) {
      if (rpcErrorIn(error)?.code !== modernCode.headerMismatch) throw error;
      await this.#tools.reload({ signal: options.signal, timeoutMs: options.timeoutMs });
      if (mirrored.stateOf(name) === before) throw error;
    }
    return requests.send(method, params, options);
  }

  /** Each page says for how long it may be kept; the shortest time counts for the list. */
  async #fetchPage(params: { readonly cursor?: Cursor }, options: RequestOptions): Promise<unknown> {
    const result = await this.#request('tools/list', params, options);
    if (!isRecord(result)) return result;
    const ttlMs = typeof result['ttlMs'] === 'number' ? Math.max(0, result['ttlMs']) : 0;
    this.#ttlMs = params.cursor === undefined ? ttlMs : Math.min(this.#ttlMs, ttlMs);
    const { tools } = result;
    return Array.isArray(tools) ? { ...result, tools: tools.filter((tool) => this.#isUsable(tool)) } : result;
  }

  #isUsable(tool: unknown): boolean {
    const { mirrored } = this.#options;
    const problem = mirrored && isRecord(tool) ? mirrored.learn(tool) : undefined;
    if (problem === undefined || !isRecord(tool)) return true;
    const text = `the tool ${JSON.stringify(tool['name'])} was left out: ${problem}`;
    if (!this.#complaints.has(text)) this.#options.note('warning', text);
    this.#complaints.add(text);
    return false;
  }
}
