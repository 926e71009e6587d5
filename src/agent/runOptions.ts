import type { Tap } from '../base/tap.ts';
import type { ChatModel, ModelPart } from '../model/chatModel.ts';
import type { Tool } from '../tools/tool.ts';
import type { AgentTexts } from './agentTexts.ts';
import type { Attempt } from './attempt.ts';
import type { CallToCarryOut, CarryOut } from './carryOut.ts';
import type { Conversation } from './conversation.ts';

/** What one run needs. */
export interface RunOptions {
  readonly model: ChatModel;
  /** Asked at each step. */
  readonly tools: () => readonly Tool[];
  /** Tools besides those of servers, offered in any case and never asked about. Asked at each step. */
  readonly ownTools?: () => readonly Tool[];
  readonly conversation: Conversation;
  /** What the person wrote. Empty: go on with what was begun. */
  readonly prompt: string | readonly ModelPart[];
  readonly carryOut: CarryOut;
  /** Whether a call may run beside others of the same answer. Default: when its tool says that it is read-only. */
  readonly mayRunBeside?: (call: CallToCarryOut) => boolean;
  /** The person's own standing instructions. */
  readonly instructions?: string;
  /** What servers say about their tools. */
  readonly serverInstructions?: () => readonly { readonly server: string; readonly text: string }[];
  /** What the person should know, asked before each step; each text is told once a run. */
  readonly notices?: () => readonly string[];
  /** Messages that the person typed while the run goes on, taken at the next step. */
  readonly takeMessages?: () => readonly string[];
  /** Asked after each step: true to end here, because the person said something that the next run begins with. The conversation is fit for it. */
  readonly shouldYield?: () => boolean;
  /** Where the calls of this run are noted. One made from that of an earlier attempt at the same turn makes no call again that ran then. */
  readonly attempt?: Attempt;
  /** What the agent itself says to the person. Default: English. */
  readonly texts?: AgentTexts;
  /** Tools in one request, the agent's own included. Default: what the model takes, else 128. */
  readonly maxTools?: number;
  /** Model requests in one run. Default 30. */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
  readonly tap?: Tap;
}
