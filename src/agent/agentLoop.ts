import { randomUUID } from 'node:crypto';
import { linkedController } from '../base/abort.ts';
import type { AgentEvent } from './agentEvent.ts';
import type { RunOptions } from './runOptions.ts';
import { Turn } from './turn.ts';

export type { CallToCarryOut, CarryOut, RunCall } from './carryOut.ts';
export type { RunOptions } from './runOptions.ts';

/**
 * One turn: model, tool calls, results, model, until the model stops. Never throws: what fails is an event, and the last event is `done`.
 * Whenever it ends, also when the caller stops reading, everything that runs is cancelled and the conversation is fit for a next request.
 */
export async function* runAgent(options: RunOptions): AsyncGenerator<AgentEvent, void, undefined> {
  const { controller, release } = linkedController(options.signal);
  const turn = new Turn({ ...options, id: randomUUID(), signal: controller.signal });
  try {
    yield* turn.run();
  } finally {
    controller.abort();
    release();
  }
}
