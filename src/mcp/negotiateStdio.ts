import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { ProtocolError, RpcError, TransportError } from './errors.ts';
import type { Opening, OpenSession } from './openSession.ts';
import { STATELESS_REVISION } from './schema.ts';
import type { StdioServerConfig } from './serverConfig.ts';
import { discover, type Discovered } from './stateless/discover.ts';
import { foreignError, type Discovery } from './stateless/discovery.ts';
import { isModernError } from './stateless/modernError.ts';
import { TransportRelay } from './stateless/transportRelay.ts';
import { openStdioTransport } from './stdioTransport.ts';
import type { Transport, TransportContext } from './transport.ts';
import type { ServerVerdict } from './verdicts.ts';

/** A server that does not answer `server/discover` within so many milliseconds speaks an earlier revision. */
const DISCOVER_MS = 5000;

/** What is known and wanted before a session with a program is opened. */
export interface StdioNegotiation {
  readonly config: StdioServerConfig;
  readonly context: TransportContext;
  readonly clock: Clock;
  /** The revision that is asked for; absent: what the server speaks. */
  readonly protocolVersion: string | undefined;
  /** What stands in `_meta` of `server/discover`. */
  readonly meta: () => JsonObject;
  readonly verdict: ServerVerdict;
  openSession(transport: Transport): Opening;
  openStateless(transport: Transport, discovery: Discovery): Promise<OpenSession>;
  /** Explains what has not come yet, for the error of a time limit. */
  describe(pending: () => string): void;
  /** Takes a process over, to be stopped if the attempt is given up. Throws when it is already. */
  own(transport: Transport): void;
}

/** Tells one command from another without keeping what it is: arguments may be secret. */
export function commandAddress({ command, args = [], cwd = '' }: StdioServerConfig): string {
  return `stdio:${createHash('sha256')
    .update(JSON.stringify([command, args, cwd]))
    .digest('hex')
    .slice(0, 32)}`;
}

/**
 * From a command to a client. `initialize` goes first, because there are servers that end at any other first message, and
 * nearly all answer it; one that refuses it, or ends at it, is asked by `server/discover`. Where the stateless revision is
 * asked for or known, it is the other way round. Whoever ended gets a fresh process, once.
 */
export async function negotiateStdio(negotiation: StdioNegotiation): Promise<OpenSession> {
  const { protocolVersion, verdict } = negotiation;
  const stateless = protocolVersion ?? (verdict.known?.era === 'stateless' ? STATELESS_REVISION : undefined);
  const session = await (stateless === STATELESS_REVISION
    ? discoverFirst(negotiation)
    : initializeFirst(negotiation, protocolVersion !== undefined || verdict.known?.era === 'session'));
  verdict.learn(session);
  return session;
}

function newProcess(negotiation: StdioNegotiation, method: string): TransportRelay {
  const transport = openStdioTransport(negotiation.config, negotiation.context);
  const relay = new TransportRelay(transport);
  negotiation.own(relay);
  negotiation.describe(() => `${method} was not answered${transport.trouble()}`);
  return relay;
}

async function initialize(negotiation: StdioNegotiation, process: Transport): Promise<OpenSession> {
  const opening = negotiation.openSession(process);
  await opening.start();
  return opening.shakeHands();
}

/** `isSession`: there is a reason not to look for the stateless revision. */
async function initializeFirst(negotiation: StdioNegotiation, isSession: boolean): Promise<OpenSession> {
  const process = newProcess(negotiation, 'initialize');
  await process.start({ onMessage: () => undefined, onClose: () => undefined });
  try {
    return await initialize(negotiation, process);
  } catch (error) {
    if (isSession) throw error;
    const found = await discoverAfter(negotiation, process, error);
    if (found) return found;
    throw error;
  }
}

/** Undefined when the server does not speak the stateless revision either. */
async function discoverAfter(
  negotiation: StdioNegotiation,
  refused: Transport,
  error: unknown,
): Promise<OpenSession | undefined> {
  if (error instanceof RpcError || (error instanceof ProtocolError && error.code === 'version')) {
    return useStateless(negotiation, refused, await discoverInTime(negotiation, refused));
  }
  if (!(error instanceof TransportError) || error.code !== 'closed') return undefined;
  await refused.close();
  const fresh = newProcess(negotiation, 'server/discover');
  const found = await useStateless(negotiation, fresh, await discoverInTime(negotiation, fresh));
  if (found) return found;
  // A server that ends anyway is not started twice the next time.
  negotiation.verdict.learn({ transport: 'stdio', protocolVersion: '' });
  await fresh.close();
  return undefined;
}

async function discoverFirst(negotiation: StdioNegotiation): Promise<OpenSession> {
  const process = newProcess(negotiation, 'server/discover');
  const discovered = await discoverInTime(negotiation, process);
  const found = await useStateless(negotiation, process, discovered);
  if (found) return found;
  const { server } = negotiation.context;
  if (discovered.kind === 'foreign') throw foreignError(server, discovered.versions);
  const { error } = discovered;
  if (error && (isModernError(error) || (error instanceof TransportError && error.code === 'process'))) throw error;
  negotiation.verdict.forget();
  await process.close();
  return initialize(negotiation, newProcess(negotiation, 'initialize'));
}

async function useStateless(
  negotiation: StdioNegotiation,
  process: Transport,
  discovered: Discovered,
): Promise<OpenSession | undefined> {
  return discovered.kind === 'modern' ? negotiation.openStateless(process, discovered.discovery) : undefined;
}

function discoverInTime(negotiation: StdioNegotiation, process: Transport): Promise<Discovered> {
  return new Promise((resolve) => {
    const cancel = negotiation.clock.after(DISCOVER_MS, () => resolve({ kind: 'legacy' }));
    void discover(process, negotiation.meta()).then((discovered) => {
      cancel();
      resolve(discovered);
    });
  });
}
