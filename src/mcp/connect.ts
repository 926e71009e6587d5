import { onAbort } from '../base/abort.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposables.ts';
import { guardedTap, type Tap, type TapSource } from '../base/tap.ts';
import { TimeLimit } from '../base/timeLimit.ts';
import type { Authorization } from './authorization.ts';
import type { Client } from './client.ts';
import { TransportError } from './errors.ts';
import { hideSecrets, secretsOf } from './hideSecrets.ts';
import type * as HttpNegotiationModule from './httpNegotiation.ts';
import type { HttpWire, HttpWireOptions } from './httpWire.ts';
import type { RequestAnswer } from './inboundRequests.ts';
import { capabilitiesOf, openSession, type Opening, type OpenSession, type SessionOptions } from './openSession.ts';
import { requestIds } from './requestIds.ts';
import { STATELESS_REVISION } from './schema.ts';
import type { HttpServerConfig, ServerConfig, StdioServerConfig } from './serverConfig.ts';
import type { Discovery } from './stateless/discovery.ts';
import { requestMeta } from './stateless/requestMeta.ts';
import type { Note, Transport, TransportContext } from './transport.ts';
import { addressOf, processVerdicts, ServerVerdict, type Verdicts } from './verdicts.ts';

/** Milliseconds that an answer may take where the configuration says nothing. */
export const DEFAULT_TIMEOUT_MS = 60_000;

const VERSION = '0.1.0';

export interface ConnectOptions {
  readonly signal?: AbortSignal;
  /** Told what is still being closed after the attempt was rejected (a process takes a moment), for those who close and wait. */
  readonly tidying?: (work: Promise<void>) => void;
  readonly tap?: Tap;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Offer this revision first. Absent: whatever the server speaks. */
  readonly protocolVersion?: string;
  /** Where to remember how servers speak; absent: for as long as the process runs. */
  readonly verdicts?: Verdicts;
  /** Answers to the server's own requests, by method ('roots/list', 'sampling/createMessage', 'elicitation/create'). */
  readonly handlers?: Readonly<Record<string, RequestAnswer>>;
  /** Declared in place of what follows from `handlers`, member by member. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly authorization?: Authorization;
  /** Certificates (PEM) to trust instead of the built-in ones. */
  readonly ca?: string;
  readonly clock?: Clock;
}

let lastConnection = 0;

let http: Promise<typeof HttpNegotiationModule> | undefined;

/** Kept: asking the loader again takes it longer than one would think, at each of a hundred servers. */
function overHttp(): NonNullable<typeof http> {
  return (http ??= import('./httpNegotiation.ts'));
}

/**
 * Connects to one server, once, and resolves when the handshake is complete; nothing reconnects by itself. Rejects with a
 * TransportError, ProtocolError or RpcError that names the server. `config.timeoutMs` bounds the whole, not counting the
 * time in which a person signs in.
 */
export function connect(config: ServerConfig, options: ConnectOptions = {}): Promise<Client> {
  return new Connecting(config, { ...options, tap: guardedTap(options.tap) }).run();
}

/** A transport, or an opening, which knows what was odd about the answers. */
interface Opened {
  readonly quirk?: string;
  close(): Promise<void>;
}

/** One attempt, from the first byte to the client or the error. */
class Connecting {
  readonly #config: ServerConfig;
  readonly #options: ConnectOptions;
  readonly #clock: Clock;
  readonly #context: TransportContext;
  readonly #timeoutMs: number;
  readonly #opened: Opened[] = [];
  readonly #session: SessionOptions;
  /** What will be tidied up after a while, and at the latest when the session ends. */
  readonly #tidyings = new Set<() => void>();
  #client: OpenSession | undefined;
  #wire: HttpWire | undefined;
  #remembered: ServerVerdict | undefined;
  #secrets: readonly string[] | undefined;
  #isOver = false;
  #pending: () => string = () => 'initialize was not answered';

