import { createHash } from 'node:crypto';
import type { ChatMessage, ModelPart, ModelToolCall } from '../chatModel.ts';
import { imageKey, type RequestForm } from './requestForm.ts';
import { wellFormed } from './wellFormed.ts';
import type { WireMessage, WirePart, WireToolCall } from './wireTypes.ts';

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;
type ImagePart = Extract<ModelPart, { kind: 'image' }>;

/** Messages in the endpoint's form. */
export interface EncodedMessages {
  readonly messages: readonly WireMessage[];
  /** The images that are in them, by `imageKey`. */
  readonly images: readonly string[];
  /** True where an image had to be left out. */
  readonly leftOut: boolean;
}

/**
 * Puts a conversation into the messages of the wire. The same messages give the same result, and a longer conversation
 * begins with the result of a shorter one, so that an endpoint's prompt cache hits. No message is empty: some endpoints refuse that.
 */
export function encodeMessages(messages: readonly ChatMessage[], form: RequestForm): EncodedMessages {
  const encoder = new MessageEncoder(form);
  for (const message of messages) encoder.add(message);
  return encoder.finish();
}

/** Results may hold text alone; their images follow in a message of the person, after the last result of the step. */
class MessageEncoder {
  readonly #form: RequestForm;
  readonly #messages: WireMessage[] = [];
  readonly #images: string[] = [];
  #pending: WirePart[] = [];
  #leftOut = false;

  constructor(form: RequestForm) {
    this.#form = form;
  }

  add(message: ChatMessage): void {
    if (message.role !== 'tool') this.#releaseImages();
    switch (message.role) {
      case 'system':
        this.#messages.push({ role: 'system', content: message.text });
        break;
      case 'user':
        this.#messages.push({ role: 'user', content: this.#userContent(message.content) });
        break;
      case 'assistant':
        this.#messages.push(assistantMessage(message, this.#form));
        break;
      case 'tool':
        this.#messages.push(this.#toolMessage(message));
        break;
    }
  }

