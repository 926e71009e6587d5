import type { HttpSend } from '../../base/httpExchange.ts';
import type { Tap } from '../../base/tap.ts';

/** A model as its endpoint describes it; what the endpoint does not say is absent. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens that a request and its answer may hold together. */
  readonly maxInputTokens?: number;
  readonly maxOutputTokens?: number;
  readonly imageInput?: boolean;
  readonly toolCalling?: boolean;
}

export interface ListModelsOptions {
  /** The endpoint's name for messages and the wire record; default its host. */
  readonly name?: string;
  /** The base address; `/models` is appended. */
  readonly url: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tap?: Tap;
  readonly signal?: AbortSignal;
  readonly send?: HttpSend;
  /** Milliseconds for the whole answer; default 10,000. */
  readonly timeoutMs?: number;
}

/** Asks an endpoint for its models (`GET /models`). Rejects with `ModelError`. */
export async function listModels(options: ListModelsOptions): Promise<readonly ListedModel[]> {
  throw new Error(`not built yet: ${options.url}`);
}
