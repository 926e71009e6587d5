import { asError } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import { ProtocolError, TransportError } from './errors.ts';
import type { Proof } from './httpTransport.ts';
import type { HttpWire } from './httpWire.ts';
import type { Opening, OpenSession } from './openSession.ts';
import { SseTransport } from './sseTransport.ts';

/** A POST that fails without saying anything about the transport leaves a GET that is still open so many milliseconds. */
const GRACE_MS = 3000;
/** So long, in milliseconds, a POST that lost may still tell us a session id, so that the session can be ended. */
const LOSER_MS = 250;

/** The two sides of the search for the transport, and who is told. */
export interface Detection {
  readonly wire: HttpWire;
  readonly clock: Clock;
  /** The side of the POST: `initialize`, and what else leaves with it. `onProof` is told what an answer proves. */
  post(onProof: (proof: Proof) => void): Opening;
  open(transport: SseTransport): Opening;
  /** Explains what has not come yet, for the error of a time limit. */
  describe(pending: () => string): void;
  /** Runs `tidy` after so many milliseconds, or when the session ends, whichever is first. */
  tidyLater(ms: number, tidy: () => void): void;
}

/**
 * Finds out how a URL of unknown kind speaks: GET and POST (`initialize`) leave together, and the first conclusive evidence
 * decides. An `endpoint` event proves HTTP+SSE; a JSON-RPC answer, a JSON-RPC event or a session id on the POST proves
 * Streamable HTTP. Refusals prove nothing: they are reported when the other side has nothing better to say.
 */
export function raceTransports(detection: Detection): Promise<OpenSession> {
  return new TransportRace(detection).run();
}

class TransportRace {
  readonly #detection: Detection;
  readonly #sse: SseTransport;
  readonly #viaGet: Opening;
  readonly #viaPost: Opening;
  #winner: 'sse' | 'http' | undefined;
  #getError: Error | undefined;
  #postError: Error | undefined;
  #cancelGrace: (() => void) | undefined;
  #resolve: (session: OpenSession | Promise<OpenSession>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(detection: Detection) {
    this.#detection = detection;
    this.#sse = new SseTransport(detection.wire);
    this.#viaGet = detection.open(this.#sse);
    this.#viaPost = detection.post((proof) => this.#onProof(proof));
    detection.describe(() => this.#pending());
  }

