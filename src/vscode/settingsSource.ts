import * as vscode from 'vscode';

import { isRecord, type JsonObject } from '../base/json.ts';
import { parseInputs, type Input } from '../settings/inputs.ts';
import { parseServers } from '../settings/parseSettings.ts';
import { effectiveEntries } from '../settings/precedence.ts';
import type { Problem } from '../settings/problem.ts';
import type { ServerEntry, SettingsSource } from '../settings/serverEntry.ts';

/** A problem with the source that it was found in. */
export interface SourcedProblem extends Problem {
  readonly source: SettingsSource;
}

/** An input with the source that defines it. */
export type SourcedInput = Input & { readonly source: SettingsSource };

/** Everything that the settings of all scopes say about servers. */
export interface ServerSettings {
  readonly entries: readonly ServerEntry[];
  readonly inputs: readonly SourcedInput[];
  readonly problems: readonly SourcedProblem[];
}

/** One value of a setting with the scope that it stands in. */
interface Scoped {
  readonly source: SettingsSource;
  readonly value: unknown;
}

/**
 * Reads `mcp.servers` and `mcp.inputs` of every scope; what VS Code keeps in its own mcp.json comes through the same way.
 * In Restricted Mode nothing of the workspace counts. Never writes: writing this key would overwrite mcp.json.
 */
export function readServerSettings(): ServerSettings {
  const problems: SourcedProblem[] = [];
  const entries: ServerEntry[] = [];
  const inputs: SourcedInput[] = [];
  const takeInputs = (value: unknown, source: SettingsSource): void => {
    const parsed = parseInputs(value);
    inputs.push(...parsed.inputs.map((input) => ({ ...input, source })));
    problems.push(...parsed.problems.map((problem) => ({ ...problem, source })));
  };
  for (const { source, value } of scopes('inputs')) takeInputs(value, source);
  for (const { source, value } of scopes('servers')) {
    const parsed = parseServers(value, source);
    entries.push(...parsed.entries);
    problems.push(...parsed.problems.map((problem) => ({ ...problem, source })));
    takeInputs(parsed.inputs, source);
  }
  const { entries: effective, shadowed } = effectiveEntries(entries);
  for (const { entry, by } of shadowed) problems.push(shadowProblem(entry, by));
  return { entries: effective, inputs, problems };
}

function scopes(name: 'servers' | 'inputs'): Scoped[] {
  const root = inspect(name);
  const user: Scoped[] = [
    {
      source: 'usrlocal',
      value: root['globalLocalValue'] ?? (root['globalRemoteValue'] === undefined ? root['globalValue'] : undefined),
    },
    { source: 'usrremote', value: root['globalRemoteValue'] },
  ];
  return [...user, ...(vscode.workspace.isTrusted ? workspaceScopes(name, root) : [])].filter(
    ({ value }) => value !== undefined,
  );
}

/** In a window with one folder and no workspace file, the folder's settings come as those of the workspace. */
function workspaceScopes(name: 'servers' | 'inputs', root: JsonObject): Scoped[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (vscode.workspace.workspaceFile === undefined) return [{ source: 'wf0', value: root['workspaceValue'] }];
  const ofFolders = folders.map((folder, index) => ({
    source: `wf${index}`,
    value: inspect(name, folder.uri)['workspaceFolderValue'],
  }));
  return [{ source: 'workspace', value: root['workspaceValue'] }, ...ofFolders];
}

/** The declared result leaves out `globalLocalValue` and `globalRemoteValue`, which are there. */
function inspect(name: string, scope?: vscode.Uri): JsonObject {
  const result: unknown = vscode.workspace.getConfiguration('mcp', scope).inspect(name);
  return isRecord(result) ? result : {};
}

function shadowProblem(entry: ServerEntry, by: ServerEntry): SourcedProblem {
  return {
    source: entry.source,
    path: entry.path,
    segments: entry.segments,
    severity: 'hint',
    message: vscode.l10n.t('This entry is not used: a nearer scope ({0}) has a server of the same name.', by.source),
  };
}

/**
 * The inputs that an entry may use: those of its own source, then those of the user settings.
 * A workspace can therefore never answer for a server of the person's own.
 */
export function inputsFor(source: SettingsSource, inputs: readonly SourcedInput[]): readonly SourcedInput[] {
  const own = inputs.filter((input) => input.source === source);
  const ofUser = inputs.filter((input) => input.source.startsWith('usr') && !own.some(({ id }) => id === input.id));
  return [...own, ...ofUser];
}
