/** The built-in model: rules instead of a language model, no network, no account. */
import type { ChatModel, ChatRequest, ModelEvent } from '../chatModel.ts';

/**
 * A rule-based planner as a `ChatModel`. It keeps nothing between calls: where it stands is derived from the request's
 * history each time. `stream` throws the signal's reason where it is aborted, nothing else.
 */
export function plannerModel(): ChatModel {
  return {
    id: 'planner',
    label: 'Planner (built in, rule-based)',
    maxInputTokens: 1_000_000,
    imageInput: false,
    maxTools: Infinity,
    stream,
  };
}

async function* stream(request: ChatRequest): AsyncIterable<ModelEvent> {
  request.signal.throwIfAborted();
  // The rules are a chunk of their own, read when the planner is first asked.
  const { replyTo } = await import('./replyTo.ts');
  request.signal.throwIfAborted();
  const { text, call } = replyTo(request.messages, toolsFor(request));
  if (text !== '') yield { kind: 'text-delta', text };
  if (call !== undefined) yield { kind: 'tool-call', id: freshId(request), name: call.name, arguments: call.arguments };
  yield { kind: 'finish', reason: call === undefined ? 'stop' : 'tool-calls' };
}

/** Resources are read when a person speaks of them: their two tools would answer to "list" and "read" of anything. */
function toolsFor({ messages, tools }: ChatRequest): ChatRequest['tools'] {
  const prompt = messages.findLast(({ role }) => role === 'user');
  const text =
    prompt?.role === 'user' ? prompt.content.map((part) => (part.kind === 'text' ? part.text : '')).join(' ') : '';
  if (/\bresources?\b|资源|\b[a-z][a-z0-9+.-]*:\/\//i.test(text)) return tools;
  return tools.filter(({ name }) => name !== 'list_resources' && name !== 'read_resource');
}

/** An id that no call of the history has. */
function freshId({ messages }: ChatRequest): string {
  const taken = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [])),
  );
  let number = taken.size + 1;
  while (taken.has(`planner_${number}`)) number += 1;
  return `planner_${number}`;
}
