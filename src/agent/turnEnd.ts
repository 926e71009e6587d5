import { messageOf } from '../base/caught.ts';
import type { AgentEvent } from './agentEvent.ts';
import type { AgentTexts } from './agentTexts.ts';
import type { ModelAnswer } from './modelAnswer.ts';

/** How a turn ended. */
export type Done = Extract<AgentEvent, { kind: 'done' }>;

/** How a turn ends with an answer that asks for nothing more, and what a person should know of it. `label` names the model. */
export function endOf(
  answer: ModelAnswer,
  label: string,
  texts: AgentTexts,
): { readonly done: Done; readonly notice?: string } {
  const { finish, text, calls } = answer;
  switch (finish) {
    case 'cancelled':
      return { done: { kind: 'done', reason: 'cancelled' } };
    case 'error':
      return { done: { kind: 'done', reason: 'error', error: messageOf(answer.error) } };
    case 'interrupted':
      return { done: { kind: 'done', reason: 'error', error: texts.brokeOff(label, calls.length) } };
    case 'length':
      return stop(texts.cutOff(label));
    case 'content-filter':
      return stop(texts.withheld(label));
    case 'stop':
    case 'tool-calls':
      return stop(text.trim() === '' ? texts.emptyAnswer(label) : undefined);
  }
}

/** True where the endpoint said that the request is beyond its window, and nothing of an answer came. */
export function isTooLarge({ error, text, calls }: ModelAnswer): boolean {
  return error instanceof Error && 'code' in error && error.code === 'too-large' && text === '' && calls.length === 0;
}

function stop(notice: string | undefined): { readonly done: Done; readonly notice?: string } {
  return { done: { kind: 'done', reason: 'stop' }, ...(notice !== undefined && { notice }) };
}
