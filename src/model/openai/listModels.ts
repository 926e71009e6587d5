import { httpExchange, type HttpSend } from '../../base/httpExchange.ts';
import { asString, isRecord, parseJson, type JsonObject } from '../../base/json.ts';
import type { Tap } from '../../base/tap.ts';
import { ModelError } from '../modelError.ts';
import { faultIn } from './answerFault.ts';
import {
  addressOf,
  credentialHeaders,
  endpointOf,
  headersOf,
  type Endpoint,
  type EndpointOptions,
} from './endpoint.ts';
import { explainFailure } from './explainFailure.ts';
import { fetchWhole, type WholeResponse } from './fetchWhole.ts';
import { RefusedRequest, WebPageAnswer } from './requestFailure.ts';

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

/** `url` is the base address; `/models` is appended. `name` is the endpoint's name for messages and the wire record; default its host. */
export interface ListModelsOptions extends EndpointOptions {
  readonly tap?: Tap;
  readonly signal?: AbortSignal;
  readonly send?: HttpSend;
  /** Milliseconds for the whole answer; default 10,000. */
  readonly timeoutMs?: number;
}

let lastConnection = 0;

/** Asks an endpoint for its chat models (`GET /models`), in the endpoint's order. Rejects with `ModelError`. */
export async function listModels(options: ListModelsOptions): Promise<readonly ListedModel[]> {
  const endpoint = endpointOf(options);
  try {
    return readList(await ask(endpoint, options));
  } catch (failure) {
    if (options.signal?.aborted)
      throw new ModelError('cancelled', `The request to ${endpoint.label} was stopped.`, { cause: failure });
    if (failure instanceof TypeError) {
      throw new ModelError(
        'unreachable',
        `"${endpoint.label}" is no address of a model endpoint: correct it in the settings.`,
        { cause: failure },
      );
    }
    throw explainFailure(failure, { endpoint, model: 'list', hadTools: false, hadBegun: false });
  }
}

function ask(endpoint: Endpoint, options: ListModelsOptions): Promise<WholeResponse> {
  const { tap, signal, send = httpExchange, timeoutMs = 10_000 } = options;
  const url = addressOf(endpoint, 'models');
  const headers = headersOf(endpoint, { accept: 'application/json' });
  return fetchWhole(
    send,
    { method: 'GET', url, headers },
    {
      source: { connection: `models-${++lastConnection}`, server: endpoint.name, peer: 'model' },
      credentialHeaders: credentialHeaders(endpoint),
      signal,
      timeoutMs,
      ...(tap && { tap }),
    },
  );
}

function readList({ head, text }: WholeResponse): readonly ListedModel[] {
  if (head.status < 200 || head.status >= 300) throw new RefusedRequest(head, text);
  if (text.trimStart().startsWith('<')) throw new WebPageAnswer(text);
  const parsed = parseJson(text);
  const entries = parsed.ok ? entriesOf(parsed.value) : undefined;
  if (entries !== undefined) return withoutRepetitions(entries.filter(isRecord).flatMap(readModel));
  const fault = parsed.ok ? faultIn(parsed.value) : undefined;
  throw fault ?? new Error('its list of models is not in a form that we know');
}

/** `{data: […]}` of OpenAI, `{models: […]}` of Ollama and Gemini, or the bare list of Together. */
function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value['data'])) return value['data'];
  if (Array.isArray(value['models'])) return value['models'];
  // An Ollama without any model answers with `data: null`.
  return value['data'] === null && value['object'] === 'list' ? [] : undefined;
}

function readModel(entry: JsonObject): ListedModel[] {
  const id = (asString(entry['id']) ?? asString(entry['model']) ?? asString(entry['name']) ?? '').trim();
  if (id === '' || isNoChatModel(entry)) return [];
  const name = asString(entry['display_name']) ?? asString(entry['name']);
  const facts = {
    maxInputTokens: contextOf(entry),
    maxOutputTokens: firstCount([
      entry['max_output_tokens'],
      entry['max_completion_tokens'],
      entry['outputTokenLimit'],
      member(entry['top_provider'], 'max_completion_tokens'),
    ]),
    imageInput: readsImages(entry),
    toolCalling: callsTools(entry),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return [{ id, ...(name !== undefined && name !== id && { name }), ...known }];
}

/** The window under the names of LM Studio, vLLM, OpenRouter, Mistral, Groq, llama.cpp, Gemini and others. What is loaded counts before what could be. */
function contextOf(entry: JsonObject): number | undefined {
  const { meta, metadata, top_provider: provider } = entry;
  return firstCount([
    entry['loaded_context_length'],
    entry['max_model_len'],
    member(meta, 'n_ctx'),
    entry['n_ctx'],
    member(provider, 'context_length'),
    entry['context_length'],
    entry['max_context_length'],
    entry['context_window'],
    entry['max_input_tokens'],
    entry['inputTokenLimit'],
    member(metadata, 'context_length'),
    member(meta, 'n_ctx_train'),
  ]);
}

function firstCount(values: readonly unknown[]): number | undefined {
  for (const value of values)
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return Math.floor(value);
  return undefined;
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function readsImages(entry: JsonObject): boolean | undefined {
  const modalities = member(entry['architecture'], 'input_modalities') ?? entry['input_modalities'];
  if (Array.isArray(modalities)) return modalities.includes('image');
  if (entry['type'] === 'vlm') return true;
  return hasCapability(entry, ['vision', 'image_input', 'multimodal']);
}

function callsTools(entry: JsonObject): boolean | undefined {
  const parameters = entry['supported_parameters'];
  if (Array.isArray(parameters)) return parameters.includes('tools');
  return hasCapability(entry, ['tool_use', 'tools', 'function_calling', 'tool_calls']);
}

/** Capabilities come as a list of names, or as an object of switches. A list that lacks a name says nothing: many are incomplete. */
function hasCapability(entry: JsonObject, names: readonly string[]): boolean | undefined {
  const capabilities = entry['capabilities'];
  if (Array.isArray(capabilities)) return names.some((name) => capabilities.includes(name)) ? true : undefined;
  if (!isRecord(capabilities)) return undefined;
  const given = names.map((name) => capabilities[name]).find((value) => typeof value === 'boolean');
  return typeof given === 'boolean' ? given : undefined;
}

function isNoChatModel(entry: JsonObject): boolean {
  return (
    typeof entry['type'] === 'string' &&
    /^(embeddings?|rerank|image|audio|moderation|transcribe|speech)$/.test(entry['type'])
  );
}

function withoutRepetitions(models: readonly ListedModel[]): readonly ListedModel[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}
