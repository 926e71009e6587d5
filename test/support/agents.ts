import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import { openAgent, type Agent, type AgentOptions } from '../../src/openAgent.ts';
import { checkEvents } from './agentRun.ts';

/** Things to close when a test ends, newest first. */
export class Closing {
  readonly #closes: (() => Promise<unknown>)[] = [];

  add<T extends { close(): Promise<unknown> }>(item: T): T {
    this.#closes.push(() => item.close());
    return item;
  }

  async all(): Promise<void> {
    for (const close of this.#closes.splice(0).toReversed()) await close();
  }
}

/** An agent that is closed with the test. */
export function agentOf(closing: Closing, options: Partial<AgentOptions>): Agent {
  return closing.add(openAgent({ servers: {}, model: 'planner', env: { PATH: process.env.PATH ?? '' }, ...options }));
}

/** Runs one turn to its end. */
export async function turnOf(agent: Agent, prompt: string, signal?: AbortSignal): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.run(prompt, { signal })) events.push(event);
  checkEvents(events);
  return events;
}

/** The text of an answer. */
export function answerText(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.kind === 'text-delta' ? event.text : '')).join('');
}
