import type { ToolOutcome } from '../tools/tool.ts';
import type { AgentEvent } from './agentEvent.ts';
import { EventQueue } from './eventQueue.ts';
import type { AskedCall } from './modelAnswer.ts';
import { runToolCall, type CallContext } from './runToolCall.ts';

/** The calls of one answer. */
export interface CallsToRun {
  readonly calls: readonly AskedCall[];
  readonly context: Omit<CallContext, 'tell'>;
  /** Whether a call may run beside its neighbours that may too. One that may not has all before it finished, and none after it begun. */
  readonly mayRunBeside: (call: AskedCall) => boolean;
  /** Filled with each outcome at the place of its call. */
  readonly outcomes: (ToolOutcome | undefined)[];
}

/** Runs the calls of one answer and tells their events as they come. A failing call does not touch the others. */
export async function* runCalls(work: CallsToRun): AsyncGenerator<AgentEvent, void, undefined> {
  const queue = new EventQueue<AgentEvent>();
  const context = { ...work.context, tell: (event: AgentEvent, onTaken?: () => void) => queue.push(event, onTaken) };
  const all = runInOrder(work, async (call, place) => {
    work.outcomes[place] = await runToolCall(call, context);
  });
  const end = (): void => queue.end();
  void all.then(end, end);
  yield* queue;
  await all;
}

async function runInOrder(
  { calls, mayRunBeside }: CallsToRun,
  run: (call: AskedCall, place: number) => Promise<void>,
): Promise<void> {
  let running: Promise<void>[] = [];
  for (const [place, call] of calls.entries()) {
    const isFree = mayRunBeside(call);
    if (!isFree) await Promise.all(running.splice(0));
    running.push(run(call, place));
    if (!isFree) await Promise.all(running.splice(0));
  }
  await Promise.all(running);
}
