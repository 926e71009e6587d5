import type { Tool } from './tool.ts';

/**
 * Names the server of an offered tool; undefined for the agent's own tools and for names that are not offered. `tools` gives the list
 * of now, the same array until it changes: it is looked through once for each.
 */
export function serverOfTool(tools: () => readonly Tool[]): (name: string) => string | undefined {
  let list: readonly Tool[] = [];
  let servers = new Map<string, string>();
  return (name) => {
    const now = tools();
    if (now !== list) {
      list = now;
      servers = new Map(now.map((tool) => [tool.name, tool.server]));
    }
    return servers.get(name);
  };
}
