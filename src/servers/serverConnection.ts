import { messageOf } from '../base/caught.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Client } from '../mcp/client.ts';
import { TransportError } from '../mcp/errors.ts';
import type { Tool } from '../mcp/schema.ts';
import type { ServerConfig } from '../mcp/serverConfig.ts';
import { asFailure } from './asFailure.ts';
import type { Connecting, Life, Ready } from './connectionLife.ts';
import { listTools } from './listTools.ts';
import { nextEvent } from './nextEvent.ts';
import { isStubborn, retryAfterStart, retryDelay, type Retry } from './retryDelay.ts';
import { mayRun, type ServerSpec } from './serverSpec.ts';
import type { ServerState } from './serverState.ts';
import { SessionWatch } from './sessionWatch.ts';

/** Opens one session; `mcp/connect` in the product. `tidying` is told what is still being closed after a failure. */
export type OpenServer = (
  config: ServerConfig,
  options: { readonly signal: AbortSignal; readonly tidying: (work: Promise<void>) => void },
) => Promise<Client>;

/** How sessions are opened, and the time and chance that retries go by. */
export interface ServerConnectionOptions {
  readonly open: OpenServer;
  readonly clock?: Clock;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** A session that held this long counts as healthy: the next failure starts the backoff anew. */
const stableMs = 30_000;
/** How long a sign of life may take, in milliseconds, where the server's own limit is not shorter. */
const longestPingMs = 10_000;

/**
 * One server for as long as it is wanted. Owns its session, its retry (one timer, one attempt, whatever breaks how often) and
 * the refresh of its tools. A broken session is followed by a new handshake and a new list before it counts as ready again.
 */
export class ServerConnection {
  readonly #open: OpenServer;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #changed = new Emitter<void>();
  readonly #warned = new Emitter<string>();
  #spec: ServerSpec;
  #life: Life = { kind: 'stopped' };
  /** Failures in a row. */
  #failures = 0;
  /** Numbers the listings, so that a slow old one does not replace a newer one. */
  #listing = 0;
  /** The tools of the last session that was ready. */
  #lastTools: readonly Tool[] = [];
  /** Resolves when all that was left is closed. */
  #ending: Promise<unknown> = Promise.resolve();

  /** Fires after each change of the state, the tools or the spec. */
  readonly onDidChange: Event<void> = this.#changed.event;
  /** Something that a person may want to read and that is no failure. */
  readonly onDidWarn: Event<string> = this.#warned.event;

  constructor(spec: ServerSpec, options: ServerConnectionOptions) {
    this.#spec = spec;
    this.#open = options.open;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get spec(): ServerSpec {
    return this.#spec;
  }

  get state(): ServerState {
    return this.#life;
  }

