import type { Tap } from '../base/tap.ts';
import type { ChatModel, ModelPart } from '../model/chatModel.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import type { AgentEvent, ApprovalQuestion } from './agentEvent.ts';
import type { Conversation } from './conversation.ts';

/** A call that is about to be carried out. `definition.server` is empty for the agent's own tools, which need no approval. */
export type CallToCarryOut = ApprovalQuestion & { readonly definition: Tool };

/**
 * How a call is asked about, shown and run: calls `run` at most once, and only when it may run. Must settle soon after `signal`.
 * A throw is taken for a refusal.
 */
export type CarryOut = (
  call: CallToCarryOut,
  run: () => Promise<ToolOutcome>,
  signal: AbortSignal,
) => Promise<ToolOutcome | { readonly denied: string }>;

export interface RunOptions {
  readonly model: ChatModel;
  /** Asked at each step. */
  readonly tools: () => readonly Tool[];
  readonly conversation: Conversation;
  readonly prompt: string | readonly ModelPart[];
  readonly carryOut: CarryOut;
  /** Whether a call may run beside others of the same answer. Default: when its tool says that it is read-only. */
  readonly mayRunBeside?: (call: CallToCarryOut) => boolean;
  /** The person's own standing instructions. */
  readonly instructions?: string;
  /** What servers say about their tools. */
  readonly serverInstructions?: () => readonly { readonly server: string; readonly text: string }[];
  /** What the person should know before this step; each text is told once a run. */
  readonly notices?: () => readonly string[];
  /** Messages that the person typed while the run goes on, taken at the next step. */
  readonly takeMessages?: () => readonly string[];
  /** Model requests in one run. Default 30. */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
  readonly tap?: Tap;
}

/**
 * One turn: model, tool calls, results, model, until the model stops. Never throws: what fails is an event.
 * The conversation is valid for a next request whenever this ends, also when the iteration is given up.
 */
export async function* runAgent(_options: RunOptions): AsyncGenerator<AgentEvent, void, undefined> {
  yield { kind: 'done', reason: 'error', error: 'The agent is not built yet.' };
}
