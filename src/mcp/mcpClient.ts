import { messageOf } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import { isRecord } from '../base/json.ts';
import type { Disposable } from '../base/disposables.ts';
import { Emitter } from '../base/emitter.ts';
import type { CallToolOptions, Client, RequestOptions } from './client.ts';
import { RpcError, TransportError } from './errors.ts';
import type { RequestAnswer } from './inboundRequests.ts';
import { isRepeatableMethod } from './jsonrpc.ts';
import { readCallToolResult } from './readResult.ts';
import type { PeerRequestOptions, RpcPeer } from './rpcPeer.ts';
import type { CallToolResult, Implementation, Tool } from './schema.ts';
import type { Session } from './handshake.ts';
import { offersTools, ToolList } from './toolList.ts';
import type { Note, Transport } from './transport.ts';

/** The session that the client is for. */
export interface McpClientOptions {
  readonly connection: string;
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  readonly peer: RpcPeer;
  readonly transport: Transport;
  readonly session: Session;
  /** Who answers the server's own requests. */
  readonly answers?: ReadonlyMap<string, RequestAnswer>;
  /** The handshake, once more, for a server that has forgotten the session. */
  renew(): Promise<Session>;
  /** Told once, however the connection ends. */
  onEnd(error: Error | undefined): void;
}

/**
 * A session of the revisions that have one. It asks through the peer and renews the session when the server has forgotten
 * it: then one handshake serves all that wait, and a request that was refused for that reason — and so has not run — is sent
 * once more, as is one that only reads.
 */
export class McpClient implements Client {
  readonly #options: McpClientOptions;
  readonly #peer: RpcPeer;
  readonly #tools: ToolList;
  readonly #onNotification = new Emitter<{ method: string; params: unknown }>();
  readonly #onWarn = new Emitter<string>();
  readonly #onClose = new Emitter<Error | undefined>();
  readonly #earlyWarnings: string[] = [];
  #session: Session;
  #sessionNumber = 1;
  /** Tools whose calls are made as tasks. */
  #asTasks: ReadonlySet<string> = new Set();
  #renewing: Promise<void> | undefined;
  #isLost = false;
  #ended: { readonly error: Error | undefined } | undefined;

