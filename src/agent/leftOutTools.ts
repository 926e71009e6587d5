import type { Tool } from '../tools/tool.ts';

const serversToName = 10;
const toolsToName = 12;

/** What a person should know when not all tools fit into a request. */
export interface LeftOutTools {
  readonly count: number;
  /** So many are offered. */
  readonly offered: number;
  /** The first servers that are concerned, each with how many of its tools. */
  readonly servers: readonly (readonly [server: string, tools: number])[];
  /** How many further servers are concerned. */
  readonly moreServers: number;
  /** The first names and the last, in one line. */
  readonly names: string;
}

/** Sums up the tools that are left out. */
export function sumUpLeftOut(leftOut: readonly Tool[], offered: number): LeftOutTools {
  const counts = new Map<string, number>();
  for (const { server } of leftOut) counts.set(server, (counts.get(server) ?? 0) + 1);
  const servers = [...counts].slice(0, serversToName);
  return {
    count: leftOut.length,
    offered,
    servers,
    moreServers: counts.size - servers.length,
    names: namesOf(leftOut),
  };
}

function namesOf(tools: readonly Tool[]): string {
  const names = tools.slice(0, toolsToName).map(({ name }) => name);
  return tools.length > names.length ? `${names.join(', ')} … ${tools.at(-1)?.name ?? ''}` : names.join(', ');
}
