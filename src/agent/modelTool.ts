import type { ModelTool } from '../model/chatModel.ts';
import type { Tool } from '../tools/tool.ts';

/** A tool as a model is offered it: its server stands in the description, so that equal tools of two servers can be told apart. */
export function modelTool({ name, title, description, server, tool, inputSchema }: Tool): ModelTool {
  const words = description.trim() || title?.trim() || tool;
  return { name, description: server === '' ? words : `${words} (server: ${server})`, inputSchema };
}
