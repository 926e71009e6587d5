/** The shapes that cross the wire of an OpenAI-compatible endpoint: what is sent as the endpoint wants it, what arrives as we read it. */
import type { JsonObject } from '../../base/json.ts';

/** A part of a message with more than text. */
export type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A tool call in the history. `arguments` is JSON text; `extra_content` goes back as the endpoint sent it. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: unknown;
}

/** A message of `/chat/completions`. */
export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly WirePart[] }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly reasoning_details?: readonly unknown[];
      readonly tool_calls?: readonly WireToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A piece of a tool call as one chunk carries it. What the chunk does not say is absent or empty. */
export interface CallPiece {
  readonly index?: number;
  readonly id: string;
  readonly name: string;
  /** Argument text; an object is given as its JSON text. */
  readonly arguments: string;
  readonly extra?: JsonObject;
}

/** Figures of an answer, in tokens. */
export interface WireUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
}

/** What one chunk, or one whole completion, says. */
export interface ReadChunk {
  /** True where the chunk has a choice, be it empty: the model has begun to answer. */
  readonly hasChoice: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallPiece[];
  /** Thoughts that only the provider can read, and wants back with the calls that followed from them. */
  readonly sealedThoughts: readonly JsonObject[];
  /** The chunk repeats all that was said so far, as `message` does at the end of some streams. */
  readonly isWhole: boolean;
  readonly finish: string;
  readonly usage?: WireUsage;
}
