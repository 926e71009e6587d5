import { asString, isRecord, type JsonObject } from './base/json.ts';
import { linkedController } from './base/abort.ts';
import { RpcError } from './mcp/errors.ts';
import { errorCode } from './mcp/jsonrpc.ts';
import type { AnswerWishes, ChatMessage, ChatModel, ModelPart } from './model/chatModel.ts';
import { countTokens } from './model/countTokens.ts';
import { ModelError } from './model/modelError.ts';
import { partsText } from './model/partsText.ts';
import { readBlock } from './tools/contentBlock.ts';

/** `sampling/createMessage` (MCP "Sampling"): a server asks the person's model. Pure but for the model. */

/** Estimates of tokens are inexact: beyond this much of the limit an answer is cut off here. */
const tolerance = 1.5;
const mostMessages = 1000;

/** What a server asks, read once. */
export interface SamplingRequest {
  readonly systemPrompt?: string;
  readonly messages: readonly ChatMessage[];
  readonly wishes: AnswerWishes;
  /** Names of models, or parts of names, that the server would like best, in its order. */
  readonly hints: readonly string[];
}

/** Throws an RpcError −32602 for what is no request of this kind, or asks for tools, which are not declared. */
export function readSamplingRequest(params: unknown): SamplingRequest {
  if (!isRecord(params)) throw invalid('it has no parameters');
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences, tools } = params;
  if (tools !== undefined && !(Array.isArray(tools) && tools.length === 0)) {
    throw invalid('sampling with tools is not declared');
  }
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('it has no messages');
  if (messages.length > mostMessages) throw invalid(`it has more than ${mostMessages} messages`);
  const system = asString(systemPrompt)?.trim() ?? '';
  return {
    ...(system !== '' && { systemPrompt: system }),
    messages: messages.map(readMessage),
    wishes: {
      ...(typeof maxTokens === 'number' && maxTokens > 0 && { maxTokens: Math.floor(maxTokens) }),
      ...(typeof temperature === 'number' && { temperature }),
      ...(Array.isArray(stopSequences) && { stopSequences: stopSequences.filter(isText) }),
    },
    hints: hintsIn(modelPreferences),
  };
}

/** The first of `models` that a hint names, by the order of the hints; a hint may be a part of a name. */
export function hintedModel<T>(
  models: readonly T[],
  hints: readonly string[],
  namesOf: (model: T) => string[],
): T | undefined {
  for (const hint of hints) {
    const part = hint.toLowerCase();
    const found = models.find((model) => namesOf(model).some((name) => name.toLowerCase().includes(part)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Has the model answer. The result is that of `sampling/createMessage`. An endpoint that refuses the wishes is asked again
 * without temperature and stop sequences; limits are kept here where the model does not keep them. Throws `ModelError`.
 */
export async function answerSampling(
  model: ChatModel,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    return await ask(model, request, { wishes: request.wishes, signal });
  } catch (error) {
    const { maxTokens, ...others } = request.wishes;
    const isRefused = error instanceof ModelError && error.code === 'rejected' && Object.keys(others).length > 0;
    if (!isRefused) throw error;
    const wishes = maxTokens === undefined ? {} : { maxTokens };
    return await ask(model, request, { wishes, signal });
  }
}

async function ask(
  model: ChatModel,
  request: SamplingRequest,
  { wishes, signal }: { readonly wishes: AnswerWishes; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const { systemPrompt } = request;
  const messages =
    systemPrompt === undefined
      ? request.messages
      : [{ role: 'system', text: systemPrompt } as const, ...request.messages];
  const { controller, release } = linkedController(signal);
  let text = '';
  let stopReason = 'endTurn';
  try {
    for await (const event of model.stream({ messages, tools: [], signal: controller.signal, wishes })) {
      if (event.kind === 'finish' && event.reason === 'length') stopReason = 'maxTokens';
      if (event.kind !== 'text-delta') continue;
      text += event.text;
      const end = endOf(text, event.text.length, request.wishes);
      if (end === undefined) continue;
      ({ text, stopReason } = end);
      break;
    }
  } finally {
    controller.abort();
    release();
  }
  return { role: 'assistant', content: { type: 'text', text }, model: model.id, stopReason };
}

/** Where an answer has to end, of which the last `added` characters are new. */
function endOf(
  text: string,
  added: number,
  { maxTokens, stopSequences = [] }: AnswerWishes,
): { readonly text: string; readonly stopReason: string } | undefined {
  for (const sequence of stopSequences) {
    const place = text.indexOf(sequence, Math.max(0, text.length - added - sequence.length));
    if (place >= 0) return { text: text.slice(0, place), stopReason: 'stopSequence' };
  }
  if (maxTokens === undefined || text.length < maxTokens || countTokens(text) <= maxTokens * tolerance)
    return undefined;
  return { text, stopReason: 'maxTokens' };
}

function readMessage(value: unknown): ChatMessage {
  if (!isRecord(value)) throw invalid('a message is no object');
  const { role, content } = value;
  const blocks = Array.isArray(content) ? content : [content];
  if (blocks.some((block) => isRecord(block) && (block['type'] === 'tool_use' || block['type'] === 'tool_result'))) {
    throw invalid('sampling with tools is not declared');
  }
  const parts = blocks.flatMap((block): readonly ModelPart[] => readBlock(block));
  if (role !== 'assistant') return { role: 'user', content: parts };
  const text = partsText(parts);
  return { role: 'assistant', text, toolCalls: [] };
}

function hintsIn(preferences: unknown): readonly string[] {
  const hints = isRecord(preferences) && Array.isArray(preferences['hints']) ? preferences['hints'] : [];
  return hints.flatMap((hint) => (isRecord(hint) && isText(hint['name']) ? [hint['name']] : [])).slice(0, 20);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function invalid(reason: string): RpcError {
  return new RpcError(errorCode.invalidParams, `sampling/createMessage: ${reason}`);
}
