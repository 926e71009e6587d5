import type { Tool } from '../tools/tool.ts';

/** Tools by the names that they are offered under. */
export interface ToolLookup {
  get(name: string): Tool | undefined;
  names(): readonly string[];
}

/** Worked out once a list: the same list of thousands comes at each step. */
const known = new WeakMap<readonly Tool[], ReadonlyMap<string, Tool>>();

/** The tools of a list by name. */
export function toolsByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const present = known.get(tools);
  if (present !== undefined) return present;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  known.set(tools, byName);
  return byName;
}

/** Finds in both lists, in `first` before `others`. */
export function lookUp(first: readonly Tool[], others: readonly Tool[]): ToolLookup {
  const near = new Map(first.map((tool) => [tool.name, tool]));
  const far = toolsByName(others);
  return {
    get: (name) => near.get(name) ?? far.get(name),
    names: () => [...new Set([...far.keys(), ...near.keys()])],
  };
}
