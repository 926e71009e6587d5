import type { ChatMessage, ModelTool } from '../model/chatModel.ts';
import { countMessageTokens, countToolTokens } from '../model/countTokens.ts';

/** Estimates that are made once an object: at each step the same messages and tools are planned for again. */
const known = new WeakMap<ChatMessage | ModelTool, number>();

/** Tokens of a message, estimated once. */
export function messageTokens(message: ChatMessage): number {
  return remember(message, () => countMessageTokens(message));
}

/** Tokens of a tool's definition, estimated once. */
export function toolTokens(tool: ModelTool): number {
  return remember(tool, () => countToolTokens(tool));
}

function remember(key: ChatMessage | ModelTool, count: () => number): number {
  const present = known.get(key);
  if (present !== undefined) return present;
  const tokens = count();
  known.set(key, tokens);
  return tokens;
}