  constructor(options: McpClientOptions) {
    this.#options = options;
    this.#peer = options.peer;
    this.#session = options.session;
    this.#tools = new ToolList({
      server: options.server,
      clock: options.clock,
      note: options.note,
      isOffered: () => offersTools(this.#session.capabilities),
      fetchPage: (params, options) => this.request('tools/list', params, options),
    });
  }

  get transport(): Client['transport'] {
    return this.#options.transport.kind;
  }

  get connection(): string {
    return this.#options.connection;
  }

  get protocolVersion(): string {
    return this.#session.protocolVersion;
  }

  get serverInfo(): Implementation {
    return this.#session.serverInfo;
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#session.capabilities;
  }

  get instructions(): string | undefined {
    return this.#session.instructions;
  }

  async listTools(options: RequestOptions = {}): Promise<Tool[]> {
    const tools = await this.#tools.get(options);
    const { capabilities } = this.#session;
    if (isRecord(capabilities['tasks'])) {
      const { wantsTask } = await import('./tasks.ts');
      this.#asTasks = new Set(tools.flatMap((tool) => (wantsTask(capabilities, tool['execution']) ? [tool.name] : [])));
    }
    return tools;
  }

  async callTool(name: string, args: Record<string, unknown>, options: CallToolOptions = {}): Promise<CallToolResult> {
    const params = { name, arguments: isRecord(args) ? args : {} };
    let result: unknown;
    try {
      result = await this.#callOnce(params, options);
    } catch (error) {
      result = await this.#callAgain(params, options, error);
    }
    return readCallToolResult(result, this.#options.server);
  }

  request(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    return this.#request(method, params, options);
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.#peer.notify(method, params);
  }

  onDidChangeTools(listener: () => void): Disposable {
    return this.#tools.onDidChange(listener);
  }

  onDidReceiveNotification(listener: (notification: { method: string; params: unknown }) => void): Disposable {
    return this.#onNotification.event(listener);
  }

  /** What was to be told before anybody listened is told to the first listener. */
  onDidWarn(listener: (text: string) => void): Disposable {
    for (const text of this.#earlyWarnings.splice(0)) listener(text);
    return this.#onWarn.event(listener);
  }

  onDidClose(listener: (error?: Error) => void): Disposable {
    return this.#onClose.event(listener);
  }

  async close(): Promise<void> {
    const first = !this.#ended;
    await this.#peer.close();
    if (first) this.onClosed(undefined);
  }

  /** A notification of the server's. */
  onNotification(method: string, params: unknown): void {
    if (method === 'notifications/tools/list_changed') this.#tools.invalidate();
    else this.#onNotification.fire({ method, params });
  }

  onWarning(text: string): void {
    if (this.#onWarn.hasListeners) this.#onWarn.fire(text);
    else this.#earlyWarnings.push(text);
  }

  /** The server has forgotten the session, and it is not a refused request that tells us. */
  onSessionLost(): void {
    this.#renew(this.#sessionNumber).catch((error: unknown) =>
      this.#options.note('warning', `the session could not be renewed: ${messageOf(error)}`),
    );
  }

  /** The wire has ended. */
  onClosed(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = { error };
    this.#tools.close();
    this.#options.onEnd(error);
    try {
      this.#onClose.fire(error);
    } catch (failure) {
      this.#options.note('error', `a listener failed: ${messageOf(failure)}`);
    }
  }

  /** Once more, where the server wanted the person to go to a page first and they did. */
  async #callAgain(params: { readonly name: string }, options: CallToolOptions, error: unknown): Promise<unknown> {
    if (!(error instanceof RpcError)) throw error;
    const { mayTryAgain } = await import('./urlElicitation.ts');
    const signal = options.signal ?? new AbortController().signal;
    if (!(await mayTryAgain(error, this.#options.answers?.get('elicitation/create'), signal))) throw error;
    return await this.#callOnce(params, options);
  }

  #callOnce(params: { readonly name: string }, options: CallToolOptions): Promise<unknown> {
    const sent: PeerRequestOptions = { ...options, progressToken: true };
    if (this.#asTasks.has(params.name)) return this.#callAsTask(params, options, sent);
    return this.#request('tools/call', params, sent);
  }

  async #callAsTask(
    params: { readonly name: string },
    options: CallToolOptions,
    sent: PeerRequestOptions,
  ): Promise<unknown> {
    const { callAsTask } = await import('./tasks.ts');
    const { server, clock } = this.#options;
    let steps = 0;
    const call = {
      server,
      clock,
      signal: options.signal,
      request: (method: string, members: unknown, more: RequestOptions) => this.#request(method, members, more),
      onStatus: (message: string) => options.onProgress?.({ progress: ++steps, message }),
    };
    return await callAsTask({ ...params }, call, sent);
  }

  async #request(method: string, params: unknown, options: PeerRequestOptions): Promise<unknown> {
    if (this.#renewing || this.#isLost) await this.#renew(this.#sessionNumber);
    const session = this.#sessionNumber;
    try {
      return await this.#peer.request(method, params, options);
    } catch (error) {
      if (!(error instanceof TransportError && error.code === 'session-lost')) throw error;
      if (error.mayHaveRun && !isRepeatableMethod(method)) throw error;
    }
    await this.#renew(session);
    return this.#peer.request(method, params, options);
  }

  /** One handshake for all that found session number `lost` gone. */
  #renew(lost: number): Promise<void> {
    if (this.#renewing) return this.#renewing;
    if (lost !== this.#sessionNumber) return Promise.resolve();
    this.#isLost = true;
    this.#renewing = this.#shakeHandsAgain().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** The list of tools is asked for at once, ahead of the requests that have been waiting. */
  async #shakeHandsAgain(): Promise<void> {
    this.#session = await this.#options.renew();
    this.#sessionNumber++;
    this.#isLost = false;
    this.#renewing = undefined;
    this.#tools.renew();
  }
}
