import { createHash } from 'node:crypto';

import { textsOf } from './entryTexts.ts';
import type { Input } from './inputs.ts';
import type { ServerEntry, SettingsSource } from './serverEntry.ts';
import { variablesIn } from './variables.ts';

/** What a person said about starting a server that a workspace defines. `start-with-tools`: its `autoApprove` counts too. */
export type StartAnswer = 'start' | 'start-with-tools' | 'decline';

/** `restricted`: the window is in Restricted Mode and the start would run or read something of the workspace. */
export type StartDecision = 'start' | 'ask' | 'declined' | 'restricted';

/** What a start uses besides the entry itself. */
export interface StartContext {
  /** Absolute path of the folder that the entry belongs to: relative paths stand below it. */
  readonly folder?: string;
  /** The inputs that the entry may use. */
  readonly inputs: readonly Input[];
}

/**
 * Whether a server may start. The person's own servers may, unless the window is restricted and they would take a program or a file from
 * the workspace. What the workspace defines is never started unasked.
 */
export function decideStart(entry: ServerEntry, isTrusted: boolean, answer: StartAnswer | undefined): StartDecision {
  if (isOfWorkspace(entry.source)) {
    if (!isTrusted) return 'restricted';
    if (answer === undefined) return 'ask';
    return answer === 'decline' ? 'declined' : 'start';
  }
  return !isTrusted && usesWorkspaceFiles(entry) ? 'restricted' : 'start';
}

/** True where whoever wrote the workspace wrote the entry: a folder's settings, a .code-workspace file, a workspace's mcp.json. */
export function isOfWorkspace(source: SettingsSource): boolean {
  return !source.startsWith('usr');
}

/** Changes whenever a start would do anything else than what the person was asked about. */
export function configurationHash(entry: ServerEntry, { folder, inputs }: StartContext): string {
  const { name, launch, env, envFile, autoApprove } = entry;
  const facts = { name, launch, env, envFile, autoApprove, folder, inputs: inputsUsed(entry, inputs) };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The inputs that stand in the entry's texts, in the order of their definition. */
export function inputsUsed(entry: ServerEntry, inputs: readonly Input[]): Input[] {
  const ids = new Set(
    textsOf(entry).flatMap(({ text }) =>
      variablesIn(text).flatMap(({ kind, argument }) => (kind === 'input' && argument !== undefined ? [argument] : [])),
    ),
  );
  return inputs.filter(({ id }) => ids.has(id));
}

const ofFolder = /\$\{workspace(?:Folder|Root)\b/;
/** A file that an interpreter would run. */
const script = /\.(?:[cm]?[jt]sx?|py|pyz|rb|pl|php|sh|bash|zsh|fish|ps1|bat|cmd|exe|jar|wasm|lua|so|dll|dylib|node)$/i;

/**
 * True where a process of the person's own entry would run a program of the open folder, or take its environment from there: by its
 * command, working folder (package runners prefer what lies there), envFile, or an argument that names a script.
 */
function usesWorkspaceFiles({ launch, env, envFile }: ServerEntry): boolean {
  if (launch.kind !== 'stdio') return envFile !== undefined && isInFolder(envFile);
  const { command, args, cwd } = launch;
  const paths = [envFile, cwd, command.includes('/') || command.includes('\\') ? command : undefined];
  if (paths.some((path) => path !== undefined && isInFolder(path))) return true;
  return [...args, ...Object.values(env)].some(
    (text) => typeof text === 'string' && ofFolder.test(text) && script.test(text.trim()),
  );
}

/** A path in terms of the open folder, or relative to it. */
function isInFolder(path: string): boolean {
  return ofFolder.test(path) || !/^(?:[\\/~]|[A-Za-z]:[\\/]|\$\{)/.test(path);
}