  constructor(config: ServerConfig, options: ConnectOptions) {
    this.#config = config;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#context = this.#newContext();
    const ids = requestIds(config.kind === 'stdio' ? this.#context.source.connection : config.url);
    this.#session = {
      connection: this.#context.source.connection,
      server: config.name,
      note: this.#context.note,
      clock: this.#clock,
      ids,
      timeoutMs: this.#timeoutMs,
      clientInfo: options.clientInfo ?? { name: 'mcp-agent', version: VERSION },
      protocolVersion: options.protocolVersion === STATELESS_REVISION ? undefined : options.protocolVersion,
      capabilities: options.capabilities,
      answers: new Map(Object.entries({ 'roots/list': noRoots, ...options.handlers })),
      onGivenUp: (requestId, outcome) =>
        options.tap?.({ ...this.#context.source, kind: 'request-end', requestId, outcome }),
      hide: (error) => this.#hide(error),
      onEnd: (error) => this.#release(error && this.#hide(error)),
    };
  }

  run(): Promise<Client> {
    return new Promise((resolve, reject) => {
      let abortLink: Disposable | undefined;
      const limit = new TimeLimit(this.#clock, this.#timeoutMs, () => finish(this.#timeoutError()));
      const finish = (outcome: OpenSession | Error): void => {
        // What comes after the end was closed with everything else.
        if (this.#isOver) return;
        this.#isOver = true;
        limit.end();
        abortLink?.dispose();
        if (!(outcome instanceof Error)) return resolve(this.#succeed(outcome));
        reject(this.#hide(outcome));
        const work = this.#abandon(outcome);
        this.#options.tidying?.(work);
      };
      const { signal } = this.#options;
      if (signal?.aborted) return finish(this.#cancelledError(signal));
      abortLink = onAbort(signal, () => finish(this.#cancelledError(signal)));
      this.#open(limit).then(finish, (error: unknown) =>
        finish(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  #open(limit: TimeLimit): Promise<OpenSession> {
    const config = this.#config;
    return config.kind === 'stdio' ? this.#openStdio(config) : this.#openHttp(config, limit);
  }

  async #openHttp(config: HttpServerConfig, limit: TimeLimit): Promise<OpenSession> {
    // Whoever has no such server reads nothing about HTTP.
    const { HttpWire, negotiateHttp } = await overHttp();
    if (this.#isOver) throw this.#cancelledError(this.#options.signal);
    const wire = new HttpWire(config, this.#context, this.#wireOptions());
    this.#wire = wire;
    wire.onHold((held) => limit.hold(held));
    const verdict = this.#verdict(addressOf(wire.url));
    return negotiateHttp({ ...this.#negotiation(verdict), kind: config.kind, wire });
  }

  async #openStdio(config: StdioServerConfig): Promise<OpenSession> {
    // Whoever has no such server reads nothing about processes.
    const { commandAddress, negotiateStdio } = await import('./negotiateStdio.ts');
    if (this.#isOver) throw this.#cancelledError(this.#options.signal);
    const verdict = this.#verdict(commandAddress(config));
    const own = (transport: Transport): void => this.#own(transport);
    return negotiateStdio({ ...this.#negotiation(verdict), config, context: this.#context, own });
  }

  #negotiation(verdict: ServerVerdict) {
    const { clientInfo, answers, capabilities } = this.#session;
    return {
      verdict,
      clock: this.#clock,
      protocolVersion: this.#options.protocolVersion,
      meta: () => requestMeta(clientInfo, { ...capabilitiesOf(answers), ...capabilities }),
      openSession: (transport: Transport) => this.#openSession(transport),
      openStateless: (transport: Transport, found: Discovery) => this.#openStateless(transport, found, verdict),
      describe: (pending: () => string) => {
        this.#pending = pending;
      },
      tidyLater: (ms: number, tidy: () => void) => this.#tidyLater(ms, tidy),
    };
  }

  #tidyLater(ms: number, tidy: () => void): void {
    const run = (): void => {
      callOff();
      this.#tidyings.delete(run);
      tidy();
    };
    const callOff = this.#clock.after(ms, run);
    this.#tidyings.add(run);
  }

  #verdict(address: string): ServerVerdict {
    this.#remembered = new ServerVerdict(this.#options.verdicts ?? processVerdicts, address);
    return this.#remembered;
  }

  #openSession(transport: Transport): Opening {
    const opening = openSession(transport, this.#session);
    this.#own(opening);
    return opening;
  }

  async #openStateless(transport: Transport, found: Discovery, verdict: ServerVerdict): Promise<OpenSession> {
    this.#own(transport);
    const onEraLost = (): void => verdict.forget();
    // Whoever has no such server reads nothing of its revision.
    const { openStateless } = await import('./stateless/openStateless.ts');
    return openStateless(transport, found, { ...this.#session, onEraLost });
  }

  /** What is opened is closed when the attempt fails; at once, when it has failed already. */
  #own(opened: Opened): void {
    if (!this.#isOver) return void this.#opened.push(opened);
    void opened.close();
    throw this.#cancelledError(this.#options.signal);
  }

  #wireOptions(): HttpWireOptions {
    const { authorization, ca, clientInfo } = this.#options;
    const userAgent = `${clientInfo?.name ?? 'mcp-agent'}/${clientInfo?.version ?? VERSION}`;
    return { authorization, ca, userAgent };
  }

  #newContext(): TransportContext {
    const { tap } = this.#options;
    const source: TapSource = { connection: `mcp-${++lastConnection}`, server: this.#config.name, peer: 'mcp' };
    const note: Note = (level, text) => {
      tap?.({ ...source, kind: 'note', level, text });
      if (level === 'warning') this.#client?.onWarning(text);
    };
    return { server: this.#config.name, source, tap, note };
  }

  #succeed(client: OpenSession): Client {
    this.#client = client;
    const { tap } = this.#options;
    const { transport, protocolVersion } = client;
    tap?.({ ...this.#context.source, kind: 'connection-open', transport, protocolVersion });
    return client;
  }

  async #abandon(reason: Error): Promise<void> {
    for (const opened of this.#opened) await opened.close().catch(() => undefined);
    this.#release(reason);
  }

  #release(error: Error | undefined): void {
    for (const tidy of [...this.#tidyings]) tidy();
    this.#wire?.close();
    this.#session.ids.release();
    this.#options.tap?.({ ...this.#context.source, kind: 'connection-close', error: error?.message });
  }

  #hide(error: Error): Error {
    this.#secrets ??= secretsOf(this.#config);
    return hideSecrets(error, this.#secrets);
  }

  /** Silence may also come from a server that speaks another way than it did. */
  #timeoutError(): TransportError {
    this.#remembered?.forget();
    const seconds = Math.round(this.#timeoutMs / 100) / 10;
    const why = `${this.#pending()}${this.#opened.findLast(({ quirk }) => quirk)?.quirk ?? ''}`;
    return new TransportError('timeout', `${this.#config.name}: no connection within ${seconds} s: ${why}`);
  }

  #cancelledError(signal: AbortSignal | undefined): TransportError {
    return new TransportError('cancelled', `${this.#config.name}: connecting was cancelled`, { cause: signal?.reason });
  }
}

function noRoots(): Promise<unknown> {
  return Promise.resolve({ roots: [] });
}
