import type { Tool, ToolOutcome } from '../tools/tool.ts';
import type { ApprovalQuestion } from './agentEvent.ts';

/**
 * A call that is about to be carried out. `definition.server` is empty for the agent's own tools, which need no approval. Nor does a call with
 * `isRepeated`: it ran in an earlier attempt of this turn, and `run` only gives its result from then.
 */
export type CallToCarryOut = ApprovalQuestion & { readonly definition: Tool; readonly isRepeated?: boolean };

/** Carries a call out; with other arguments than the model's where a person changed them. */
export type RunCall = (edited?: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;

/**
 * How a call is asked about, shown and run: calls `run` at most once, and only when it may run. Should settle soon after `signal`;
 * the agent does not wait for it then. A throw is a failed call. `told` resolves once the reader of the turn's events has the call's `tool-start`.
 */
export type CarryOut = (
  call: CallToCarryOut,
  run: RunCall,
  signal: AbortSignal,
  told: Promise<void>,
) => Promise<ToolOutcome | { readonly denied: string }>;