  run(): Promise<OpenSession> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#viaGet.start().then(
        () => this.#onEndpoint(),
        (error: unknown) => this.#onGetFailed(asError(error)),
      );
      this.#viaPost.start().then(undefined, () => undefined);
      this.#viaPost.shakeHands().then(
        (session) => this.#onPostDone(session),
        (error: unknown) => this.#onPostFailed(asError(error)),
      );
    });
  }

  #onProof(proof: Proof): void {
    if (proof === 'streamable' && this.#winner === undefined) this.#httpWins();
  }

  #httpWins(): void {
    this.#winner = 'http';
    this.#cancelGrace?.();
    void this.#viaGet.close();
  }

  #onEndpoint(): void {
    if (this.#winner !== undefined) return;
    this.#winner = 'sse';
    this.#cancelGrace?.();
    if (this.#postError === undefined) this.#retirePost();
    else void this.#viaPost.close();
    this.#resolve(this.#viaGet.shakeHands());
  }

  /** The POST may have opened a session that nobody will use: once its id is known, it is ended. */
  #retirePost(): void {
    this.#viaPost.stopAfterInitialize();
    this.#detection.tidyLater(LOSER_MS, () => void this.#viaPost.close());
  }

  #onGetFailed(error: Error): void {
    if (this.#winner !== undefined) return;
    this.#getError = error;
    if (this.#postError !== undefined) this.#giveUp();
  }

  #onPostDone(session: OpenSession): void {
    if (this.#winner === undefined) this.#httpWins();
    if (this.#winner === 'http') this.#resolve(session);
    else void this.#viaPost.close();
  }

  #onPostFailed(error: Error): void {
    if (this.#winner === 'http') return this.#reject(error);
    if (this.#winner === 'sse') return void this.#viaPost.close();
    this.#postError = error;
    if (this.#getError !== undefined) return this.#giveUp();
    if (!speaksForSse(error)) this.#cancelGrace = this.#detection.clock.after(GRACE_MS, () => this.#giveUp());
  }

  #giveUp(): void {
    this.#reject(tellingError(this.#detection.wire.context.server, this.#postError, this.#getError));
  }

  #pending(): string {
    return pendingText(this.#detection.wire.context.server, this.#postError, this.#sse);
  }
}

/**
 * For a URL that is said to be Streamable HTTP: the POST goes first, and only where its refusal is what a server of HTTP+SSE
 * says to it (2025-11-25, "Backwards Compatibility"), a GET follows, once.
 */
export async function httpThenSse(detection: Detection): Promise<OpenSession> {
  const viaPost = detection.post(() => undefined);
  detection.describe(() => 'initialize was not answered');
  let refusal: Error;
  try {
    await viaPost.start();
    return await viaPost.shakeHands();
  } catch (error) {
    refusal = asError(error);
    if (!speaksForSse(refusal)) throw error;
  }
  await viaPost.close();
  return sseAfter(detection, refusal);
}

/**
 * For a URL that is known to be HTTP+SSE: the GET alone. Where no endpoint comes within a few seconds, it is closed and rejects
 * with a TransportError `closed`: the server may have become another one, whose event stream is silent.
 */
export async function sseAlone(detection: Detection): Promise<OpenSession> {
  const sse = new SseTransport(detection.wire);
  const viaGet = detection.open(sse);
  detection.describe(() => waitingForGet(sse));
  const cancel = detection.clock.after(GRACE_MS, () => void viaGet.close());
  try {
    await viaGet.start();
  } finally {
    cancel();
  }
  return viaGet.shakeHands();
}

async function sseAfter(detection: Detection, refusal: Error): Promise<OpenSession> {
  const sse = new SseTransport(detection.wire);
  const viaGet = detection.open(sse);
  detection.describe(() => pendingText(detection.wire.context.server, refusal, sse));
  const impatient = comesFromReader(refusal);
  const cancel = impatient ? detection.clock.after(GRACE_MS, () => void viaGet.close()) : undefined;
  try {
    await viaGet.start();
  } catch (error) {
    throw tellingError(detection.wire.context.server, refusal, impatient ? undefined : asError(error));
  } finally {
    cancel?.();
  }
  return viaGet.shakeHands();
}

function waitingForGet(sse: SseTransport): string {
  if (sse.hasEndpoint) return 'initialize at the announced endpoint was not answered';
  return sse.isStreaming ? 'the event stream announced no endpoint' : 'the GET for the event stream was not answered';
}

function pendingText(server: string, postError: Error | undefined, sse: SseTransport): string {
  const get = waitingForGet(sse);
  if (sse.hasEndpoint) return get;
  return postError ? `${get} (${bare(server, postError)})` : `initialize was not answered, and ${get}`;
}

/** A refusal that a server of HTTP+SSE gives to a POST on its stream's address: 4xx but for sign-in and overload, 501, or an endpoint event. */
export function speaksForSse(error: Error): boolean {
  if (error instanceof ProtocolError) return error.code === 'endpoint';
  if (!(error instanceof TransportError) || error.code !== 'http-status' || error.status === undefined) return false;
  const { status } = error;
  return (status >= 400 && status < 500 && status !== 429 && status !== 408) || status === 501;
}

/** A refusal in JSON-RPC, or one that speaks of protocol versions, comes from a server that reads messages on this address. */
function comesFromReader(error: Error): boolean {
  return error instanceof TransportError && /"jsonrpc"\s*:|version.*\b20\d\d-\d\d-\d\d\b/is.test(error.body ?? '');
}

const ranking = ['certificate', 'unreachable', 'unauthorized', 'forbidden', 'redirect', 'too-large'];

/** Of two failures the one that says more; both when neither does. */
function tellingError(server: string, post: Error | undefined, get: Error | undefined): Error {
  if (!post || !get) return post ?? get ?? new TransportError('closed', `${server}: no answer`);
  for (const code of ranking) {
    for (const error of [post, get]) if (error instanceof TransportError && error.code === code) return error;
  }
  if (!speaksForSse(post)) return post;
  if (!(get instanceof TransportError) || !(post instanceof TransportError)) return get;
  const { code, status, retryAfterMs, body } = get;
  const both = `${bare(server, post)}; ${bare(server, get)}`;
  const text = `${server}: neither HTTP transport works at this address: ${both}`;
  return new TransportError(code, text, { status, retryAfterMs, body, cause: get });
}

/** An error's text without the server's name in front. */
function bare(server: string, error: Error): string {
  const { message } = error;
  return message.startsWith(`${server}: `) ? message.slice(server.length + 2) : message;
}
