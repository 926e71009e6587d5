import type { JsonObject } from '../../base/json.ts';
import type { NameFilter } from '../namePattern.ts';
import type { HttpLaunch, ServerEntry, StdioLaunch } from '../serverEntry.ts';

/**
 * An entry as a person would write it here, whatever spelling it came in. What lets tools run without a question is left out:
 * that is granted here, by the person, and brought along by nobody.
 */
export function entryJson(entry: ServerEntry): JsonObject {
  const { launch, env, envFile, timeoutMs, prefix, tools, disabled } = entry;
  return {
    ...(launch.kind === 'stdio' ? stdioJson(launch) : httpJson(launch)),
    ...(Object.keys(env).length > 0 && { env }),
    ...(envFile !== undefined && { envFile }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs / 1000 }),
    ...(prefix !== undefined && { prefix }),
    ...(tools && { tools: filterJson(tools) }),
    ...(disabled && { disabled }),
  };
}

function stdioJson({ command, args, cwd }: StdioLaunch): JsonObject {
  return { command, ...(args.length > 0 && { args }), ...(cwd !== undefined && { cwd }) };
}

function httpJson({ kind, url, headers, oauth, ca }: HttpLaunch): JsonObject {
  return {
    ...(kind !== 'auto' && { type: kind }),
    url,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(oauth && { oauth }),
    ...(ca && { ca }),
  };
}

function filterJson({ allow = [], deny }: NameFilter): string[] {
  return [...allow, ...deny.map((pattern) => `!${pattern}`)];
}
