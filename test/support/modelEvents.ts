import type { ChatMessage, ChatModel, ChatRequest, ModelEvent, ModelTool } from '../../src/model/chatModel.ts';

/** A message of the person. */
export function user(text: string): ChatMessage {
  return { role: 'user', content: [{ kind: 'text', text }] };
}

/** A tool that takes anything. */
export function tool(name: string, inputSchema: Readonly<Record<string, unknown>> = { type: 'object' }): ModelTool {
  return { name, description: `Does ${name}.`, inputSchema };
}

/** A request with defaults for what a test does not care about. */
export function chatRequest(request: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [user('hello')], tools: [], signal: new AbortController().signal, ...request };
}

/** Reads a stream to its end. Rejects as the stream does. */
export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Asks a model once. */
export function ask(model: ChatModel, request: Partial<ChatRequest> = {}): Promise<ModelEvent[]> {
  return collect(model.stream(chatRequest(request)));
}

/** The text of an answer. */
export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.kind === 'text-delta' ? event.text : '')).join('');
}

/** The thoughts of an answer. */
export function reasoningOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.kind === 'reasoning-delta' ? event.text : '')).join('');
}

/** The calls of an answer, valid and invalid. */
export function callsOf(
  events: readonly ModelEvent[],
): Extract<ModelEvent, { kind: 'tool-call' | 'invalid-tool-call' }>[] {
  return events.filter((event) => event.kind === 'tool-call' || event.kind === 'invalid-tool-call');
}

/** How an answer ended. */
export function finishOf(events: readonly ModelEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.kind === 'finish' ? last.reason : undefined;
}

/** The notices of an answer. */
export function noticesOf(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));
}
