import { onAbort } from '../base/abort.ts';
import type { ChatModel, ChatRequest, ModelEvent, ModelToolCall } from '../model/chatModel.ts';
import type { AgentEvent } from './agentEvent.ts';

/** A call as the model asked for it. `invalid` must not run: its arguments are no JSON object, and `reason` says why. */
export type AskedCall =
  | ({ readonly kind: 'call' } & ModelToolCall)
  | {
      readonly kind: 'invalid';
      readonly id: string;
      readonly name: string;
      readonly text: string;
      readonly reason: string;
    };

type Finish = Extract<ModelEvent, { kind: 'finish' }>['reason'];

/** One answer of a model, as far as it came. `error` is what broke it, `cancelled` when we gave it up. */
export interface ModelAnswer {
  text: string;
  reasoning: string;
  readonly calls: AskedCall[];
  finish: Finish | 'cancelled' | 'error';
  error?: unknown;
  inputTokens?: number;
  outputTokens?: number;
}

/** Asks the model once and tells its words as they come. Ends at once when the request's signal says so. Fills `answer`; never throws. */
export async function* readAnswer(
  model: ChatModel,
  request: ChatRequest,
  answer: ModelAnswer,
): AsyncGenerator<AgentEvent, void, undefined> {
  const pieces = startStream(model, request, answer);
  if (!pieces) return;
  try {
    for (;;) {
      const event = await nextOf(pieces, request.signal);
      if (event === 'cancelled') {
        answer.finish = 'cancelled';
        return;
      }
      if (event === undefined) return;
      const told = take(event, answer);
      if (told) yield told;
    }
  } catch (error) {
    answer.finish = request.signal.aborted ? 'cancelled' : 'error';
    answer.error = error;
  } finally {
    // Not awaited: a stream that hangs must not keep the agent. What it still throws is of no interest to anybody.
    void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}

/** An answer that nothing has come of yet. */
export function emptyAnswer(): ModelAnswer {
  return { text: '', reasoning: '', calls: [], finish: 'interrupted' };
}

function startStream(
  model: ChatModel,
  request: ChatRequest,
  answer: ModelAnswer,
): AsyncIterator<ModelEvent> | undefined {
  try {
    return model.stream(request)[Symbol.asyncIterator]();
  } catch (error) {
    answer.finish = 'error';
    answer.error = error;
    return undefined;
  }
}

/** The next piece; undefined at the end, `cancelled` as soon as `signal` says so. */
async function nextOf(
  pieces: AsyncIterator<ModelEvent>,
  signal: AbortSignal,
): Promise<ModelEvent | undefined | 'cancelled'> {
  if (signal.aborted) return 'cancelled';
  let link: { dispose(): void } | undefined;
  const cancelled = new Promise<'cancelled'>((resolve) => {
    link = onAbort(signal, () => resolve('cancelled'));
  });
  try {
    const next = await Promise.race([pieces.next(), cancelled]);
    if (next === 'cancelled') return next;
    return next.done === true ? undefined : next.value;
  } finally {
    link?.dispose();
  }
}

/** Adds one piece to the answer. Returns what to tell of it. */
function take(event: ModelEvent, answer: ModelAnswer): AgentEvent | undefined {
  switch (event.kind) {
    case 'text-delta':
      answer.text += event.text;
      return event.text === '' ? undefined : event;
    case 'reasoning-delta':
      answer.reasoning += event.text;
      return undefined;
    case 'tool-call':
      answer.calls.push({ ...event, kind: 'call' });
      return undefined;
    case 'invalid-tool-call':
      answer.calls.push({ ...event, kind: 'invalid' });
      return undefined;
    case 'usage':
      return takeUsage(event, answer);
    case 'notice':
      return event;
    case 'finish':
      answer.finish = event.reason;
      return undefined;
  }
}

function takeUsage(event: Extract<ModelEvent, { kind: 'usage' }>, answer: ModelAnswer): undefined {
  answer.inputTokens = event.inputTokens ?? answer.inputTokens;
  answer.outputTokens = event.outputTokens ?? answer.outputTokens;
}
