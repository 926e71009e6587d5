import type { Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { ServerConnection, type ServerConnectionOptions } from './serverConnection.ts';
import { mayRun, type ServerSpec } from './serverSpec.ts';

interface Member {
  readonly connection: ServerConnection;
  readonly subscriptions: readonly Disposable[];
}

/** Every server that is wanted, each on its own: none waits for another, and none hides another. */
export class ServerPool {
  readonly #options: ServerConnectionOptions;
  readonly #changed = new Emitter<void>();
  readonly #warned = new Emitter<{ readonly server: string; readonly text: string }>();
  #members: ReadonlyMap<string, Member> = new Map();
  #ending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Fires when a server came, went or changed. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidWarn: Event<{ readonly server: string; readonly text: string }> = this.#warned.event;

  constructor(options: ServerConnectionOptions) {
    this.#options = options;
  }

  /** In the order of the settings, disabled ones included. */
  get servers(): readonly ServerConnection[] {
    return [...this.#members.values()].map(({ connection }) => connection);
  }

  /** The server of that identity, if it is wanted. */
  find(identity: string): ServerConnection | undefined {
    return this.#members.get(identity)?.connection;
  }

  /** Makes the pool what `specs` say: keeps what is the same, restarts what changed, starts what is new, stops what is gone. */
  reconcile(specs: readonly ServerSpec[]): void {
    if (this.#isClosed) return;
    const before = this.#members;
    const after = new Map<string, Member>();
    for (const spec of specs) after.set(spec.identity, before.get(spec.identity) ?? this.#adopt(spec));
    this.#members = after;
    for (const [identity, member] of before) if (!after.has(identity)) this.#remove(member);
    for (const spec of specs) this.#bring(spec, before);
    this.#changed.fire();
  }

  /** Ends the session of one server, if any, and connects anew. Does nothing for one that is unknown or may not run. */
  restart(identity: string): void {
    const connection = this.find(identity);
    if (connection && mayRun(connection.spec) && !this.#isClosed) connection.restart();
  }

  /** The machine woke up, or the network changed: see `ServerConnection.wake`. */
  wake(): void {
    for (const server of this.servers) server.wake();
  }

  /** Somebody is about to use the servers: see `ServerConnection.tryAgain`. Resolves when every attempt that this began is over. */
  async tryAgain(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.tryAgain()));
  }

  /** Resolves when every server is ready, has failed for the first time, or is stopped. */
  async ready(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.settled()));
  }

  /** Ends every server for good. Resolves when all is closed; the servers stay in sight as stopped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#ending, ...this.servers.map((server) => server.close())]);
  }

  #adopt(spec: ServerSpec): Member {
    const connection = new ServerConnection(spec, this.#options);
    const subscriptions = [
      connection.onDidChange(() => this.#changed.fire()),
      connection.onDidWarn((text) => this.#warned.fire({ server: connection.spec.name, text })),
    ];
    return { connection, subscriptions };
  }

  #bring(spec: ServerSpec, before: ReadonlyMap<string, Member>): void {
    const connection = this.find(spec.identity);
    if (before.has(spec.identity)) connection?.update(spec);
    else connection?.start();
  }

  #remove({ connection, subscriptions }: Member): void {
    for (const subscription of subscriptions) subscription.dispose();
    this.#ending = Promise.all([this.#ending, connection.close()]);
  }
}
