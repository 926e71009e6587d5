import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposables.ts';
import type { HttpExchange, HttpRequest, HttpSend } from '../../base/httpExchange.ts';
import type { Tap, TapSource } from '../../base/tap.ts';
import type { ModelEvent } from '../chatModel.ts';
import { ModelError } from '../modelError.ts';
import { AnswerReader, type AnswerListener } from './answerReader.ts';
import type { StreamDecoder } from './decodeStream.ts';
import { EventQueue } from './eventQueue.ts';
import { usualLimits, type ModelLimits } from './modelLimits.ts';
import { SilentEndpoint } from './requestFailure.ts';
import { SilenceLimit } from './silenceLimit.ts';

/** One request over HTTP and who is told what comes. */
export interface AttemptOptions {
  readonly request: HttpRequest;
  readonly send: HttpSend;
  readonly credentialHeaders: readonly string[];
  readonly decoder: StreamDecoder;
  /** Told before anything else, once the endpoint has taken the request. */
  readonly notices: readonly string[];
  readonly limits: ModelLimits;
  readonly clock: Clock;
  readonly source: TapSource;
  readonly tap: Tap | undefined;
  readonly signal: AbortSignal;
  /** The endpoint's name and address, for messages. */
  readonly label: string;
}

/** How long an endpoint may keep the connection after its answer, in milliseconds. */
const lingerMs = 2000;

/**
 * Sends a request once and tells the answer as it comes. Throws what went wrong: `RefusedRequest`, `AnswerFault`, `EmptyAnswer`,
 * `WebPageAnswer`, `SilentEndpoint`, `HttpError`; `ModelError` where the signal was aborted. Giving up the iteration ends the request.
 */
export async function* runAttempt(options: AttemptOptions): AsyncGenerator<ModelEvent, void, undefined> {
  const attempt = new Attempt(options);
  try {
    yield* attempt.events();
  } finally {
    attempt.close();
  }
}

class Attempt implements AnswerListener {
  readonly #options: AttemptOptions;
  readonly #queue = new EventQueue<ModelEvent>();
  readonly #reader: AnswerReader;
  readonly #silence: SilenceLimit;
  readonly #link: Disposable;
  readonly #exchange: HttpExchange;
  #isComplete = false;

  constructor(options: AttemptOptions) {
    const { clock, credentialHeaders, decoder, limits, request, send, signal, source, tap } = options;
    this.#options = options;
    this.#silence = new SilenceLimit(clock, limits.firstPieceMs ?? usualLimits.firstPieceMs, (ms) =>
      this.#onSilence(ms),
    );
    this.#reader = new AnswerReader(decoder, this, { source, tap });
    this.#exchange = send(request, this.#reader, { source, credentialHeaders, ...(tap && { tap }) });
    this.#link = onAbort(signal, () =>
      this.#giveUp(new ModelError('cancelled', `The request to ${options.label} was stopped.`)),
    );
  }

  events(): AsyncGenerator<ModelEvent, void, undefined> {
    return this.#queue.read();
  }

  close(): void {
    this.#silence.end();
    this.#link.dispose();
    if (!this.#isComplete) this.#exchange.abort();
  }

  onAccepted(): void {
    this.#queue.push(this.#options.notices.map((text): ModelEvent => ({ kind: 'notice', text })));
  }

  onSignOfLife(): void {
    this.#silence.alive();
  }

  onEvents(events: readonly ModelEvent[]): void {
    const { decoder, limits } = this.#options;
    this.#queue.push(events);
    if (decoder.hasFinished) this.#silence.change(limits.afterFinishMs ?? usualLimits.afterFinishMs);
    else if (decoder.hasBegun) this.#silence.change(limits.nextPieceMs ?? usualLimits.nextPieceMs);
  }

  onEnd(): void {
    this.#isComplete = true;
    this.#silence.end();
    this.#queue.end();
    this.#options.clock.after(lingerMs, () => this.#exchange.abort());
  }

  onFailure(failure: unknown): void {
    this.#giveUp(failure);
  }

  #onSilence(ms: number): void {
    if (this.#options.decoder.hasFinished) this.#reader.finishEarly();
    else this.#giveUp(new SilentEndpoint(ms));
  }

  #giveUp(failure: unknown): void {
    this.#silence.end();
    this.#queue.fail(failure);
    // A signal that is aborted already calls this from the constructor's last line: the exchange is there.
    this.#exchange.abort();
  }
}
