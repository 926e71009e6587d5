import { createHash } from 'node:crypto';
import { serverIdentity } from './servers/serverIdentity.ts';
import type { ServerSpec } from './servers/serverSpec.ts';
import { allowsName } from './settings/namePattern.ts';
import type { ServerEntry } from './settings/serverEntry.ts';

/** An entry of the settings as the pool wants it. Only what reaches the server counts for the fingerprint: filters and prefixes need no restart. */
export function specFromEntry(entry: ServerEntry, prefix: string, resolve: ServerSpec['resolve']): ServerSpec {
  const { name, source, launch, env, envFile, timeoutMs, disabled, tools } = entry;
  return {
    identity: serverIdentity(source, name),
    name,
    source,
    fingerprint: createHash('sha1').update(JSON.stringify({ launch, env, envFile, timeoutMs })).digest('hex'),
    prefix,
    disabled,
    target: launch.kind === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url,
    ...(tools && { allows: (tool: string) => allowsName(tools, tool) }),
    resolve,
  };
}
