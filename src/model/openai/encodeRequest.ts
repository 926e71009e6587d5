import type { AnswerWishes, ChatMessage, ModelTool } from '../chatModel.ts';
import { encodeMessages } from './encodeMessages.ts';
import { encodeTools } from './encodeTools.ts';
import type { RequestForm } from './requestForm.ts';
import { wellFormed } from './wellFormed.ts';

/** The model and the form that a request is written for. */
export interface EncodeOptions {
  /** The endpoint's own name of the model. */
  readonly model: string;
  readonly form: RequestForm;
  /** Tokens. */
  readonly maxOutputTokens?: number;
}

/** A request as it is sent, and what is in it. */
export interface EncodedRequest {
  /** The JSON text of the body. */
  readonly body: string;
  /** The tools in it: the JSON text of each by its name, in their order. */
  readonly tools: ReadonlyMap<string, string>;
  /** Whether it limits the tokens of the answer. */
  readonly limitsOutput: boolean;
  /** The images in it, by `imageKey`. */
  readonly images: readonly string[];
  /** What a person should know: tools and images that are not in it. */
  readonly notices: readonly string[];
}

/** So many are taken by every endpoint. */
const mostStopSequences = 4;

/**
 * Writes a request's body. Pure, and stable in its bytes: what does not change stands first (settings, tools in the order given),
 * the messages last, so that the body of a task's next step begins with the bytes of this one.
 */
export function encodeRequest(
  request: {
    readonly messages: readonly ChatMessage[];
    readonly tools: readonly ModelTool[];
    readonly wishes?: AnswerWishes;
  },
  options: EncodeOptions,
): EncodedRequest {
  const { form, model } = options;
  const { maxTokens, temperature, stopSequences = [] } = request.wishes ?? {};
  const maxOutputTokens = least(options.maxOutputTokens, maxTokens);
  const encoded = encodeMessages(request.messages, form);
  const tools = encodeTools(request.tools, form);
  const members = [`"model":${JSON.stringify(model)}`, `"stream":${form.stream}`];
  if (form.stream && form.usage) members.push('"stream_options":{"include_usage":true}');
  const limitsOutput = maxOutputTokens !== undefined && form.outputLimit !== 'none';
  if (limitsOutput) members.push(`"${form.outputLimit}":${maxOutputTokens}`);
  if (temperature !== undefined) members.push(`"temperature":${JSON.stringify(temperature)}`);
  if (stopSequences.length > 0) members.push(`"stop":${JSON.stringify(stopSequences.slice(0, mostStopSequences))}`);
  if (tools.texts.size > 0) members.push(`"tools":[${[...tools.texts.values()].join(',')}]`);
  members.push(`"messages":[${encoded.messages.map((message) => JSON.stringify(message)).join(',')}]`);
  const notices = encoded.leftOut
    ? [...tools.notices, `The model ${model} did not take an image, so it was left out.`]
    : tools.notices;
  return {
    body: wellFormed(`{${members.join(',')}}`),
    tools: tools.texts,
    limitsOutput,
    images: encoded.images,
    notices,
  };
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
