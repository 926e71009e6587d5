import type { Tap, TapSource } from '../base/tap.ts';
import type { ChatModel, ChatRequest } from '../model/chatModel.ts';
import type { ModelAnswer } from './modelAnswer.ts';

/** Where a model turn stands in the wire record. */
export interface ModelStep {
  readonly turn: string;
  readonly step: number;
  readonly model: ChatModel;
}

/** Tells the tap of a request, unless the model does that itself together with the exchange that carries it. */
export function tellRequest(tap: Tap | undefined, at: ModelStep, { messages, tools }: ChatRequest): void {
  if (!tap || at.model.recordsRequests === true) return;
  const body = { messages, tools };
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const { turn, step } = at;
  const { id: model, maxInputTokens } = at.model;
  tap({ ...sourceOf(at), kind: 'model-request', turn, step, model, maxInputTokens, logical: true, body, bytes });
}

/** Tells the tap of an answer, as far as it came. */
export function tellAnswer(tap: Tap | undefined, at: ModelStep, answer: ModelAnswer): void {
  const { turn, step } = at;
  const { text, finish, inputTokens, outputTokens } = answer;
  const toolCalls = answer.calls.map((call) => ({
    id: call.id,
    name: call.name,
    arguments: call.kind === 'call' ? call.arguments : call.text,
  }));
  tap?.({ ...sourceOf(at), kind: 'model-answer', turn, step, text, toolCalls, finish, inputTokens, outputTokens });
}

function sourceOf({ turn, model }: ModelStep): TapSource {
  return { connection: turn, server: model.label, peer: 'model' };
}
