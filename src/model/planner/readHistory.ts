/** The conversation as turns: what was asked, what was called, what was answered. */
import type { ChatMessage, ModelToolCall } from '../chatModel.ts';
import { readResult, type Result } from './readResult.ts';

/** What was asked once, and what came of it. */
export interface Turn {
  readonly request: string;
  readonly results: readonly Result[];
  /** The last words of the assistant in this turn. */
  readonly answer: string;
}

interface OpenTurn {
  request: string;
  results: Result[];
  answer: string;
}

/** The turns in order; the last is the one that runs. */
export function readHistory(messages: readonly ChatMessage[]): Turn[] {
  const turns: OpenTurn[] = [];
  const calls = new Map<string, ModelToolCall>();
  for (const message of messages) {
    if (message.role === 'user') {
      const request = message.content
        .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
        .join('\n')
        .trim();
      turns.push({ request, results: [], answer: '' });
    }
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    if (message.role === 'assistant') {
      turn.answer = message.text;
      for (const call of message.toolCalls) calls.set(call.id, call);
    }
    if (message.role === 'tool') {
      const call = calls.get(message.callId) ?? { id: message.callId, name: message.name, arguments: {} };
      turn.results.push(readResult(call, message.content, message.isError));
    }
  }
  return turns;
}
