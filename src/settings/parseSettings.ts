import type { Problem } from './problem.ts';
import { parseEntry } from './parseEntry.ts';
import { Report } from './problem.ts';
import type { ServerEntry, SettingsSource } from './serverEntry.ts';
import { unwrapServers } from './unwrapServers.ts';

/** What was read from the value of `mcp.servers`. */
export interface ParsedServers {
  readonly entries: ServerEntry[];
  readonly problems: Problem[];
  /** `inputs` that were pasted together with the servers, for `parseInputs`. */
  readonly inputs?: unknown;
}

/**
 * Checks the value of `mcp.servers` as it was written in `source`. Never throws: an entry with an error is left out and told,
 * the others are returned; what is understood though written otherwise is told as a hint.
 */
export function parseServers(value: unknown, source: SettingsSource): ParsedServers {
  const report = new Report('mcp.servers');
  if (value === undefined || value === null) return { entries: [], problems: [] };
  const { servers, inputs } = unwrapServers(value, report);
  const entries = new Map<string, ServerEntry>();
  for (const { name, value, report: place } of servers) {
    const entry = parseEntry(name, value, source, place);
    const earlier = entry && entries.get(name);
    if (earlier) place.error(`There are two servers named "${name}"; the one at ${earlier.path} is used.`);
    else if (entry) entries.set(name, entry);
  }
  return { entries: [...entries.values()], problems: report.problems, ...(inputs !== undefined && { inputs }) };
}
