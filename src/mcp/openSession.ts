import { asError } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import type { Client } from './client.ts';
import { shakeHands, type HandshakeOptions, type Session } from './handshake.ts';
import type { RequestAnswer } from './inboundRequests.ts';
import { McpClient } from './mcpClient.ts';
import type { RequestIds } from './requestIds.ts';
import { RpcPeer } from './rpcPeer.ts';
import type { Implementation } from './schema.ts';
import type { Note, Transport } from './transport.ts';

/** What a session of any revision is opened with. */
export interface SessionOptions {
  /** The name that the tap's facts carry. */
  readonly connection: string;
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  readonly ids: RequestIds;
  readonly timeoutMs: number;
  readonly clientInfo: Implementation;
  readonly protocolVersion?: string;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly answers: ReadonlyMap<string, RequestAnswer>;
  /** Takes out of an error what it must not repeat. */
  hide?(error: Error): Error;
  /** A request of ours will get no answer any more. */
  onGivenUp?(id: number, outcome: 'cancelled' | 'timeout'): void;
  /** Told once when a session that was opened has ended. */
  onEnd(error: Error | undefined): void;
}

/** A client that is ready for use, of whatever revision. */
export interface OpenSession extends Client {
  /** Something that a person may want to read. */
  onWarning(text: string): void;
}

/** One transport on its way to a session. */
export interface Opening {
  /** Opens the transport. */
  start(): Promise<void>;
  /** The handshake; resolves with the client. Once, after or together with `start`. */
  shakeHands(): Promise<OpenSession>;
  /** Lets nothing follow the answer to `initialize`. */
  stopAfterInitialize(): void;
  /** What was odd about the answers so far, to be added to an error, or ''. */
  readonly quirk: string;
  close(): Promise<void>;
}

/** So often a handshake may begin. */
const MOST_BEGINNINGS = 3;

/** Puts a peer on `transport` and leads it through the handshake of the revisions with a session. */
export function openSession(transport: Transport, options: SessionOptions): Opening {
  return new SessionOpening(transport, options);
}

/** Keeps what the peer tells until there is a client to tell it to. */
class SessionOpening implements Opening {
  readonly #transport: Transport;
  readonly #options: SessionOptions;
  readonly #peer: RpcPeer;
  readonly #early: [method: string, params: unknown][] = [];
  #client: McpClient | undefined;
  #closedEarly: Error | undefined;
  #wanted = true;
  /** Sessions that the server ended before there was a client. */
  #losses = 0;

  constructor(transport: Transport, options: SessionOptions) {
    this.#transport = transport;
    this.#options = options;
    const { server, note, ids, timeoutMs, clock, answers } = options;
    this.#peer = new RpcPeer(transport, {
      server,
      note,
      ids,
      timeoutMs,
      clock,
      answers,
      onNotification: (method, params) => this.#onNotification(method, params),
      hide: (error) => options.hide?.(error) ?? error,
      onGivenUp: (id, outcome) => options.onGivenUp?.(id, outcome),
      onSessionLost: () => this.#onSessionLost(),
      onClose: (error) => this.#onClose(error),
    });
  }

  get quirk(): string {
    return this.#peer.quirk;
  }

  start(): Promise<void> {
    return this.#peer.start();
  }

  async shakeHands(): Promise<OpenSession> {
    const { connection, server, note, clock, ids, timeoutMs, answers } = this.#options;
    ids.restart();
    const session = await this.#firstHandshake();
    if (this.#closedEarly) throw this.#closedEarly;
    this.#client = new McpClient({
      connection,
      server,
      note,
      clock,
      peer: this.#peer,
      transport: this.#transport,
      session,
      answers,
      renew: () => this.#handshake(timeoutMs),
      onEnd: (error) => this.#options.onEnd(error),
    });
    for (const [method, params] of this.#early.splice(0)) this.#client.onNotification(method, params);
    return this.#client;
  }

  stopAfterInitialize(): void {
    this.#wanted = false;
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  /** The handshake; from the beginning where the server begins a new session meanwhile. */
  async #firstHandshake(): Promise<Session> {
    for (let round = 1; ; round++) {
      const losses = this.#losses;
      const outcome = await this.#handshake(Infinity).catch(asError);
      if (losses !== this.#losses && round < MOST_BEGINNINGS) continue;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }
  }

  #handshake(limitMs: number): Promise<Session> {
    const options = handshakeOptions(this.#options, limitMs, () => this.#wanted);
    return shakeHands(this.#peer, this.#transport, options);
  }

  #onNotification(method: string, params: unknown): void {
    if (this.#client) this.#client.onNotification(method, params);
    else this.#early.push([method, params]);
  }

  #onSessionLost(): void {
    if (this.#client) this.#client.onSessionLost();
    else this.#losses++;
  }

  #onClose(error: Error | undefined): void {
    if (this.#client) this.#client.onClosed(error);
    else this.#closedEarly = error;
  }
}

function handshakeOptions(options: SessionOptions, timeoutMs: number, wanted: () => boolean): HandshakeOptions {
  const { server, note, clock, clientInfo, protocolVersion, answers, timeoutMs: limitMs } = options;
  const capabilities = { ...capabilitiesOf(answers), ...options.capabilities };
  return { server, note, clock, clientInfo, protocolVersion, capabilities, timeoutMs, limitMs, wanted };
}

/** Nothing is declared that nobody answers. */
export function capabilitiesOf(answers: ReadonlyMap<string, RequestAnswer>): Record<string, unknown> {
  return {
    ...(answers.has('roots/list') && { roots: { listChanged: true } }),
    ...(answers.has('sampling/createMessage') && { sampling: {} }),
    ...(answers.has('elicitation/create') && { elicitation: {} }),
  };
}
