import { asError } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { endSession } from './endSession.ts';
import { TransportError } from './errors.ts';
import { HttpTransport, type Proof } from './httpTransport.ts';
import type { HttpWire } from './httpWire.ts';
import type { Opening, OpenSession } from './openSession.ts';
import { discover, saysNothing, type Discovered } from './stateless/discover.ts';
import { foreignError, type Discovery } from './stateless/discovery.ts';
import { isModernError } from './stateless/modernError.ts';
import { StatelessHttpTransport } from './stateless/statelessHttpTransport.ts';

/** How long `server/discover` is waited for once `initialize` is answered: as long as that took, within these bounds, in milliseconds. */
const LEAST_GRACE_MS = 50;
const MOST_GRACE_MS = 1000;
/** … and once `initialize` is refused, in milliseconds. */
const REFUSED_GRACE_MS = 3000;
/** So long, in milliseconds, an `initialize` that lost may still tell us a session id, so that the session can be ended. */
const LOSER_MS = 2000;

/** What the race is run with. */
export interface EraRaceOptions {
  readonly wire: HttpWire;
  readonly clock: Clock;
  /** What stands in `_meta` of `server/discover`. */
  readonly meta: JsonObject;
  /** Throws when nobody wants a session any more. */
  openSession(transport: HttpTransport): Opening;
  openStateless(transport: StatelessHttpTransport, discovery: Discovery): Promise<OpenSession>;
  /** Told at most once, as soon as an answer shows how the server speaks. */
  onProof(proof: Proof): void;
  /** Told once it is certain, for the next time, that the server needs a session. */
  onSessionEra(): void;
  /** Runs `tidy` after so many milliseconds, or when the session ends, whichever is first. */
  tidyLater(ms: number, tidy: () => void): void;
}

/**
 * Finds out which revisions a server of Streamable HTTP speaks: `initialize` and `server/discover` leave together. A server
 * that speaks the stateless revision is used by it, and a session that was opened for nothing is ended; any other is used by
 * the session (2026-07-28, "Backward Compatibility"). A server that was confused by two requests at once gets one alone.
 */
