import { setTimeout as sleep } from 'node:timers/promises';
import { onAbort } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { httpExchange, type HttpSend } from '../../base/httpExchange.ts';
import type { Tap } from '../../base/tap.ts';
import type { ChatModel } from '../chatModel.ts';
import { endpointOf } from './endpoint.ts';
import { usualLimits, type ModelLimits } from './modelLimits.ts';
import { ModelRequests } from './modelRequests.ts';
import type { RetryPolicy } from './retryPolicy.ts';

/** An OpenAI-compatible endpoint and one of its models. */
export interface OpenaiModelOptions {
  /** The endpoint's name for messages and the wire record; default its host. */
  readonly name?: string;
  /** The base address, `http://127.0.0.1:11434/v1`; `/chat/completions` is appended, a query stays. */
  readonly url: string;
  /** The endpoint's own name of the model. */
  readonly id: string;
  /** The name people see; default `id`. */
  readonly label?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens; default 32,768. */
  readonly maxInputTokens?: number;
  /** Tokens; sent to the endpoint only where it is set. */
  readonly maxOutputTokens?: number;
  /** Whether the model reads images. Default false. */
  readonly imageInput?: boolean;
  readonly tap?: Tap;
  readonly send?: HttpSend;
  readonly limits?: ModelLimits;
  readonly retry?: RetryPolicy;
  readonly clock?: Clock;
}

/**
 * A model behind an OpenAI-compatible endpoint. It keeps what the endpoint's refusals have taught (see `RequestForm`), so keep
 * it as long as the endpoint's settings stand. The tap is told of every request with its exchange.
 */
export function openaiModel(options: OpenaiModelOptions): ChatModel {
  const { maxInputTokens = 32_768, imageInput = false } = options;
  const requests = new ModelRequests({
    endpoint: endpointOf(options),
    model: options.id,
    imageInput,
    maxInputTokens,
    maxOutputTokens: options.maxOutputTokens,
    tap: options.tap,
    send: options.send ?? httpExchange,
    clock: options.clock ?? systemClock,
    limits: { ...usualLimits, ...options.limits },
    retry: { wait: pause, ...options.retry },
  });
  return {
    id: options.id,
    label: options.label ?? options.id,
    maxInputTokens,
    imageInput,
    recordsRequests: true,
    stream: (request) => requests.stream(request),
  };
}

/** Waits; ends early, without a word, when `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const link = onAbort(signal, () => ended.abort());
  try {
    await sleep(ms, undefined, { signal: ended.signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    link.dispose();
  }
}
