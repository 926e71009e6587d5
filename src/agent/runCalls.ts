import type { ToolOutcome } from '../tools/tool.ts';
import type { AgentEvent } from './agentEvent.ts';
import { EventQueue } from './eventQueue.ts';
import type { AskedCall } from './modelAnswer.ts';
import { runToolCall, type CallContext } from './runToolCall.ts';

/** So many calls run side by side; a server that gets hundreds at once answers none of them in time. */
const MOST_AT_ONCE = 16;

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
  const running = new Set<Promise<void>>();
  for (const [place, call] of calls.entries()) {
    const isFree = mayRunBeside(call);
    if (!isFree) await Promise.all(running);
    else if (running.size >= MOST_AT_ONCE) await Promise.race(running);
    const one = run(call, place).finally(() => running.delete(one));
    running.add(one);
    if (!isFree) await one;
  }
  await Promise.all(running);
}