  /** Its tools: while it is down those it had, since a call is a reason to connect at once; none when it is stopped. */
  get tools(): readonly Tool[] {
    if (this.#life.kind === 'ready') return this.#life.tools;
    return this.#life.kind === 'stopped' ? [] : this.#lastTools;
  }

  /** Starts it if it is stopped and may run. */
  start(): void {
    if (this.#life.kind === 'stopped' && mayRun(this.#spec)) this.#connect();
  }

  /** Ends the session, if any, and connects at once. */
  restart(): void {
    this.#leave();
    this.#failures = 0;
    this.#connect();
  }

  /** Takes an edited spec over: restarts only when the fingerprint changed. */
  update(spec: ServerSpec): void {
    const before = this.#spec;
    this.#spec = spec;
    if (!mayRun(spec)) return this.#stop();
    if (before.fingerprint !== spec.fingerprint) this.#lastTools = [];
    if (!mayRun(before) || before.fingerprint !== spec.fingerprint) this.restart();
    else this.#tell();
  }

  /** The machine woke up, or the network changed: tries again at once, and makes sure that a session is not half open. */
  wake(): void {
    if (this.#life.kind === 'failed') this.#connect();
    else if (this.#life.kind === 'ready') void this.#life.watch.check();
  }

  /** Somebody is about to use it: tries again at once what may well succeed now. Resolves when that attempt is over. */
  async tryAgain(): Promise<void> {
    if (this.#life.kind !== 'failed' || !this.#life.isWorthAnother) return;
    this.#connect();
    while (this.state.kind === 'connecting') await nextEvent(this.#changed.event);
  }

  /** Resolves when it is ready, has failed for the first time, or is stopped. */
  async settled(): Promise<void> {
    while (this.#life.kind === 'connecting' && this.#life.error === undefined) await nextEvent(this.#changed.event);
  }

  /**
   * Resolves with the session when there is one. In the failed state it makes one attempt at once and does not wait for the timer.
   * Rejects with that attempt's error, with a TransportError `closed` when the server is stopped, and `cancelled` when `signal` says so.
   */
  async ensureReady(signal: AbortSignal): Promise<Client> {
    return (await this.#whenReady(signal)).client;
  }

  /** Lets `work` use the session; a failure that may mean a dead session is looked into. Rejects as `work` or {@link ensureReady}. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    const { watch } = await this.#whenReady(signal);
    return await watch.use(work);
  }

  async #whenReady(signal: AbortSignal): Promise<Ready> {
    if (this.#life.kind === 'failed') this.#connect();
    while (!signal.aborted) {
      const life: Life = this.#life;
      if (life.kind === 'ready') return life;
      if (life.kind === 'failed') throw life.error;
      if (life.kind === 'stopped') throw new TransportError('closed', `Server "${this.#spec.name}" is stopped.`);
      await nextEvent(this.#changed.event, signal);
    }
    throw new TransportError('cancelled', `The call to server "${this.#spec.name}" was cancelled before it left.`);
  }

  /** Ends it for good or until the next {@link start}. Resolves when everything is closed. */
  async close(): Promise<void> {
    this.#stop();
    await this.#ending;
  }

  #stop(): void {
    this.#leave();
    this.#failures = 0;
    if (this.#life.kind !== 'stopped') this.#become({ kind: 'stopped' });
  }

  /** Lets go of whatever the present state holds. A state must follow. */
  #leave(): void {
    const life = this.#life;
    if (life.kind === 'connecting') life.abort.abort();
    if (life.kind === 'failed') life.callOff?.();
    if (life.kind === 'ready') this.#end(life.client, life.subscriptions);
  }

  #end(client: Client, subscriptions: Disposable): void {
    subscriptions.dispose();
    this.#after(client.close());
  }

  /** Has `close` wait for `work`, whose failure is told and no more. */
  #after(work: Promise<unknown>): void {
    const told = work.catch((error: unknown) => this.#warned.fire(messageOf(error)));
    this.#ending = Promise.all([this.#ending, told]);
  }

  #become(life: Life): void {
    this.#life = life;
    this.#tell();
  }

  /** A listener's fault is not the server's. */
  #tell(): void {
    try {
      this.#changed.fire();
    } catch (error) {
      this.#warned.fire(`Server "${this.#spec.name}": a listener failed. ${messageOf(error)}`);
    }
  }

  #connect(): void {
    const before = this.#life;
    if (before.kind === 'failed') before.callOff?.();
    const error = before.kind === 'failed' || before.kind === 'connecting' ? before.error : undefined;
    const connecting: Connecting = {
      kind: 'connecting',
      attempt: this.#failures + 1,
      error,
      abort: new AbortController(),
    };
    const previous = this.#ending;
    this.#become(connecting);
    this.#after(this.#attempt(connecting, previous));
  }

  /** Runs one attempt to its end. Never rejects while it is wanted: the failure is the next state. */
  async #attempt(connecting: Connecting, previous: Promise<unknown>): Promise<void> {
    const { signal } = connecting.abort;
    let config: ServerConfig | undefined;
    try {
      await previous;
      if (this.#life !== connecting) return;
      config = await this.#spec.resolve(signal);
      if (this.#life !== connecting) return;
      await this.#openSession(connecting, config);
    } catch (error) {
      if (this.#life === connecting) this.#fail(error, retryAfterStart(config));
    }
  }

  async #openSession(connecting: Connecting, config: ServerConfig): Promise<void> {
    const { signal } = connecting.abort;
    const client = await this.#open(config, { signal, tidying: (work) => this.#after(work) });
    const subscriptions = this.#subscribe(client);
    let lost: Error | undefined;
    subscriptions.add(client.onDidClose((error) => (lost = error ?? this.#closed())));
    try {
      signal.throwIfAborted();
      const tools = await listTools(client, signal);
      signal.throwIfAborted();
      if (lost) throw lost;
      this.#lastTools = tools;
      const pingLimitMs = Math.min(longestPingMs, config.timeoutMs ?? longestPingMs);
      const watch = new SessionWatch(client, pingLimitMs, (error) => this.#drop(client, error));
      this.#become({ kind: 'ready', client, tools, since: this.#clock.now(), watch, subscriptions });
    } catch (error) {
      this.#end(client, subscriptions);
      throw error;
    }
  }

  #subscribe(client: Client): DisposableStore {
    const store = new DisposableStore();
    store.add(client.onDidWarn((text) => this.#warned.fire(text)));
    store.add(client.onDidChangeTools(() => void this.#refresh(client)));
    store.add(client.onDidClose((error) => this.#drop(client, error)));
    return store;
  }

  /** Lists again. An answer that is overtaken by a later listing or another session counts for nothing. */
  async #refresh(client: Client): Promise<void> {
    const number = ++this.#listing;
    const before = this.#life;
    if (before.kind !== 'ready' || before.client !== client) return;
    try {
      const tools = await before.watch.use(listTools);
      const life = this.#life;
      if (life.kind !== 'ready' || life.client !== client || number !== this.#listing) return;
      this.#lastTools = tools;
      this.#become({ ...life, tools });
    } catch (error) {
      this.#warned.fire(`Server "${this.#spec.name}": its tools could not be listed again. ${messageOf(error)}`);
    }
  }

  /** The session is gone, or given up: fails, unless it is not the present one. */
  #drop(client: Client, error?: Error): void {
    const life = this.#life;
    if (life.kind !== 'ready' || life.client !== client) return;
    if (this.#clock.now() - life.since >= stableMs) this.#failures = 0;
    this.#end(client, life.subscriptions);
    this.#fail(error ?? this.#closed(), 'soon');
  }

  #closed(): TransportError {
    return new TransportError('closed', `Server "${this.#spec.name}" closed the connection.`);
  }

  #fail(cause: unknown, retry: Retry): void {
    const error = asFailure(cause, this.#spec.name);
    this.#failures++;
    if (retry === 'never') return this.#become({ kind: 'failed', error, isWorthAnother: false });
    const isWorthAnother = retry === 'soon' && !isStubborn(error);
    const delay = retryDelay(error, this.#failures, this.#random(), retry === 'seldom');
    const callOff = this.#clock.after(delay, () => {
      if (this.#life.kind === 'failed' && this.#life.callOff === callOff) this.#connect();
    });
    this.#become({ kind: 'failed', error, retryAt: Date.now() + delay, isWorthAnother, callOff });
  }
}
