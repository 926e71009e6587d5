import { onAbort } from '../base/abort.ts';
import { messageOf } from '../base/caught.ts';
import { refusedCall } from '../model/chatModel.ts';
import { failedOutcome, type ToolOutcome } from '../tools/tool.ts';
import type { AgentEvent } from './agentEvent.ts';
import type { Attempt } from './attempt.ts';
import type { CallToCarryOut, CarryOut, RunCall } from './carryOut.ts';
import type { AskedCall } from './modelAnswer.ts';
import { nearestNames } from './nearestNames.ts';
import type { Repetition } from './repetition.ts';
import type { ToolLookup } from './toolLookup.ts';

/** Arguments that are no JSON are quoted to the model up to so many characters. */
const longestQuote = 400;
const namesToList = 30;

/** What a call is carried out with. */
export interface CallContext {
  /** By offered name. */
  readonly tools: ToolLookup;
  readonly carryOut: CarryOut;
  readonly repetition: Repetition;
  /** Where calls are noted, and those of an earlier attempt are found. */
  readonly attempt: Attempt;
  readonly signal: AbortSignal;
  /** `onTaken` is called as the reader of the events is handed this one. */
  readonly tell: (event: AgentEvent, onTaken?: () => void) => void;
}

type ToldCall = CallContext & { readonly told: Promise<void> };

/** Takes one call of the model to its end: one `tool-start`, one `tool-end`, one outcome, whatever fails. Never throws. */
export async function runToolCall(call: AskedCall, context: CallContext): Promise<ToolOutcome> {
  const definition = context.tools.get(call.name);
  const question = {
    callId: call.id,
    name: call.name,
    server: definition?.server ?? '',
    tool: definition?.tool ?? call.name,
    arguments: argumentsOf(call),
  };
  const told = new Promise<void>((resolve) => {
    // The event has yet to pass through the generators above: a turn of the event loop later it is with its reader.
    context.tell({ kind: 'tool-start', ...question, arguments: argumentsOf(call) }, () => setImmediate(resolve));
  });
  const outcome = await outcomeOf(call, definition && { ...question, definition }, { ...context, told });
  context.tell({ kind: 'tool-end', callId: call.id, isError: outcome.isError, content: outcome.content });
  return outcome;
}

/** A copy of its own for each who sees them: what somebody does to theirs must not change what is run or remembered. */
function argumentsOf(call: AskedCall): Record<string, unknown> {
  return call.kind === 'call' ? structuredClone({ ...call.arguments }) : {};
}

async function outcomeOf(call: AskedCall, known: CallToCarryOut | undefined, context: ToldCall): Promise<ToolOutcome> {
  if (context.signal.aborted) return stopped(false);
  const args = call.kind === 'call' ? call.arguments : call.text;
  const refusal = context.repetition.refusal(call.name, args);
  if (refusal !== undefined) return failedOutcome(refusal);
  const outcome = await judge(call, known, context);
  const word = context.signal.aborted ? undefined : context.repetition.note(call.name, args, outcome);
  return word === undefined ? outcome : { ...outcome, parts: [...outcome.parts, { kind: 'text', text: word }] };
}

async function judge(call: AskedCall, known: CallToCarryOut | undefined, context: ToldCall): Promise<ToolOutcome> {
  if (!known) return failedOutcome(unknownTool(call.name, context.tools.names()));
  if (call.kind === 'invalid') return failedOutcome(invalidArguments(call.text, call.reason));
  try {
    return await carry(known, context);
  } catch (error) {
    const reason = messageOf(error);
    return failedOutcome(`The call could not be carried out: ${reason}`);
  }
}

/** Asks, shows and runs; or ends at once when the person stops. */
async function carry(call: CallToCarryOut, { carryOut, signal, tell, told, attempt }: ToldCall): Promise<ToolOutcome> {
  const isReadOnly = call.definition.annotations.readOnlyHint === true;
  // The agent's own tools cost nothing, and some of them do something for this conversation.
  const isOwn = call.definition.server === '';
  const earlier = isOwn ? undefined : attempt.reuse(call.name, call.arguments, isReadOnly);
  const progress = { hasLeft: false, isOver: false };
  const onProgress = (message: string): void => {
    if (!progress.isOver) tell({ kind: 'tool-progress', callId: call.callId, message });
  };
  const run: RunCall = async (edited) => {
    if (progress.isOver || progress.hasLeft) return failedOutcome('This call is over already.');
    if (signal.aborted) return stopped(false);
    if (earlier) return earlier;
    progress.hasLeft = true;
    return await call.definition.call(edited ?? call.arguments, { signal, callId: call.callId, onProgress });
  };
  try {
    const asked = earlier ? { ...call, isRepeated: true } : call;
    const end = await unlessAborted(carryOut(asked, run, signal, told), signal);
    const outcome = outcomeOfEnd(end, progress.hasLeft);
    if (progress.hasLeft && !isOwn) attempt.note(call.name, call.arguments, isReadOnly, outcome);
    return outcome;
  } finally {
    progress.isOver = true;
  }
}

function outcomeOfEnd(end: Awaited<ReturnType<CarryOut>> | 'aborted', hasLeft: boolean): ToolOutcome {
  if (end === 'aborted') return stopped(hasLeft);
  return 'denied' in end ? failedOutcome(denied(end.denied)) : end;
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> {
  let link: { dispose(): void } | undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    link = onAbort(signal, () => resolve('aborted'));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    link?.dispose();
  }
}

function stopped(hasLeft: boolean): ToolOutcome {
  if (!hasLeft) return failedOutcome('The user stopped the turn before this call was made. It was not run.');
  const text =
    'The user stopped this call before its result came. It may have run all the same: find out before you call it again.';
  return { ...failedOutcome(text), mayHaveRun: true };
}

function denied(reason: string): string {
  const because = reason.trim() === '' ? '' : ` The user says: ${reason.trim()}`;
  return `${refusedCall} It was not run.${because} Do not make it again unless the user asks for it.`;
}

function invalidArguments(text: string, reason: string): string {
  const quote = text.length > longestQuote ? `${text.slice(0, longestQuote)}… (${text.length} characters)` : text;
  return `Not run: the arguments were not a valid JSON object. ${reason}\nWhat arrived: ${quote}\nMake the call again with one complete JSON object.`;
}

function unknownTool(name: string, names: readonly string[]): string {
  if (names.length === 0) return `There is no tool named "${name}". No tools are offered now.`;
  const nearest = nearestNames(name, names, namesToList);
  const all = nearest.length === names.length ? 'The tools are' : `The nearest of ${names.length} tools are`;
  return `There is no tool named "${name}". ${all}: ${nearest.join(', ')}. Use one of these names exactly.`;
}
