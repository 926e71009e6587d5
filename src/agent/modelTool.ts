import type { ModelTool } from '../model/chatModel.ts';
import type { Tool } from '../tools/tool.ts';

const known = new WeakMap<Tool, ModelTool>();

/**
 * A tool as a model is offered it: its server stands in the description, so that equal tools of two servers can be told apart. The same object each
 * time, so that what is worked out for it once need not be again.
 */
export function modelTool(tool: Tool): ModelTool {
  const present = known.get(tool);
  if (present) return present;
  const made = make(tool);
  known.set(tool, made);
  return made;
}

function make({ name, title, description, server, tool, inputSchema }: Tool): ModelTool {
  const words = description.trim() || title?.trim() || tool;
  return { name, description: server === '' ? words : `${words} (server: ${server})`, inputSchema };
}
