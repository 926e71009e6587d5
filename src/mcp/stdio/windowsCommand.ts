import { win32 } from 'node:path';
import { TransportError } from '../errors.ts';

/** How to hand a program to `spawn`. */
export interface SpawnPlan {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows: the arguments are joined with blanks and not quoted again. */
  readonly verbatim: boolean;
}

/** What Windows finds programs by. */
export interface WindowsContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds what `command` stands for on Windows and plans its start so that every argument arrives as written: programs directly, batch files
 * through cmd.exe. Names without a folder are looked for on PATH only, never in the working folder, which may be anybody's.
 * Throws a TransportError for what no batch file can be given.
 */
export function planWindowsCommand(command: string, args: readonly string[], context: WindowsContext): SpawnPlan {
  const found = findProgram(command, context) ?? command;
  if (!/\.(cmd|bat)$/i.test(found.replace(/[. ]+$/, ''))) return { file: found, args, verbatim: false };
  const line = [batchWord(found), ...args.map(batchWord)].join(' ');
  // /e:ON for the `%cd:~,%` below, /v:OFF so that `!` stays, /d against AutoRun, /s so that only the outer quotes are taken off.
  return {
    file: commandInterpreter(context.env),
    args: ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

function commandInterpreter(env: WindowsContext['env']): string {
  const root = variable(env, 'SystemRoot') ?? 'C:\\Windows';
  return variable(env, 'ComSpec') ?? `${root}\\System32\\cmd.exe`;
}

/**
 * One word of a batch file's command line. cmd.exe parses it before the batch file, and mostly once more inside (`%*`): so it is always quoted,
 * a quote is doubled (which keeps both readers inside the quotes), and `%` is followed by a variable of no characters, so that it begins no name.
 */
function batchWord(word: string): string {
  if (/[\r\n\0]/.test(word)) {
    throw new TransportError(
      'process',
      'An argument holds a line break, which cannot be passed to a .cmd or .bat file.',
    );
  }
  const quotes = word.replaceAll(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, '$1$1');
  return `"${quotes.replaceAll('%', '%%cd:~,%')}"`;
}

/** The file that `command` names: as written with one of PATHEXT's endings, in the folders of PATH where it names none. */
function findProgram(command: string, { env, cwd, isFile }: WindowsContext): string | undefined {
  const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const hasEnding = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  const names = hasEnding ? [command] : endings.map((ending) => command + ending.toLowerCase());
  const hasFolder = /[\\/]/.test(command) || /^[a-z]:/i.test(command);
  const path = variable(env, 'PATH') ?? '';
  const folders = hasFolder
    ? [cwd]
    : path
        .split(';')
        .map(unquote)
        .filter((folder) => win32.isAbsolute(folder));
  for (const folder of folders) {
    for (const name of names) {
      const file = win32.resolve(folder, name);
      if (isFile(file)) return file;
    }
  }
  return undefined;
}

function unquote(folder: string): string {
  return folder.replaceAll('"', '').trim();
}

function variable(env: WindowsContext['env'], name: string): string | undefined {
  return Object.entries(env).find(([key, value]) => key.toUpperCase() === name.toUpperCase() && value)?.[1];
}
