/** Plays conversations with the planner over tools that answer from a function: the agent loop without the agent. */
import { plannerModel } from '../../../src/model/planner/plannerModel.ts';
import type { ChatMessage, ModelPart, ModelTool } from '../../../src/model/chatModel.ts';

export interface Answer {
  readonly text: string;
  readonly isError?: boolean;
}

/** What a tool answers: a text, or a text with `isError`. */
export type Run = (name: string, args: Record<string, unknown>) => Answer | string;

export interface Played {
  /** `[name, arguments]` in order. */
  readonly calls: readonly (readonly [string, Record<string, unknown>])[];
  readonly text: string;
  readonly messages: readonly ChatMessage[];
}

/** Plays one turn after `before`; at most 20 model calls. */
export async function play(
  prompt: string,
  tools: readonly ModelTool[],
  run: Run,
  before: readonly ChatMessage[] = [],
): Promise<Played> {
  const model = plannerModel();
  const messages: ChatMessage[] = [...before, { role: 'user', content: [{ kind: 'text', text: prompt }] }];
  const calls: [string, Record<string, unknown>][] = [];
  let whole = '';
  for (let step = 0; step < 20; step += 1) {
    const { text, call } = await collect(model.stream({ messages, tools, signal: new AbortController().signal }));
    whole += text;
    messages.push({ role: 'assistant', text, toolCalls: call === undefined ? [] : [call] });
    if (call === undefined) return { calls, text: whole, messages };
    calls.push([call.name, call.arguments]);
    const answer = run(call.name, call.arguments);
    const content: ModelPart[] = [{ kind: 'text', text: typeof answer === 'string' ? answer : answer.text }];
    messages.push({
      role: 'tool',
      callId: call.id,
      name: call.name,
      content,
      isError: typeof answer !== 'string' && answer.isError === true,
    });
  }
  throw new Error(`The planner does not come to an end: ${JSON.stringify(calls)}`);
}

interface Collected {
  text: string;
  call?: { id: string; name: string; arguments: Record<string, unknown> };
}

async function collect(events: ReturnType<ReturnType<typeof plannerModel>['stream']>): Promise<Collected> {
  const collected: Collected = { text: '' };
  for await (const event of events) {
    if (event.kind === 'text-delta') collected.text += event.text;
    if (event.kind === 'tool-call')
      collected.call = { id: event.id, name: event.name, arguments: { ...event.arguments } };
  }
  return collected;
}

/** A tool with an object schema made of `properties`; all of them required unless named in `optional`. */
export function tool(
  name: string,
  description: string,
  properties: Record<string, unknown> = {},
  optional: readonly string[] = [],
): ModelTool {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { name, description, inputSchema: { type: 'object', properties, required } };
}
