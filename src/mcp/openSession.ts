import type { Clock } from '../base/clock.ts';
import type { Client } from './client.ts';
import { shakeHands, type HandshakeOptions, type Session } from './handshake.ts';
import type { RequestAnswer } from './inboundRequests.ts';
import { McpClient } from './mcpClient.ts';
import type { RequestIds } from './requestIds.ts';
import { RpcPeer } from './rpcPeer.ts';
import type { Implementation } from './schema.ts';
import type { Note, Transport } from './transport.ts';

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
  close(): Promise<void>;
}

/** Puts a peer on `transport` and leads it through the handshake of the revisions with a session. */
export function openSession(transport: Transport, options: SessionOptions): Opening {
  let client: McpClient | undefined;
  let wanted = true;
  let closedEarly: Error | undefined;
  const early: [method: string, params: unknown][] = [];
  const { server, note, ids, timeoutMs, clock, answers } = options;
  const peer = new RpcPeer(transport, {
    server,
    note,
    ids,
    timeoutMs,
    clock,
    answers,
    onNotification: (method, params) => {
      if (client) client.onNotification(method, params);
      else early.push([method, params]);
    },
    onGivenUp: (id, outcome) => options.onGivenUp?.(id, outcome),
    onSessionLost: () => client?.onSessionLost(),
    onClose: (error) => {
      if (client) client.onClosed(error);
      else closedEarly = error;
    },
  });
  const handshake = (limitMs: number): Promise<Session> => {
    return shakeHands(
      peer,
      transport,
      handshakeOptions(options, limitMs, () => wanted),
    );
  };
  return {
    start: () => peer.start(),
    shakeHands: async () => {
      ids.restart();
      const session = await handshake(Infinity);
      if (closedEarly) throw closedEarly;
      client = new McpClient({
        connection: options.connection,
        server,
        note,
        clock,
        peer,
        transport,
        session,
        answers,
        renew: () => handshake(timeoutMs),
        onEnd: (error) => options.onEnd(error),
      });
      for (const [method, params] of early.splice(0)) client.onNotification(method, params);
      return client;
    },
    stopAfterInitialize: () => {
      wanted = false;
    },
    close: () => peer.close(),
  };
}

function handshakeOptions(options: SessionOptions, timeoutMs: number, wanted: () => boolean): HandshakeOptions {
  const { server, note, clock, clientInfo, protocolVersion, answers } = options;
  const capabilities = { ...capabilitiesOf(answers), ...options.capabilities };
  return { server, note, clock, clientInfo, protocolVersion, capabilities, timeoutMs, wanted };
}

/** Nothing is declared that nobody answers. */
export function capabilitiesOf(answers: ReadonlyMap<string, RequestAnswer>): Record<string, unknown> {
  return {
    ...(answers.has('roots/list') && { roots: { listChanged: true } }),
    ...(answers.has('sampling/createMessage') && { sampling: {} }),
    ...(answers.has('elicitation/create') && { elicitation: {} }),
  };
}
