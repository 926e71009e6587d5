import type { HttpSend } from '../../base/httpExchange.ts';
import type { Tap } from '../../base/tap.ts';
import type { ChatModel } from '../chatModel.ts';

/** How long an endpoint may be silent, in milliseconds. Any byte counts as life, keep-alive comments too. */
export interface ModelLimits {
  /** Until the first piece of the answer; local models load slowly. Default 120,000. */
  readonly firstPieceMs?: number;
  /** From piece to piece. Default 60,000. */
  readonly nextPieceMs?: number;
}

export interface OpenaiModelOptions {
  /** The endpoint's name for messages and the wire record; default its host. */
  readonly name?: string;
  /** The base address, `http://127.0.0.1:11434/v1`; `/chat/completions` is appended. */
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
}

/** A model behind an OpenAI-compatible endpoint. */
export function openaiModel(options: OpenaiModelOptions): ChatModel {
  return {
    id: options.id,
    label: options.label ?? options.id,
    maxInputTokens: options.maxInputTokens ?? 32_768,
    imageInput: options.imageInput ?? false,
    stream: () => {
      throw new Error(`not built yet: ${options.url}`);
    },
  };
}
