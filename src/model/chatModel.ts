/** The contract between the agent and any language model. It imports nothing. */

/** A piece of content that a model can read. Image `data` is Base64. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string };

/** A tool call as it stands in the history; its `id` is unique in the conversation. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the endpoint attached to the call and wants back unchanged (Gemini's thought signature). Keep it in the history. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** One message of a conversation, in no endpoint's form. */
export type ChatMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: readonly ModelPart[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** What the model thought before its tool calls. Sent back only to endpoints that insist on it. */
      readonly reasoning?: string;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly content: readonly ModelPart[];
      readonly isError: boolean;
    };

/** A tool as it is offered to a model: `name` matches `^[a-zA-Z0-9_-]{1,64}$`, `inputSchema` is the server's own, unaltered. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How the answer should be; an endpoint that does not know a wish leaves it. */
export interface AnswerWishes {
  /** Tokens. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** One request to a model. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  /** How the answer is to be made; a model that cannot do so makes it as usual. */
  readonly wishes?: AnswerWishes;
  /** Tags for the wire record: the turn's id and the step in it, from 1. */
  readonly turn?: string;
  readonly step?: number;
}

/**
 * What a model's answer consists of, in order of arrival.
 * `tool-call` comes once a call, when its arguments are complete and are a JSON object.
 * `invalid-tool-call` comes instead where they are not: the tool must not run, `text` is what arrived, `reason` a sentence for the model.
 * `finish` comes exactly once, last. `interrupted` means that the stream ended without saying so: what came before may be cut.
 */
export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'reasoning-delta'; readonly text: string }
  | ({ readonly kind: 'tool-call' } & ModelToolCall)
  | {
      readonly kind: 'invalid-tool-call';
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'usage';
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly cachedTokens?: number;
    }
  /** Something a person should know: a tool that this model cannot be offered, a request sent again without images … */
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'interrupted' };

/** A language model. `stream` throws `ModelError` for a request that failed; text and calls already yielded stay valid. */
export interface ChatModel {
  readonly id: string;
  /** The name people see. */
  readonly label: string;
  /** Tokens that a request may hold. */
  readonly maxInputTokens: number;
  readonly imageInput: boolean;
  /** Tools that a request may offer; default 128. `Infinity` where they cost nothing. */
  readonly maxTools?: number;
  /** True where the model itself tells the tap of its requests (`model-request`), with the exchange that carried each; else its user does. */
  readonly recordsRequests?: boolean;
  stream(request: ChatRequest): AsyncIterable<ModelEvent>;
}

/** The text of the result of a call that the person refused begins with this. */
export const refusedCall = 'The user did not allow this call.';
