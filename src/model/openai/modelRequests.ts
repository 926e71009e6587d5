import { messageOf } from '../../base/caught.ts';
import type { Clock } from '../../base/clock.ts';
import type { HttpRequest, HttpSend } from '../../base/httpExchange.ts';
import type { Tap, TapSource } from '../../base/tap.ts';
import type { ChatRequest, ModelEvent } from '../chatModel.ts';
import { ModelError, type ModelErrorCode } from '../modelError.ts';
import { adaptForm } from './adaptForm.ts';
import { AnswerFault } from './answerFault.ts';
import { runAttempt } from './attempt.ts';
import { StreamDecoder } from './decodeStream.ts';
import { encodeRequest, type EncodedRequest } from './encodeRequest.ts';
import { addressOf, credentialHeaders, headersOf, withoutSecrets, type Endpoint } from './endpoint.ts';
import { explainFailure, isUnknownModel } from './explainFailure.ts';
import { listModels } from './listModels.ts';
import type { ModelLimits } from './modelLimits.ts';
import { RefusedRequest } from './requestFailure.ts';
import { requestTap } from './requestTap.ts';
import { usualForm, type RequestForm } from './requestForm.ts';
import { pauseBefore, type RetryPolicy } from './retryPolicy.ts';

/** The model that is asked, and how. */
export interface ModelRequestsOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly imageInput: boolean;
  /** Tokens. */
  readonly maxInputTokens: number;
  /** Tokens. */
  readonly maxOutputTokens: number | undefined;
  readonly tap: Tap | undefined;
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly limits: ModelLimits;
  readonly retry: RetryPolicy & { readonly wait: NonNullable<RetryPolicy['wait']> };
}

/** A pause longer than this is told to the person, in milliseconds. */
const longPause = 3000;

/** How often one request may be put into another form. */
const mostAdaptations = 12;

/** How many models a message lists. */
const mostListed = 12;

let lastConnection = 0;

/** Sends requests to one model: once, again in another form where the endpoint refused the form, again after a pause where it was busy. */
export class ModelRequests {
  readonly #options: ModelRequestsOptions;
  readonly #source: TapSource;
  #form: RequestForm;

  constructor(options: ModelRequestsOptions) {
    this.#options = options;
    this.#form = { ...usualForm, images: options.imageInput };
    this.#source = { connection: `model-${++lastConnection}`, server: options.endpoint.name, peer: 'model' };
  }

