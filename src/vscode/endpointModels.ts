/** The models of the configured endpoints: what the settings name, what an endpoint listed, what it listed last time. Pure; all is passed in. */

import { asError } from '../base/caught.ts';
import { Emitter } from '../base/emitter.ts';
import { isRecord } from '../base/json.ts';
import type { ChatModel } from '../model/chatModel.ts';
import type { ConfiguredModel, Endpoint } from './endpointSettings.ts';

/** One model of one endpoint, with every default filled in. */
export interface OurModel {
  /** `endpoint/model`, unique among ours. */
  readonly id: string;
  readonly endpoint: Endpoint;
  /** The endpoint's own id of it. */
  readonly model: string;
  readonly label: string;
  /** Tokens. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly imageInput: boolean;
}

/** Which endpoints there are, and how they are asked for their models. */
export interface EndpointModelsOptions {
  readonly endpoints: () => readonly Endpoint[];
  /** Asks an endpoint for its models. Rejects where it does not answer. */
  readonly list: (endpoint: Endpoint, signal: AbortSignal) => Promise<readonly ConfiguredModel[]>;
  readonly open: (model: OurModel) => Promise<ChatModel>;
  /** What the endpoints listed before this window, by address; so the next window knows them without asking. */
  readonly cache: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  /** Told why an endpoint did not list its models. */
  readonly onFailure?: (endpoint: Endpoint, error: unknown) => void;
  /** How long all of listing an endpoint's models may take, in milliseconds; `list` has a shorter limit for the endpoint itself. */
  readonly limitMs?: number;
  /** How long an answer, or its absence, counts, in milliseconds. */
  readonly freshMs?: number;
  readonly now?: () => number;
}

const cacheKey = 'mcpAgent.endpointModels';
const defaultInputTokens = 32_768;
const defaultOutputTokens = 4096;

/** Knows the models at once and asks the endpoints only when told to. */
export class EndpointModels {
  readonly #options: EndpointModelsOptions;
  readonly #asked = new Map<string, number>();
  readonly #failures = new Map<string, Error>();
  readonly #opened = new Map<string, { readonly facts: string; readonly chatModel: ChatModel }>();
  readonly #changed = new Emitter<void>();
  #running: Promise<void> | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(options: EndpointModelsOptions) {
    this.#options = options;
  }

  models(): readonly OurModel[] {
    return this.#options
      .endpoints()
      .flatMap((endpoint) => (endpoint.models ?? this.#cached(endpoint)).map((model) => toOurModel(endpoint, model)));
  }

  /** The same model for as long as its settings stand, since it keeps what its endpoint has taught it. */
  async chatModel(id: string): Promise<ChatModel | undefined> {
    const model = this.models().find((each) => each.id === id);
    if (model === undefined) return undefined;
    const facts = JSON.stringify(model);
    const kept = this.#opened.get(id);
    if (kept?.facts === facts) return kept.chatModel;
    const chatModel = await this.#options.open(model);
    this.#opened.set(id, { facts, chatModel });
    return chatModel;
  }

  /** Why the endpoint did not list its models when it was last asked. */
  failureOf(endpoint: Endpoint): Error | undefined {
    return this.#failures.get(endpoint.url);
  }

  /** Tells listeners that settings or keys have changed: what was asked is asked anew at the next `refresh`. */
  reset(): void {
    this.#asked.clear();
    this.#opened.clear();
    this.#changed.fire();
  }

  /** Asks every endpoint whose models are not known for certain; one run at a time. Never rejects. */
  refresh(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#refresh(signal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const now = (this.#options.now ?? Date.now)();
    const due = this.#options.endpoints().filter((endpoint) => {
      const asked = this.#asked.get(endpoint.url);
      return endpoint.models === undefined && (asked === undefined || now - asked > (this.#options.freshMs ?? 60_000));
    });
    if (due.length === 0) return;
    const before = JSON.stringify(this.models().map((model) => model.id));
    await Promise.all(due.map((endpoint) => this.#ask(endpoint, now, signal)));
    if (JSON.stringify(this.models().map((model) => model.id)) !== before) this.#changed.fire();
  }

  async #ask(endpoint: Endpoint, now: number, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.limitMs ?? 15_000)]);
    try {
      const models = await this.#options.list(endpoint, limit);
      this.#asked.set(endpoint.url, now);
      this.#failures.delete(endpoint.url);
      await this.#remember(endpoint, models);
    } catch (error) {
      if (signal.aborted) return;
      this.#asked.set(endpoint.url, now);
      this.#failures.set(endpoint.url, asError(error));
      this.#options.onFailure?.(endpoint, error);
    }
  }

  #cached(endpoint: Endpoint): readonly ConfiguredModel[] {
    const all = this.#options.cache.get(cacheKey);
    const entry = isRecord(all) ? all[endpoint.url] : undefined;
    return Array.isArray(entry) ? entry.filter(isConfiguredModel) : [];
  }

  async #remember(endpoint: Endpoint, models: readonly ConfiguredModel[]): Promise<void> {
    const all = this.#options.cache.get(cacheKey);
    const kept = isRecord(all) ? all : {};
    if (JSON.stringify(kept[endpoint.url]) === JSON.stringify(models)) return;
    await this.#options.cache.update(cacheKey, { ...kept, [endpoint.url]: models });
  }
}

function toOurModel(endpoint: Endpoint, model: ConfiguredModel): OurModel {
  return {
    id: `${endpoint.name}/${model.id}`,
    endpoint,
    model: model.id,
    label: model.name ?? model.id,
    maxInputTokens: model.maxInputTokens ?? endpoint.maxInputTokens ?? defaultInputTokens,
    maxOutputTokens: model.maxOutputTokens ?? endpoint.maxOutputTokens ?? defaultOutputTokens,
    imageInput: model.imageInput ?? endpoint.imageInput ?? false,
  };
}

function isConfiguredModel(value: unknown): value is ConfiguredModel {
  return isRecord(value) && typeof value['id'] === 'string';
}