export class EraRace implements Opening {
  readonly #options: EraRaceOptions;
  readonly #probe: StatelessHttpTransport;
  #session: HttpTransport;
  #opening: Opening;
  #began = 0;
  /** How long `initialize` took to be answered, in milliseconds. */
  #tookMs: number | undefined;
  #discovered: Discovered | undefined;
  #outcome: { readonly session: OpenSession } | { readonly failure: Error } | undefined;
  #retried = false;
  #over = false;
  #cancelGrace: (() => void) | undefined;
  #resolve: (session: OpenSession | Promise<OpenSession>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(options: EraRaceOptions) {
    this.#options = options;
    this.#probe = new StatelessHttpTransport(options.wire, options.clock);
    this.#session = this.#newSession();
    this.#opening = options.openSession(this.#session);
  }

  get quirk(): string {
    return this.#opening.quirk;
  }

  start(): Promise<void> {
    return this.#opening.start();
  }

  shakeHands(): Promise<OpenSession> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#initialize();
      void discover(this.#probe, this.#options.meta).then((discovered) => this.#onDiscovered(discovered));
    });
  }

  stopAfterInitialize(): void {
    this.#opening.stopAfterInitialize();
    void this.#probe.close();
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#cancelGrace?.();
    await this.#probe.close();
    await this.#opening.close();
  }

  #newSession(): HttpTransport {
    const { wire, clock } = this.#options;
    return new HttpTransport(wire, { clock, mayListen: false, onProof: (proof) => this.#onProof(proof) });
  }

  #initialize(): void {
    this.#began = this.#options.clock.now();
    this.#opening.shakeHands().then(
      (session) => this.#onSession(session),
      (error: unknown) => this.#onRefused(asError(error)),
    );
  }

  #onProof(proof: Proof): void {
    this.#tookMs ??= this.#options.clock.now() - this.#began;
    if (!this.#over) this.#options.onProof(proof);
  }

  #onDiscovered(discovered: Discovered): void {
    if (this.#over) return this.#tidyProbe();
    this.#discovered = discovered;
    if (discovered.kind === 'modern') return this.#goStateless(discovered.discovery);
    this.#tidyProbe();
    if (this.#outcome) this.#decide();
  }

  #onSession(session: OpenSession): void {
    if (this.#over) return void this.#opening.close();
    this.#outcome = { session };
    if (this.#discovered) return this.#decide();
    const took = this.#tookMs ?? 0;
    const until = this.#began + took + Math.min(Math.max(took, LEAST_GRACE_MS), MOST_GRACE_MS);
    this.#decideAfter(Math.max(0, until - this.#options.clock.now()));
  }

  #onRefused(failure: Error): void {
    if (this.#over) return void this.#opening.close();
    this.#outcome = { failure };
    if (this.#discovered) this.#decide();
    else this.#decideAfter(REFUSED_GRACE_MS);
  }

  #decideAfter(ms: number): void {
    this.#cancelGrace = this.#options.clock.after(ms, () => this.#decide());
  }

  /** There is no stateless revision here, as far as is known. */
  #decide(): void {
    const outcome = this.#outcome;
    if (this.#over || !outcome) return;
    this.#cancelGrace?.();
    if ('session' in outcome) return this.#goOnWith(outcome.session);
    if (this.#wasConfused(outcome.failure)) return this.#initializeAlone();
    this.#fail(this.#tellingError(outcome.failure));
  }

  #goOnWith(session: OpenSession): void {
    this.#over = true;
    if (!saysNothing(this.#discovered?.error)) this.#options.onSessionEra();
    void this.#probe.close();
    this.#session.letListen();
    this.#resolve(session);
  }

  #goStateless(discovery: Discovery): void {
    this.#over = true;
    this.#cancelGrace?.();
    this.#options.onProof('streamable');
    this.#retireSession();
    this.#resolve(this.#options.openStateless(this.#probe, discovery));
  }

  /** The server may have opened a session that nobody will use: once its id is known, it is ended. */
  #retireSession(): void {
    this.#opening.stopAfterInitialize();
    if (this.#outcome) void this.#opening.close();
    else this.#options.tidyLater(LOSER_MS, () => void this.#opening.close());
  }

  /** A server of an earlier revision may have opened a session for the question what it speaks. */
  #tidyProbe(): void {
    const { session } = this.#probe;
    if (session === undefined || session === this.#session.session || this.#discovered?.kind === 'modern') return;
    const { wire, clock } = this.#options;
    void endSession(wire, clock, session);
  }

  /** Two requests at once, answered in two ways, one of which may come from the other: too busy, broken off, out of order. */
  #wasConfused(failure: Error): boolean {
    if (this.#retried || !(failure instanceof TransportError)) return false;
    const other = this.#discovered?.error;
    const { code, status = 0 } = failure;
    if (other instanceof TransportError && other.code === code && other.status === status) return false;
    return code === 'closed' || (code === 'http-status' && (status === 409 || status === 429 || status >= 500));
  }

  #initializeAlone(): void {
    this.#retried = true;
    this.#outcome = undefined;
    void this.#opening.close();
    try {
      this.#session = this.#newSession();
      this.#opening = this.#options.openSession(this.#session);
    } catch (error) {
      return this.#fail(asError(error));
    }
    void this.#opening.start();
    this.#initialize();
  }

  #fail(error: Error): void {
    this.#over = true;
    void this.#probe.close();
    this.#reject(error);
  }

  #tellingError(failure: Error): Error {
    const discovered = this.#discovered;
    if (discovered?.kind === 'foreign') return foreignError(this.#options.wire.context.server, discovered.versions);
    return discovered?.error && isModernError(discovered.error) ? discovered.error : failure;
  }
}
