import { textsOf } from './entryTexts.ts';
import type { Input } from './inputs.ts';
import { inputsUsed, type StartContext } from './startPermission.ts';
import { isSecretName, looksSecret } from './secretText.ts';
import type { ServerEntry } from './serverEntry.ts';
import { variablesIn } from './variables.ts';

/** What the start of a server does, as a person has to see it: nothing shortened, secrets left out, variables as they are written. */
export interface StartFacts {
  readonly name: string;
  /** The program and its arguments, quoted where they would be ambiguous; or the address. */
  readonly target: { readonly kind: 'program' | 'address'; readonly text: string };
  /** The working folder of a program. Absent: none is known. */
  readonly folder?: string;
  /** `NAME=value` lines; a value that may be a secret is replaced. */
  readonly environment: readonly string[];
  readonly envFile?: string;
  /** Names of headers that are sent. */
  readonly headers: readonly string[];
  /** Variables of the person's environment, and settings, whose values it gets. */
  readonly reads: readonly string[];
  /** Editor commands that are run for an answer, with their arguments. */
  readonly commands: readonly string[];
  /** What the person is going to be asked for. */
  readonly questions: readonly string[];
  /** Patterns of tools that would run without asking. */
  readonly autoApprove: readonly string[];
}

/** What a person should know before an entry is started for the first time. */
export function startFacts(entry: ServerEntry, context: StartContext): StartFacts {
  const { launch, envFile, name } = entry;
  const inputs = inputsUsed(entry, context.inputs);
  const folder = launch.kind === 'stdio' ? (launch.cwd ?? context.folder) : undefined;
  return {
    name,
    target:
      launch.kind === 'stdio'
        ? { kind: 'program', text: [launch.command, ...launch.args].map(quoted).join(' ') }
        : { kind: 'address', text: withoutUserInfo(launch.url) },
    ...(folder !== undefined && { folder }),
    environment: Object.entries(entry.env).map(environmentLine),
    ...(envFile !== undefined && { envFile }),
    headers: launch.kind === 'stdio' ? [] : Object.keys(launch.headers),
    reads: readsOf(entry),
    commands: inputs.flatMap(commandText),
    questions: inputs.flatMap((input) => (input.kind === 'command' ? [] : [input.description ?? input.id])),
    autoApprove: entry.autoApprove?.allow ?? [],
  };
}

/** A word as it is where its borders are plain, else in quotes with line breaks and quotes escaped. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}@%+=:,./\\_~${}-]+$/u.test(word) ? word : JSON.stringify(word);
}

function environmentLine([name, value]: [string, string | null]): string {
  if (value === null) return `${name} (removed)`;
  return isSecretName(name) || looksSecret(value) ? `${name}=•••` : `${name}=${quoted(value)}`;
}

/** A default behind `:-` is no part of a name. */
function readsOf(entry: ServerEntry): string[] {
  const variables = textsOf(entry).flatMap(({ text }) => variablesIn(text));
  const names = variables.flatMap(({ kind, argument = '' }) => {
    if (kind === 'env') return [argument.replace(/:-.*$/s, '')];
    return kind === 'config' ? [`settings → ${argument}`] : [];
  });
  return [...new Set(names)];
}

function commandText(input: Input): string[] {
  if (input.kind !== 'command') return [];
  return [input.args === undefined ? input.command : `${input.command} ${JSON.stringify(input.args)}`];
}

/** User info of a URL may be a password. */
function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*:[^/?#@]*@/i, '$1•••@');
}