  /** Throws `ModelError`. */
  async *stream(request: ChatRequest): AsyncGenerator<ModelEvent, void, undefined> {
    const progress = new Progress(this.#options.clock.now());
    for (;;) {
      this.#throwIfCancelled(request.signal);
      const encoded = this.#encode(request);
      const decoder = this.#decoder(encoded);
      try {
        yield* this.#attempt(request, encoded, decoder);
        return;
      } catch (failure) {
        const pause = decoder.hasBegun ? undefined : this.#pauseAfter(failure, encoded, progress);
        if (pause === undefined || request.signal.aborted) {
          this.#form = progress.certain ?? this.#form;
          throw await this.#explain(failure, encoded, decoder, request.signal);
        }
        if (pause >= longPause && progress.isNews()) yield { kind: 'notice', text: this.#pauseNotice(failure, pause) };
        if (pause > 0) await this.#options.retry.wait(pause, request.signal);
      }
    }
  }

  #encode(request: ChatRequest): EncodedRequest {
    const { model, maxOutputTokens } = this.#options;
    return encodeRequest(request, {
      model,
      form: this.#form,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    });
  }

  #decoder(encoded: EncodedRequest): StreamDecoder {
    return new StreamDecoder({ toolNames: new Set(encoded.tools.keys()), onNote: (text) => this.#note('debug', text) });
  }

  #attempt(
    request: ChatRequest,
    encoded: EncodedRequest,
    decoder: StreamDecoder,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const { endpoint, send, limits, clock } = this.#options;
    return runAttempt({
      request: this.#httpRequest(encoded),
      send,
      credentialHeaders: credentialHeaders(endpoint),
      decoder,
      notices: encoded.notices,
      limits,
      clock,
      source: this.#source,
      tap: this.#tapFor(request, encoded),
      signal: request.signal,
      label: endpoint.label,
    });
  }

  #httpRequest(encoded: EncodedRequest): HttpRequest {
    const { endpoint } = this.#options;
    const headers = headersOf(endpoint, {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    });
    return { method: 'POST', url: this.#address(), headers, body: encoded.body, repeatable: true };
  }

  #address(): string {
    const { endpoint } = this.#options;
    try {
      return addressOf(endpoint, 'chat/completions');
    } catch (cause) {
      throw new ModelError(
        'unreachable',
        `"${endpoint.label}" is no address of a model endpoint: correct it in the settings.`,
        { cause },
      );
    }
  }

  /** Zero where the request can be put into a form that the endpoint may accept. */
  #pauseAfter(failure: unknown, encoded: EncodedRequest, progress: Progress): number | undefined {
    if (this.#adapt(failure, encoded, progress)) return 0;
    if (!this.#mayPass(failure, encoded)) return undefined;
    progress.tries++;
    const tries = { count: progress.tries, elapsedMs: this.#options.clock.now() - progress.since };
    const pause = pauseBefore(failure, tries, this.#options.retry);
    if (pause !== undefined) this.#note('info', `trying again in ${Math.round(pause)} ms: ${this.#words(failure)}`);
    return pause;
  }

  /** False where the endpoint's words say that it will refuse this request again, whatever its status says. */
  #mayPass(failure: unknown, encoded: EncodedRequest): boolean {
    return passingCodes.has(this.#toError(failure, encoded, false).code);
  }

  #toError(failure: unknown, encoded: EncodedRequest, hadBegun: boolean): ModelError {
    const { endpoint, model } = this.#options;
    return explainFailure(failure, { endpoint, model, hadTools: encoded.tools.size > 0, hadBegun });
  }

  #adapt(failure: unknown, encoded: EncodedRequest, progress: Progress): boolean {
    if (!isAboutForm(failure) || progress.adaptations >= mostAdaptations) return false;
    const fault = failure instanceof RefusedRequest ? failure.fault : failure;
    const message = withoutSecrets(fault.message, this.#options.endpoint);
    const all = `${message} ${fault.providerCode}`;
    const { code } = this.#toError(failure, encoded, false);
    if (!formCodes.has(code)) return false;
    const adaptation = adaptForm({ message, all }, this.#form, encoded);
    if (adaptation === undefined || (adaptation.isGuess && code === 'not-found')) return false;
    progress.adaptations++;
    if (adaptation.isGuess) progress.certain ??= this.#form;
    this.#form = adaptation.form;
    this.#note('info', `asking again ${adaptation.change}: ${this.#words(failure)}`);
    return true;
  }

  #pauseNotice(failure: unknown, pause: number): string {
    return `${this.#options.endpoint.label} is busy (${this.#words(failure)}): trying again in ${Math.ceil(pause / 1000)} s.`;
  }

  #words(failure: unknown): string {
    const message = messageOf(failure);
    const status = failure instanceof RefusedRequest ? `HTTP ${failure.head.status}` : '';
    return withoutSecrets([status, message].filter((part) => part !== '').join(': '), this.#options.endpoint);
  }

  async #explain(
    failure: unknown,
    encoded: EncodedRequest,
    decoder: StreamDecoder,
    signal: AbortSignal,
  ): Promise<ModelError> {
    this.#throwIfCancelled(signal);
    const error = this.#toError(failure, encoded, decoder.hasBegun);
    if (error.code !== 'not-found' || !isUnknownModel(this.#words(failure))) return error;
    const { status } = error;
    const text = `${error.message} ${await this.#whatThereIs(signal)}`;
    return new ModelError('not-found', text, { ...(status !== undefined && { status }), cause: error.cause });
  }

  async #whatThereIs(signal: AbortSignal): Promise<string> {
    const { endpoint, send, tap, model } = this.#options;
    const models = await listModels({ ...endpoint, send, signal, timeoutMs: 3000, ...(tap && { tap }) }).catch(
      () => [],
    );
    const pull = /(:11434\b|ollama)/i.test(endpoint.label) ? `, or run "ollama pull ${model}"` : '';
    if (models.length === 0) return `Choose another model${pull}.`;
    const names = models.slice(0, mostListed).map((listed) => listed.id);
    const more = models.length > mostListed ? ` and ${models.length - mostListed} more` : '';
    return `It has ${names.join(', ')}${more}: choose one of these${pull}.`;
  }

  #throwIfCancelled(signal: AbortSignal): void {
    if (!signal.aborted) return;
    throw new ModelError('cancelled', `The request to ${this.#options.endpoint.label} was stopped.`, {
      cause: signal.reason,
    });
  }

  #tapFor(request: ChatRequest, encoded: EncodedRequest): Tap | undefined {
    const { tap, model, maxInputTokens } = this.#options;
    const { turn, step } = request;
    return tap && requestTap(tap, { source: this.#source, model, maxInputTokens, turn, step, body: encoded.body });
  }

  #note(level: 'debug' | 'info', text: string): void {
    this.#options.tap?.({ ...this.#source, kind: 'note', level, text });
  }
}

/** What was tried for one request. */
class Progress {
  readonly since: number;
  tries = 0;
  adaptations = 0;
  /** The form before the first guess. */
  certain: RequestForm | undefined;
  #told = false;

  /** `since` in milliseconds of the clock. */
  constructor(since: number) {
    this.since = since;
  }

  /** True the first time. */
  isNews(): boolean {
    const isNews = !this.#told;
    this.#told = true;
    return isNews;
  }
}

/** What another form of the request may help against. */
const formCodes: ReadonlySet<ModelErrorCode> = new Set(['rejected', 'server', 'stream', 'not-found']);

/** What may be gone after a pause. */
const passingCodes: ReadonlySet<ModelErrorCode> = new Set([
  'unreachable',
  'rate-limit',
  'server',
  'stream',
  'empty',
  'rejected',
]);

/** Statuses by which endpoints refuse what a request says, rather than who asks or when. */
const formStatus: ReadonlySet<number> = new Set([400, 404, 415, 422, 500, 501]);

function isAboutForm(failure: unknown): failure is RefusedRequest | AnswerFault {
  if (failure instanceof RefusedRequest) return formStatus.has(failure.head.status);
  return failure instanceof AnswerFault && (failure.status === undefined || formStatus.has(failure.status));
}
