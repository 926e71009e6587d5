/** How ticks of servers and of their tools go together in one list. Pure. */

/** A server's row and the rows of its tools, by their keys. */
export interface TickedServer {
  readonly server: string;
  readonly tools: readonly string[];
}

/**
 * What is ticked after a person changed ticks. A server that was ticked or unticked takes all its tools with it; else a server is ticked
 * where any of its tools is. One without tools is ticked by itself.
 */
export function followTicks(
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  servers: readonly TickedServer[],
): ReadonlySet<string> {
  const ticked = new Set<string>();
  for (const { server, tools } of servers) {
    const isTicked = after.has(server);
    const wasTouched = isTicked !== before.has(server) && tools.every((tool) => after.has(tool) === before.has(tool));
    const on = wasTouched ? (isTicked ? tools : []) : tools.filter((tool) => after.has(tool));
    for (const tool of on) ticked.add(tool);
    if (tools.length === 0 ? isTicked : on.length > 0) ticked.add(server);
  }
  return ticked;
}
