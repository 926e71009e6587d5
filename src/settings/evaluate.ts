import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../base/caught.ts';
import type { Lookup, WorkspaceFolder } from './lookup.ts';
import type { SettingsSource } from './serverEntry.ts';
import type { Variable, VariableValue } from './variables.ts';

/** Where one entry's variables get their values from. `extra` is seen before the process environment; null there hides a variable. */
export interface Scope {
  readonly lookup: Lookup;
  readonly source: SettingsSource;
  readonly extra: readonly ReadonlyMap<string, string | null>[];
  readonly answers: Map<string, Promise<VariableValue>>;
}

type Evaluate = (argument: string | undefined, scope: Scope) => VariableValue | Promise<VariableValue>;

const KINDS: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['env', (name, scope) => environment(name ?? '', scope)],
  ['input', (id, scope) => answer(id ?? '', scope)],
  ['workspaceFolder', (name, scope) => folder(name, scope, ({ path }) => path)],
  ['workspaceRoot', (name, scope) => folder(name, scope, ({ path }) => path)],
  [
    'workspaceFolderBasename',
    (name, scope) => folder(name, scope, ({ path }) => path.split(/[\\/]/).findLast(Boolean) ?? path),
  ],
  ['userHome', (_, scope) => ({ value: homeOf(scope.lookup) })],
  ['pathSeparator', (_, scope) => ({ value: pathOfPlatform(scope.lookup).sep })],
  ['/', (_, scope) => ({ value: pathOfPlatform(scope.lookup).sep })],
  ['config', (key, scope) => configuration(key ?? '', scope)],
]);

/** The value of one variable, or why it has none. */
export async function evaluate(variable: Variable, scope: Scope): Promise<VariableValue> {
  const kind = KINDS.get(variable.kind);
  if (kind) return kind(variable.argument, scope);
  const dotted = /^(env|input|config)\.(.+)$/.exec(variable.kind);
  if (dotted) return { missing: `write it with a colon, as \${${dotted[1]}:${dotted[2]}}` };
  return { missing: 'there is no variable of this name; for the environment write ${env:NAME}' };
}

export function pathOfPlatform(lookup: Lookup): path.PlatformPath {
  return (lookup.platform ?? process.platform) === 'win32' ? path.win32 : path.posix;
}

export function homeOf(lookup: Lookup): string {
  return lookup.userHome ?? os.homedir();
}

/** The folder that an entry of `source` belongs to: folder i for `wf<i>`, else the first one that is open. */
export function folderOf(lookup: Lookup, source: SettingsSource): WorkspaceFolder | undefined {
  const index = /^wf(\d+)$/.exec(source)?.[1];
  return foldersOf(lookup)[Number(index ?? 0)];
}

function foldersOf(lookup: Lookup): WorkspaceFolder[] {
  return (lookup.workspaceFolders ?? []).map((folder) =>
    typeof folder === 'string' ? { path: folder, name: pathOfPlatform(lookup).basename(folder) } : folder,
  );
}

function folder(
  name: string | undefined,
  { lookup, source }: Scope,
  read: (folder: WorkspaceFolder) => string,
): VariableValue {
  const folders = foldersOf(lookup);
  if (folders.length === 0) return { missing: 'no folder is open' };
  const found = name === undefined ? folderOf(lookup, source) : folders.find((folder) => folder.name === name);
  if (found) return { value: read(found) };
  const names = folders.map((folder) => `"${folder.name}"`).join(', ');
  return { missing: `no open folder is named "${name ?? source}"; there are ${names}` };
}

/** Names of variables have no case on Windows. */
export function findVariable<T>(
  variables: Iterable<[string, T]>,
  name: string,
  platform: NodeJS.Platform,
): T | undefined {
  const same =
    platform === 'win32' ? (key: string) => key.toUpperCase() === name.toUpperCase() : (key: string) => key === name;
  let found: T | undefined;
  for (const [key, value] of variables) if (same(key)) found = value;
  return found;
}

function environment(argument: string, { lookup, extra }: Scope): VariableValue {
  const [, name = argument, fallback] = /^(.*?):-(.*)$/s.exec(argument) ?? [];
  if (name === '') return { missing: 'the name of the variable is missing' };
  const platform = lookup.platform ?? process.platform;
  for (const layer of extra) {
    const value = findVariable(layer, name, platform);
    if (value === null) return { missing: `"env" of the entry removes it` };
    if (value !== undefined) return { value };
  }
  const value = findVariable(Object.entries(lookup.env ?? process.env), name, platform);
  if (value !== undefined && (value !== '' || fallback === undefined)) {
    lookup.onSecret?.(value);
    return { value };
  }
  if (fallback !== undefined) return { value: fallback };
  return { missing: `the environment variable ${name} is not set where the editor runs` };
}

function answer(id: string, { lookup, answers }: Scope): Promise<VariableValue> {
  const known = answers.get(id) ?? askFor(id, lookup);
  answers.set(id, known);
  return known;
}

async function askFor(id: string, lookup: Lookup): Promise<VariableValue> {
  try {
    const value = await lookup.input?.(id);
    if (value === undefined) return { missing: `no answer was given for the input "${id}"` };
    lookup.onSecret?.(value);
    return { value };
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

function configuration(key: string, { lookup }: Scope): VariableValue {
  const value = lookup.config?.(key);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { value: String(value) };
  if (value === undefined || value === null) return { missing: `the setting "${key}" has no value` };
  return { missing: `the setting "${key}" is no text, number or boolean` };
}

/** True for what may stand before the colon of a variable, or alone. */
export function isVariableKind(kind: string): boolean {
  return KINDS.has(kind);
}
