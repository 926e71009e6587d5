import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { httpThenSse, raceTransports, speaksForSse, sseAlone, type Detection } from './detectTransport.ts';
import { RpcError, TransportError } from './errors.ts';
import { EraRace } from './eraRace.ts';
import { HttpTransport, type Proof } from './httpTransport.ts';
import type { HttpWire } from './httpWire.ts';
import type { Opening, OpenSession } from './openSession.ts';
import { STATELESS_REVISION } from './schema.ts';
import type { HttpServerConfig } from './serverConfig.ts';
import { endSession } from './endSession.ts';
import { discover, saysNothing } from './stateless/discover.ts';
import { foreignError, type Discovery } from './stateless/discovery.ts';
import { isModernError } from './stateless/modernError.ts';
import { StatelessHttpTransport } from './stateless/statelessHttpTransport.ts';
import type { Transport } from './transport.ts';
import type { ServerVerdict, Verdict } from './verdicts.ts';

/** What is known and wanted before a session over HTTP is opened. */
export interface HttpNegotiation {
  readonly kind: HttpServerConfig['kind'];
  /** The revision that is asked for; absent: what the server speaks. */
  readonly protocolVersion: string | undefined;
  readonly wire: HttpWire;
  readonly clock: Clock;
  /** What stands in `_meta` of `server/discover`. */
  readonly meta: () => JsonObject;
  readonly verdict: ServerVerdict;
  openSession(transport: Transport): Opening;
  openStateless(transport: StatelessHttpTransport, discovery: Discovery): Promise<OpenSession>;
  /** Explains what has not come yet, for the error of a time limit. */
  describe(pending: () => string): void;
  /** Runs `tidy` after so many milliseconds, or when the session ends, whichever is first. */
  tidyLater(ms: number, tidy: () => void): void;
}

/**
 * From an address to a client, with as few round trips as can be: what is known of a server from before is tried alone, and
 * what turns out to be wrong is forgotten; where nothing is known, all that may be it leaves together.
 */
export async function negotiateHttp(negotiation: HttpNegotiation): Promise<OpenSession> {
  const { kind, protocolVersion, verdict } = negotiation;
  if (protocolVersion === STATELESS_REVISION) return statelessFirst(negotiation, () => bySession(negotiation));
  if (protocolVersion !== undefined) return bySession(negotiation);
  const { known } = verdict;
  if (kind === 'sse' && known?.transport !== 'sse') return saidToBeSse(negotiation);
  return known ? asKnown(known, negotiation) : byAnyEra(negotiation);
}

/**
 * An entry of `"type": "sse"`. What it says is remembered once it has turned out to be true: then the next connect sends the
 * GET alone. A server that speaks another way is connected with all the same, and the person is told what to write.
 */
async function saidToBeSse(negotiation: HttpNegotiation): Promise<OpenSession> {
  const session = await bySession(negotiation).catch((refusal: unknown) => withoutSession(negotiation, refusal));
  if (session.transport === 'sse') negotiation.verdict.learn(session);
  else session.onWarning(wrongType(session));
  return session;
}

function wrongType({ protocolVersion }: OpenSession): string {
  const revision = protocolVersion === STATELESS_REVISION ? ` (revision ${protocolVersion})` : '';
  const spoken = `this server speaks Streamable HTTP${revision}, not HTTP+SSE`;
  return `${spoken}. It works all the same; write "type": "http" in its entry, and it connects with fewer requests`;
}

/** A server that refuses both GET and handshake may have no sessions at all. Rejects with `refusal` where that is not so. */
async function withoutSession(negotiation: HttpNegotiation, refusal: unknown): Promise<OpenSession> {
  const { wire, clock, meta } = negotiation;
  const isRefusal =
    refusal instanceof RpcError || (refusal instanceof TransportError && speaksForSse(refusal) && !isSignIn(refusal));
  if (!isRefusal) throw refusal;
  const transport = new StatelessHttpTransport(wire, clock);
  const discovered = await discover(transport, meta());
  if (discovered.kind === 'modern') return negotiation.openStateless(transport, discovered.discovery);
  await transport.close();
  throw refusal;
}

function isSignIn({ status }: TransportError): boolean {
  return status === 401 || status === 403;
}

