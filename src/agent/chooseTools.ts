import type { Tool } from '../tools/tool.ts';
import type { Conversation } from './conversation.ts';
import { modelTool } from './modelTool.ts';
import { rankTools } from './rankTools.ts';
import { toolTokens } from './tokens.ts';
import { toolsByName } from './toolLookup.ts';

/** Of the window, for the definitions of tools. */
const windowShare = 0.35;
/** So many tools are chosen by the words of a prompt. */
const rankedByPrompt = 20;
/** The first tools of a list are as good as any others where most fit; of a long list they would be a waste. */
const fillUpTo = 2;

/** The tools that there are, and the room for them. */
export interface ToolsToChoose {
  /** Tools of servers that are switched on, in their order. */
  readonly tools: readonly Tool[];
  /** The agent's own tools that are offered in any case. */
  readonly own: readonly Tool[];
  /** Offered besides where not all tools are. */
  readonly search: Tool;
  readonly conversation: Conversation;
  /** What the person said since the last choice. It is taken out when a choice has to be made by it. */
  readonly prompts: string[];
  /** Tools in one request. */
  readonly limit: number;
  /** Tokens. */
  readonly maxInputTokens: number;
}

/** The tools of one request. */
export interface ToolChoice {
  /** In the order of the lists, the agent's own last. */
  readonly offered: readonly Tool[];
  readonly leftOut: readonly Tool[];
}

/**
 * The tools of one request. All of them, up to the limit and a share of the window. Beyond that: those that are active in the conversation (used,
 * found, named or fitting a prompt), then the first of the list, and the search tool for the rest. The same conversation and lists give the same choice.
 */
export function chooseTools(choice: ToolsToChoose): ToolChoice {
  const { tools, own, search, limit, maxInputTokens } = choice;
  const room = maxInputTokens * windowShare;
  if (tools.length + own.length <= limit && (limit === Infinity || tokensOf(tools) <= room)) {
    return { offered: [...tools, ...own], leftOut: [] };
  }
  for (const prompt of choice.prompts.splice(0)) activateByPrompt(choice, prompt);
  const places = limit - own.length - 1;
  const chosen = take([...activeTools(choice), ...fillers(choice)], places, room);
  const isOffered = (tool: Tool): boolean => chosen.has(tool);
  return {
    offered: [...tools.filter(isOffered), ...own, search],
    leftOut: tools.filter((tool) => !isOffered(tool)),
  };
}

/** Marks as active what a prompt names, and what fits it best. */
function activateByPrompt({ conversation, tools }: ToolsToChoose, prompt: string): void {
  for (const { name } of rankTools(tools, prompt, rankedByPrompt).toReversed()) conversation.activate(name);
  const words = new Set(prompt.toLowerCase().match(/[\p{L}\p{N}_-]+/gu));
  const isNamed = ({ name, tool }: Tool): boolean => words.has(name.toLowerCase()) || words.has(tool.toLowerCase());
  for (const { name } of tools.filter(isNamed)) conversation.activate(name);
}

/** The latest first. */
function activeTools({ tools, conversation }: ToolsToChoose): readonly Tool[] {
  const byName = toolsByName(tools);
  return [...conversation.active].toReversed().flatMap((name) => byName.get(name) ?? []);
}

function fillers({ tools, limit }: ToolsToChoose): readonly Tool[] {
  return tools.length <= limit * fillUpTo ? tools : [];
}

function take(tools: readonly Tool[], places: number, room: number): ReadonlySet<Tool> {
  const taken = new Set<Tool>();
  let tokens = 0;
  for (const tool of tools) {
    if (taken.size >= places) break;
    if (taken.has(tool)) continue;
    const size = toolTokens(modelTool(tool));
    // One that is too large must not keep out the small ones behind it.
    if (tokens + size > room) continue;
    tokens += size;
    taken.add(tool);
  }
  return taken;
}

/** Worked out once a list: the same list of thousands comes at each step. */
const known = new WeakMap<readonly Tool[], number>();

function tokensOf(tools: readonly Tool[]): number {
  const present = known.get(tools);
  if (present !== undefined) return present;
  const tokens = tools.reduce((sum, tool) => sum + toolTokens(modelTool(tool)), 0);
  known.set(tools, tokens);
  return tokens;
}