  finish(): EncodedMessages {
    this.#releaseImages();
    let messages: readonly WireMessage[] = this.#messages;
    if (!this.#form.systemRole) messages = withoutSystemRole(messages);
    if (this.#form.alternating) messages = mergeNeighbours(messages);
    return { messages, images: this.#images, leftOut: this.#leftOut };
  }

  #userContent(content: readonly ModelPart[]): string | readonly WirePart[] {
    const parts = content.map((part) => (part.kind === 'text' ? textPart(part.text) : this.#imagePart(part)));
    const filled = parts.filter((part) => part.type !== 'text' || part.text !== '');
    if (filled.length === 0) return '(empty message)';
    return filled.some((part) => part.type !== 'text') ? filled : joinTexts(filled);
  }

  #toolMessage(message: ToolMessage): WireMessage {
    const texts: string[] = [];
    let pictures = 0;
    for (const part of message.content) {
      const encoded = part.kind === 'text' ? textPart(part.text) : this.#imagePart(part);
      if (encoded.type === 'text') texts.push(encoded.text);
      else {
        pictures++;
        this.#pending.push(
          textPart(`Image from the result of ${message.name} (${wireId(message.callId, this.#form)}):`),
          encoded,
        );
      }
    }
    if (pictures > 0)
      texts.push(
        pictures === 1 ? '(An image follows in the next message.)' : `(${pictures} images follow in the next message.)`,
      );
    return {
      role: 'tool',
      tool_call_id: wireId(message.callId, this.#form),
      content: markError(texts, message.isError),
    };
  }

  #imagePart(image: ImagePart): WirePart {
    const key = imageKey(image);
    if (!this.#form.images || this.#form.refusedImages.has(key)) {
      this.#leftOut = true;
      return textPart(
        `[An image (${image.mimeType}, ${sizeOf(image.data)}) was left out: this model did not take it.]`,
      );
    }
    this.#images.push(key);
    return { type: 'image_url', image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
  }

  #releaseImages(): void {
    if (this.#pending.length > 0) this.#messages.push({ role: 'user', content: this.#pending });
    this.#pending = [];
  }
}

function assistantMessage(message: Extract<ChatMessage, { role: 'assistant' }>, form: RequestForm): WireMessage {
  const { text, toolCalls, reasoning } = message;
  const thoughts = form.reasoning ? { reasoning_content: reasoning ?? '' } : {};
  if (toolCalls.length === 0) return { role: 'assistant', content: text === '' ? '(no answer)' : text, ...thoughts };
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...thoughts,
    ...sealedThoughts(toolCalls),
    tool_calls: toolCalls.map((call) => wireCall(call, form)),
  };
}

function wireCall(call: ModelToolCall, form: RequestForm): WireToolCall {
  return {
    id: wireId(call.id, form),
    type: 'function',
    function: { name: wireName(call.name), arguments: wellFormed(JSON.stringify(call.arguments)) },
    ...extraOf(call, form),
  };
}

/** A model may have asked for a name that no tool can have; in the history such a name would have every later request refused. */
function wireName(name: string): string {
  const cleaned = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return cleaned === '' ? 'unnamed' : cleaned;
}

/** The value that Gemini documents for calls that are not its own. */
const foreignSignature = { google: { thought_signature: 'skip_thought_signature_validator' } } as const;

function extraOf(call: ModelToolCall, form: RequestForm): { readonly extra_content?: unknown } {
  const own = Object.entries(call.extra ?? {}).filter(([name]) => name !== 'reasoning_details');
  if (own.length > 0) return { extra_content: Object.fromEntries(own) };
  return form.signatures ? { extra_content: foreignSignature } : {};
}

/** What came with the answer as a whole and is kept with its first call. */
function sealedThoughts(calls: readonly ModelToolCall[]): { readonly reasoning_details?: readonly unknown[] } {
  const details = calls.flatMap((call) => {
    const sealed = call.extra?.['reasoning_details'];
    return Array.isArray(sealed) ? sealed : [];
  });
  return details.length > 0 ? { reasoning_details: details } : {};
}

/** Ids of other endpoints may be too long or hold characters that this one refuses; such an id is replaced by its hash. */
function wireId(id: string, form: RequestForm): string {
  const accepted = form.shortIds ? /^[a-zA-Z0-9]{9}$/ : /^[a-zA-Z0-9_-]{1,40}$/;
  return accepted.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

/** The wire has no mark for a failed call, so the text says it. */
function markError(texts: readonly string[], isError: boolean): string {
  const text = texts.filter((each) => each !== '').join('\n');
  if (!isError) return text === '' ? '(The tool returned nothing.)' : text;
  if (text === '') return 'Error: the tool failed without a message.';
  return /^\W{0,3}error/i.test(text) ? text : `Error: ${text}`;
}

function textPart(text: string): Extract<WirePart, { type: 'text' }> {
  return { type: 'text', text };
}

function joinTexts(parts: readonly WirePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The size of what Base64 text stands for. */
function sizeOf(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4);
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

function withoutSystemRole(messages: readonly WireMessage[]): readonly WireMessage[] {
  const asUser = messages.map((message): WireMessage =>
    message.role === 'system' ? { role: 'user', content: message.content } : message,
  );
  return mergeNeighbours(asUser);
}

function mergeNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      merged[merged.length - 1] = { role: 'user', content: joinContents(last.content, message.content) };
    } else merged.push(message);
  }
  return merged;
}

function joinContents(
  one: string | readonly WirePart[],
  other: string | readonly WirePart[],
): string | readonly WirePart[] {
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`;
  return [...toParts(one), ...toParts(other)];
}

function toParts(content: string | readonly WirePart[]): readonly WirePart[] {
  return typeof content === 'string' ? [textPart(content)] : content;
}
