import { messageOf } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { ProtocolError, RpcError, TransportError } from './errors.ts';
import type { RpcPeer } from './rpcPeer.ts';
import { SESSION_REVISIONS, type Implementation } from './schema.ts';
import type { Note, Transport } from './transport.ts';

/** What a handshake has agreed on. */
export interface Session {
  readonly protocolVersion: string;
  readonly serverInfo: Implementation;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/** What is said in the handshake (MCP "Lifecycle"), and how long its answer may take. */
export interface HandshakeOptions {
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  readonly clientInfo: Implementation;
  readonly capabilities: JsonObject;
  /** The revision to offer; the newest one with a session when absent. */
  readonly protocolVersion?: string;
  /** How long `initialize` may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long the whole may take, in milliseconds. */
  readonly limitMs: number;
  /** False once nobody wants the session any more: then nothing follows `initialize`. */
  readonly wanted: () => boolean;
}

/**
 * How long the server may take to accept `notifications/initialized` before the first request leaves all the same: this many
 * milliseconds, and never more than a part of the limit for everything.
 */
const INITIALIZED_LIMIT_MS = 5000;
const INITIALIZED_PART = 1 / 4;

/**
 * The handshake of the revisions with a session (MCP "Lifecycle"): `initialize`, then `notifications/initialized`, whose
 * acceptance is awaited because some servers refuse a request that overtakes it. Rejects with a ProtocolError when there is
 * no common revision, and with what the request rejects with. Nothing is sent after a failure; the caller closes.
 */
export async function shakeHands(peer: RpcPeer, transport: Transport, options: HandshakeOptions): Promise<Session> {
  const session = await initialize(peer, options);
  if (!options.wanted()) throw new TransportError('cancelled', `${options.server}: the handshake was given up`);
  transport.agreed?.(session.protocolVersion);
  await announce(peer, options);
  transport.ready?.();
  return session;
}

async function initialize(peer: RpcPeer, options: HandshakeOptions): Promise<Session> {
  const offered = options.protocolVersion ?? SESSION_REVISIONS[0];
  try {
    return readSession(await requestInitialize(peer, options, offered), options.server);
  } catch (error) {
    const other = otherRevision(error, offered);
    if (other === undefined) throw error;
    options.note('info', `the server does not speak revision ${offered}; trying ${other}`);
    return readSession(await requestInitialize(peer, options, other), options.server);
  }
}

function requestInitialize(peer: RpcPeer, options: HandshakeOptions, protocolVersion: string): Promise<unknown> {
  const { capabilities, clientInfo } = options;
  return peer.request('initialize', { protocolVersion, capabilities, clientInfo }, { timeoutMs: options.timeoutMs });
}

/** The newest revision of ours that a refusal names, for one more try: in the data of a JSON-RPC error, or in an HTTP 400. */
function otherRevision(error: unknown, offered: string): string | undefined {
  const text = refusalText(error);
  if (text === undefined) return undefined;
  const named = new Set(text.match(/\b20\d\d-\d\d-\d\d\b/g));
  return SESSION_REVISIONS.find((revision) => revision !== offered && named.has(revision));
}

function refusalText(error: unknown): string | undefined {
  if (error instanceof RpcError) return `${error.message} ${JSON.stringify(error.data) ?? ''}`;
  if (error instanceof TransportError && error.status === 400) return error.body;
  return undefined;
}

function readSession(result: unknown, server: string): Session {
  if (!isRecord(result)) throw new ProtocolError('result', `${server}: the answer to initialize is no object`);
  const { protocolVersion, serverInfo, capabilities, instructions } = result;
  return {
    protocolVersion: knownRevision(protocolVersion, server),
    serverInfo: readImplementation(serverInfo),
    capabilities: isRecord(capabilities) ? capabilities : {},
    ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
  };
}

function knownRevision(version: unknown, server: string): string {
  const known = SESSION_REVISIONS.find((revision) => revision === version);
  if (known !== undefined) return known;
  const answer =
    version === undefined ? 'names no protocol version' : `speaks protocol version ${JSON.stringify(version)}`;
  throw new ProtocolError('version', `${server}: the server ${answer}; known are ${SESSION_REVISIONS.join(', ')}`);
}

/** The name and version of a server, as far as they are given. */
export function readImplementation(value: unknown): Implementation {
  const { name, version, title } = isRecord(value) ? value : {};
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
  };
}

/** A refusal of the notice does not end the session, unless it says that there is none, or none for us. */
async function announce(peer: RpcPeer, options: HandshakeOptions): Promise<void> {
  let release = (): void => undefined;
  const patience = new Promise<'late'>((resolve) => {
    const patienceMs = Math.min(INITIALIZED_LIMIT_MS, options.limitMs * INITIALIZED_PART);
    release = options.clock.after(patienceMs, () => resolve('late'));
  });
  try {
    const outcome = await Promise.race([peer.notify('notifications/initialized'), patience]);
    if (outcome === 'late') options.note('info', 'the server does not acknowledge notifications/initialized');
  } catch (error) {
    if (isFatal(error)) throw error;
    options.note('info', `notifications/initialized was refused: ${messageOf(error)}`);
  } finally {
    release();
  }
}

function isFatal(error: unknown): boolean {
  return !(error instanceof TransportError) || !['http-status', 'forbidden'].includes(error.code);
}
