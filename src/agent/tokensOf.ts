import type { Tool } from '../tools/tool.ts';
import { modelTool } from './modelTool.ts';
import { toolTokens } from './tokens.ts';

/** What offering a tool costs in each request, in tokens: its name, description and schema as a model is sent them. Estimated once a tool. */
export function tokensOf(tool: Tool): number {
  return toolTokens(modelTool(tool));
}
