import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import { runAgent, type RunOptions } from '../../src/agent/agentLoop.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import type { ChatMessage, ChatModel } from '../../src/model/chatModel.ts';
import type { Tool } from '../../src/tools/tool.ts';

/** What a run is made of. */
export type RunParts = Partial<Omit<RunOptions, 'tools' | 'model'>> & {
  readonly model: ChatModel;
  readonly tools?: readonly Tool[] | (() => readonly Tool[]);
};

/** What a run told. */
export interface RunRecord {
  readonly events: readonly AgentEvent[];
  readonly conversation: Conversation;
}

/** Options of a run that allows every call. */
export function runOptions({ tools = [], ...more }: RunParts): RunOptions {
  return {
    conversation: new Conversation(),
    prompt: 'do it',
    carryOut: (_call, run) => run(),
    ...more,
    tools: typeof tools === 'function' ? tools : () => tools,
  };
}

/** Runs one turn to its end and checks what must hold of every turn. */
export async function runTurn(parts: RunParts): Promise<RunRecord> {
  const options = runOptions(parts);
  const events: AgentEvent[] = [];
  for await (const event of runAgent(options)) events.push(event);
  checkEvents(events);
  checkHistory(options.conversation.messages);
  return { events, conversation: options.conversation };
}

/** One start and one end for each call, in that order; `done` once, last. */
export function checkEvents(events: readonly AgentEvent[]): void {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const event of events) {
    if (event.kind === 'tool-start') {
      assert.ok(!seen.has(event.callId), `the id ${event.callId} is given once`);
      seen.add(event.callId);
      open.add(event.callId);
    }
    if (event.kind === 'tool-progress') assert.ok(open.has(event.callId), 'progress belongs to a running call');
    if (event.kind === 'tool-end') assert.ok(open.delete(event.callId), 'a call that ends has begun, and ends once');
    if (event.kind === 'done') assert.equal(open.size, 0, 'every call has ended before the turn is done');
  }
  assert.equal(events.filter(({ kind }) => kind === 'done').length, 1);
  assert.equal(events.at(-1)?.kind, 'done');
}

/** Each call is followed by its one result, in the order of the calls; ids are unique. */
export function checkHistory(messages: readonly ChatMessage[]): void {
  let expected: string[] = [];
  const seen = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(message.callId, expected.shift(), 'results follow in the order of the calls');
      assert.ok(message.content.length > 0, 'no result is empty');
      continue;
    }
    assert.deepEqual(expected, [], 'no call is left without a result');
    if (message.role !== 'assistant') continue;
    assert.ok(message.text !== '' || message.toolCalls.length > 0, 'no answer is empty');
    expected = message.toolCalls.map(({ id }) => id);
    for (const id of expected) {
      assert.ok(!seen.has(id), `the id ${id} is unique in the conversation`);
      seen.add(id);
    }
  }
  assert.deepEqual(expected, [], 'no call is left without a result');
}

/** The events in short: their text, or what they are about. */
export function outline(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    switch (event.kind) {
      case 'text-delta':
        return event.text;
      case 'notice':
        return `! ${event.text}`;
      case 'tool-start':
        return `start ${event.name}`;
      case 'tool-progress':
        return `progress ${event.message}`;
      case 'tool-end':
        return event.isError ? 'end with error' : 'end';
      case 'usage':
        return `usage ${event.inputTokens} ${event.outputTokens}`;
      case 'done':
        return `done ${event.reason}`;
    }
  });
}

/** The text of a message. */
export function messageText(message: ChatMessage | undefined): string {
  if (!message) return '';
  if (message.role === 'system' || message.role === 'assistant') return message.text;
  return message.content.map((part) => (part.kind === 'text' ? part.text : `<${part.mimeType}>`)).join('\n');
}

/** The results in a conversation, as text. */
export function resultTexts(conversation: Conversation): string[] {
  return conversation.messages.filter(({ role }) => role === 'tool').map(messageText);
}