function bySession(negotiation: HttpNegotiation): Promise<OpenSession> {
  return find(negotiation, (onProof) => sessionPost(negotiation, onProof));
}

/** Remembers what was found. A session that was settled on while the other question stayed open is no verdict. */
async function byAnyEra(negotiation: HttpNegotiation): Promise<OpenSession> {
  const { wire, clock, meta, verdict } = negotiation;
  let isCertain = false;
  const session = await find(
    negotiation,
    (onProof) =>
      new EraRace({
        wire,
        clock,
        meta: meta(),
        openSession: (transport) => negotiation.openSession(transport),
        openStateless: (transport, discovery) => negotiation.openStateless(transport, discovery),
        onProof,
        onSessionEra: () => {
          isCertain = true;
        },
        tidyLater: (ms, tidy) => negotiation.tidyLater(ms, tidy),
      }),
  );
  if (isCertain || session.transport === 'sse' || session.protocolVersion === STATELESS_REVISION)
    verdict.learn(session);
  return session;
}

function find(negotiation: HttpNegotiation, post: Detection['post']): Promise<OpenSession> {
  const detection = detectionOf(negotiation, post);
  return negotiation.kind === 'http' ? httpThenSse(detection) : raceTransports(detection);
}

function detectionOf(negotiation: HttpNegotiation, post: Detection['post']): Detection {
  const { wire, clock } = negotiation;
  return {
    wire,
    clock,
    post,
    open: (transport) => negotiation.openSession(transport),
    describe: (pending) => negotiation.describe(pending),
    tidyLater: (ms, tidy) => negotiation.tidyLater(ms, tidy),
  };
}

function sessionPost(negotiation: HttpNegotiation, onProof: (proof: Proof) => void): Opening {
  const { wire, clock } = negotiation;
  return negotiation.openSession(new HttpTransport(wire, { clock, onProof }));
}

async function asKnown(known: Verdict, negotiation: HttpNegotiation): Promise<OpenSession> {
  const { verdict } = negotiation;
  const anew = (): Promise<OpenSession> => {
    verdict.forget();
    return byAnyEra(negotiation);
  };
  if (known.era === 'stateless') return statelessFirst(negotiation, anew);
  try {
    if (known.transport !== 'sse') return await sessionAlone(negotiation);
    return await sseAlone(detectionOf(negotiation, (onProof) => sessionPost(negotiation, onProof)));
  } catch (error) {
    if (!(error instanceof Error) || !contradicts(error)) throw error;
    return anew();
  }
}

async function sessionAlone(negotiation: HttpNegotiation): Promise<OpenSession> {
  const opening = sessionPost(negotiation, () => undefined);
  negotiation.describe(() => 'initialize was not answered');
  try {
    await opening.start();
    return await opening.shakeHands();
  } catch (error) {
    await opening.close();
    throw error;
  }
}

/** Whether a failure may come from a server that speaks another way than it did; a success of the wrong type is one. */
function contradicts(error: Error): boolean {
  if (!(error instanceof TransportError)) return true;
  const isWrongAnswer = error.code === 'http-status' && error.status !== undefined && error.status < 300;
  return speaksForSse(error) || isWrongAnswer || error.code === 'closed';
}

/** `server/discover` alone; `otherwise` goes on when the answer is one of an earlier revision. */
async function statelessFirst(
  negotiation: HttpNegotiation,
  otherwise: () => Promise<OpenSession>,
): Promise<OpenSession> {
  const { wire, clock, meta, verdict } = negotiation;
  const transport = new StatelessHttpTransport(wire, clock);
  negotiation.describe(() => 'server/discover was not answered');
  const discovered = await discover(transport, meta());
  if (discovered.kind === 'modern') {
    const client = await negotiation.openStateless(transport, discovered.discovery);
    verdict.learn(client);
    return client;
  }
  await transport.close();
  if (discovered.kind === 'foreign') throw foreignError(wire.context.server, discovered.versions);
  const { error } = discovered;
  if (error && (saysNothing(error) || isModernError(error))) throw error;
  if (transport.session !== undefined) void endSession(wire, clock, transport.session);
  return otherwise();
}
