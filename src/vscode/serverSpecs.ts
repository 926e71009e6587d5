import * as vscode from 'vscode';

import { assignPrefixes, serverIdentity, type PrefixRecord } from '../servers/serverIdentity.ts';
import type { ServerSpec } from '../servers/serverSpec.ts';
import type { Lookup } from '../settings/lookup.ts';
import type { ServerEntry, SettingsSource } from '../settings/serverEntry.ts';
import { isOfWorkspace } from '../settings/startPermission.ts';
import { specFromEntry } from '../specFromEntry.ts';
import type { InputPrompts } from './inputPrompts.ts';
import { inputsFor, type SourcedInput } from './settingsSource.ts';

export interface SpecOptions {
  readonly inputs: readonly SourcedInput[];
  readonly prompts: InputPrompts;
  /** Remembers which prefix each server has had. */
  readonly memory: vscode.Memento;
  readonly onSecret: (value: string) => void;
  /** Why an entry must not start now, if so. */
  readonly heldBy: (entry: ServerEntry) => string | undefined;
  /** Whether the person has stopped a server. */
  readonly isHalted: (identity: string) => boolean;
}

const prefixKey = 'mcpAgent.prefixes';

/** Entries of the settings as the pool wants them: identity, prefix, and how to fill in what is left open. */
export function specsOf(entries: readonly ServerEntry[], options: SpecOptions): ServerSpec[] {
  const wishes = entries.map(({ source, name, prefix }) => ({
    identity: serverIdentity(source, name),
    source,
    own: prefix,
  }));
  const remembered = options.memory.get<PrefixRecord>(prefixKey, {});
  const prefixes = assignPrefixes(wishes, remembered);
  if (JSON.stringify(prefixes) !== JSON.stringify(remembered)) void options.memory.update(prefixKey, prefixes);
  return entries.map((entry) => {
    const prefix = prefixes[serverIdentity(entry.source, entry.name)] ?? '';
    const spec = specFromEntry(entry, prefix, async () => {
      const { resolveEntry } = await import('../settings/resolveEntry.ts');
      return resolveEntry(entry, lookupFor(entry, options));
    });
    if (options.isHalted(spec.identity)) return { ...spec, isHalted: true };
    const held = options.heldBy(entry);
    const place = isOfWorkspace(entry.source) ? placeOf(entry.source) : undefined;
    return { ...spec, ...(held !== undefined && { held }), ...(place !== undefined && { place }) };
  });
}

function lookupFor(entry: ServerEntry, { inputs, prompts, onSecret }: SpecOptions): Lookup {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    workspaceFolders: folders
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ name, uri }) => ({ name, path: uri.fsPath })),
    input: prompts.lookup(inputsFor(entry.source, inputs), entry),
    config: configuration,
    onSecret,
  };
}

/** What tells one workspace from another: the address of the folder or of the workspace file. */
function placeOf(source: SettingsSource): string | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folder = /^wf(\d+)$/.exec(source)?.[1];
  return (folder === undefined ? workspaceFile : workspaceFolders?.[Number(folder)]?.uri)?.toString();
}

/** In Restricted Mode the workspace has no say in what a setting is. */
function configuration(key: string): unknown {
  const settings = vscode.workspace.getConfiguration();
  if (vscode.workspace.isTrusted) return settings.get(key);
  const values = settings.inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}
