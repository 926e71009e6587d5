/** The built-in model: rules instead of a language model, no network, no account. */
import type { ChatModel, ChatRequest, ModelEvent } from '../chatModel.ts';

/** A rule-based planner as a `ChatModel`. It keeps nothing between calls: each step is derived from the request's history. */
export function plannerModel(): ChatModel {
  return { id: 'planner', label: 'Planner (built in)', maxInputTokens: 1_000_000, imageInput: false, stream };
}

async function* stream(request: ChatRequest): AsyncIterable<ModelEvent> {
  request.signal.throwIfAborted();
  yield { kind: 'finish', reason: 'stop' };
}
