import type { ChatMessage, ModelTool } from '../chatModel.ts';
import { encodeMessages } from './encodeMessages.ts';
import { encodeTools } from './encodeTools.ts';
import type { RequestForm } from './requestForm.ts';

export interface EncodeOptions {
  /** The endpoint's own name of the model. */
  readonly model: string;
  readonly form: RequestForm;
  /** Tokens. */
  readonly maxOutputTokens?: number;
}

export interface EncodedRequest {
  /** The JSON text of the body. */
  readonly body: string;
  /** The names of the tools in it, in their order. */
  readonly tools: readonly string[];
  /** The images in it, by `imageKey`. */
  readonly images: readonly string[];
  /** What a person should know: tools and images that are not in it. */
  readonly notices: readonly string[];
}

/**
 * Writes a request's body. Pure, and stable in its bytes: what does not change stands first (settings, tools in the order given),
 * the messages last, so that the body of a task's next step begins with the bytes of this one.
 */
export function encodeRequest(
  request: { readonly messages: readonly ChatMessage[]; readonly tools: readonly ModelTool[] },
  options: EncodeOptions,
): EncodedRequest {
  const { form, model, maxOutputTokens } = options;
  const encoded = encodeMessages(request.messages, form);
  const tools = encodeTools(request.tools, form);
  const members = [`"model":${JSON.stringify(model)}`, `"stream":${form.stream}`];
  if (form.stream && form.usage) members.push('"stream_options":{"include_usage":true}');
  if (maxOutputTokens !== undefined && form.outputLimit !== 'none')
    members.push(`"${form.outputLimit}":${maxOutputTokens}`);
  if (tools.texts.length > 0) members.push(`"tools":[${tools.texts.join(',')}]`);
  members.push(`"messages":[${encoded.messages.map((message) => JSON.stringify(message)).join(',')}]`);
  const notices = encoded.leftOut
    ? [...tools.notices, `The model ${model} did not take an image, so it was left out.`]
    : tools.notices;
  return { body: `{${members.join(',')}}`, tools: tools.names, images: encoded.images, notices };
}
