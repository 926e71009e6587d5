import { access, readFile } from 'node:fs/promises';
import type { ServerConfig } from '../mcp/serverConfig.ts';
import { textsOf } from './entryTexts.ts';
import { evaluate, folderOf, homeOf, pathOfPlatform, type Scope } from './evaluate.ts';
import { headerValueFault } from './headers.ts';
import type { Lookup } from './lookup.ts';
import { pathOf } from './problem.ts';
import type { HttpLaunch, ServerEntry, StdioLaunch } from './serverEntry.ts';
import { urlFault } from './urlFault.ts';
import { expand, variablesIn, type VariableValue } from './variables.ts';

type Layer = ReadonlyMap<string, string | null>;

/**
 * Turns an entry into plain values: variables replaced, envFile read, paths made absolute.
 * `${env:X}` sees `env` of the entry, then its envFile, then the process; inside `env` itself the envFile, then the process.
 * Rejects with an Error that names every variable without a value and its place. Nobody is asked for an input while another variable has none.
 */
export async function resolveEntry(entry: ServerEntry, lookup: Lookup): Promise<ServerConfig> {
  const inputs = (text: string): boolean => variablesIn(text).some(({ kind }) => kind === 'input');
  const asks = textsOf(entry).some(({ text }) => inputs(text));
  if (asks && !inputs(entry.envFile ?? ''))
    await expandEntry(entry, { ...lookup, input: async () => '', onSecret: () => {} });
  const { launch, env } = await expandEntry(entry, lookup);
  return launch.kind === 'stdio' ? stdioConfig(entry, launch, env, lookup) : httpConfig(entry, launch, lookup);
}

interface Expanded {
  readonly launch: StdioLaunch | HttpLaunch;
  /** envFile and `env` together. */
  readonly env: Layer;
}

/** Replaces the variables in one string; `place` is where it stands in the entry. */
type ExpandText = (text: string, ...place: readonly (string | number)[]) => Promise<string>;

async function expandEntry(entry: ServerEntry, lookup: Lookup): Promise<Expanded> {
  const answers = new Map<string, Promise<VariableValue>>();
  const missing: string[] = [];
  const over = (...extra: Layer[]): ExpandText =>
    expander(entry, { lookup, source: entry.source, extra, answers }, missing);
  const file = await readEnvFile(entry, lookup, over(), missing);
  const env = new Map<string, string | null>();
  for (const [name, value] of Object.entries(entry.env)) {
    env.set(name, value === null ? null : await over(file)(value, 'env', name));
  }
  const launch = await expandLaunch(entry.launch, over(env, file));
  if (missing.length > 0) throw new Error(`${entry.name}: cannot start. ${missing.join('. ')}.`);
  return { launch, env: new Map([...file, ...env]) };
}

function expander(entry: ServerEntry, scope: Scope, missing: string[]): ExpandText {
  return (text, ...place) =>
    expand(
      text,
      (variable) => evaluate(variable, scope),
      (why) => missing.push(`In ${pathOf(entry.path, place)}, ${why}`),
    );
}

async function expandLaunch(launch: StdioLaunch | HttpLaunch, text: ExpandText): Promise<StdioLaunch | HttpLaunch> {
  const list = (name: string, items: readonly string[]): Promise<string[]> =>
    Promise.all(items.map((item, index) => text(item, name, index)));
  if (launch.kind === 'stdio') {
    const command = await text(launch.command, 'command');
    const cwd = launch.cwd === undefined ? undefined : await text(launch.cwd, 'cwd');
    return { kind: 'stdio', command, args: await list('args', launch.args), ...(cwd !== undefined && { cwd }) };
  }
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(launch.headers)) headers.push([name, await text(value, 'headers', name)]);
  return {
    ...launch,
    url: await text(launch.url, 'url'),
    headers: Object.fromEntries(headers),
    ...(launch.ca && { ca: await list('ca', launch.ca) }),
    ...(launch.oauth && { oauth: await expandMembers(launch.oauth, text, ['oauth']) }),
  };
}

/** Replaces variables in every string of an object, however deep. */
async function expandMembers<T extends object>(
  members: T,
  text: ExpandText,
  place: readonly (string | number)[],
): Promise<T> {
  const deep = async (value: unknown, here: readonly (string | number)[]): Promise<unknown> => {
    if (typeof value === 'string') return text(value, ...here);
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => deep(item, [...here, index])));
    return typeof value === 'object' && value !== null ? expandMembers(value, text, here) : value;
  };
  const pairs = Object.entries(members).map(async ([name, value]) => [name, await deep(value, [...place, name])]);
  return Object.fromEntries(await Promise.all(pairs));
}

async function readEnvFile(entry: ServerEntry, lookup: Lookup, text: ExpandText, missing: string[]): Promise<Layer> {
  if (entry.envFile === undefined) return new Map();
  const before = missing.length;
  const path = absolute(await text(entry.envFile, 'envFile'), entry, lookup);
  if (missing.length > before) return new Map();
  try {
    const text = await (lookup.readFile ?? readUtf8)(path);
    // Few entries have one, so its parser is read when it is first needed.
    const { parseEnvFile } = await import('./envFile.ts');
    const values = parseEnvFile(text);
    for (const value of values.values()) lookup.onSecret?.(value);
    return values;
  } catch (error) {
    missing.push(`${pathOf(entry.path, ['envFile'])}: the file ${path} cannot be read (${reasonOf(error)})`);
    return new Map();
  }
}

function readUtf8(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'ENOENT' ? 'it does not exist' : error.message;
}

/** Makes a path absolute: `~` is home, relative stands below the entry's workspace folder, or home where none is open. */
function absolute(text: string, entry: ServerEntry, lookup: Lookup): string {
  const path = pathOfPlatform(lookup);
  const home = homeOf(lookup);
  if (/^~(?=$|[\\/])/.test(text)) return path.join(home, text.slice(1));
  return path.resolve(folderOf(lookup, entry.source)?.path ?? home, text);
}

/**
 * The program to start. `~` is home. A relative path stands below the working folder; where the entry names none and the working folder
 * has no such file, below the open folder, as a relative `cwd` does.
 */
async function programOf(
  { command, cwd }: StdioLaunch,
  folder: string,
  entry: ServerEntry,
  lookup: Lookup,
): Promise<string> {
  if (command.startsWith('~')) return absolute(command, entry, lookup);
  if (cwd !== undefined || !/^\.{1,2}[\\/]/.test(command)) return command;
  const path = pathOfPlatform(lookup);
  const below = absolute(command, entry, lookup);
  return !(await exists(path.resolve(folder, command))) && (await exists(below)) ? below : command;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function stdioConfig(entry: ServerEntry, launch: StdioLaunch, env: Layer, lookup: Lookup): Promise<ServerConfig> {
  const { command, cwd } = launch;
  if (command.trim() === '')
    throw new Error(`${pathOf(entry.path, ['command'])} is empty once its variables are replaced.`);
  const folder = cwd === undefined ? defaultFolder(entry, lookup) : absolute(cwd, entry, lookup);
  return {
    kind: 'stdio',
    name: entry.name,
    command: await programOf(launch, folder, entry, lookup),
    args: launch.args,
    env: Object.fromEntries(env),
    cwd: folder,
    ...(lookup.env && { inheritedEnv: lookup.env }),
    ...(entry.timeoutMs !== undefined && { timeoutMs: entry.timeoutMs }),
  };
}

/** An entry of the workspace starts in its folder, an entry of the person at home. */
function defaultFolder(entry: ServerEntry, lookup: Lookup): string {
  const ofWorkspace = !entry.source.startsWith('usr');
  return (ofWorkspace ? folderOf(lookup, entry.source)?.path : undefined) ?? homeOf(lookup);
}

async function httpConfig(entry: ServerEntry, launch: HttpLaunch, lookup: Lookup): Promise<ServerConfig> {
  const fault = urlFault(launch.url);
  if (fault !== undefined) throw new Error(`${pathOf(entry.path, ['url'])}, once its variables are replaced: ${fault}`);
  for (const [name, value] of Object.entries(launch.headers)) {
    const fault = headerValueFault(value);
    if (fault !== undefined) throw new Error(`${pathOf(entry.path, ['headers', name])}: ${fault}`);
  }
  return {
    kind: launch.kind,
    name: entry.name,
    url: launch.url,
    headers: launch.headers,
    ...(launch.oauth && { oauth: launch.oauth }),
    ...(launch.ca && { ca: await readCertificates(launch.ca, entry, lookup) }),
    ...(entry.timeoutMs !== undefined && { timeoutMs: entry.timeoutMs }),
  };
}

async function readCertificates(ca: readonly string[], entry: ServerEntry, lookup: Lookup): Promise<string[]> {
  const read = async (text: string, index: number): Promise<string> => {
    if (text.includes('-----BEGIN ')) return text;
    const path = absolute(text, entry, lookup);
    try {
      return await (lookup.readFile ?? readUtf8)(path);
    } catch (error) {
      throw new Error(`${pathOf(entry.path, ['ca', index])}: the file ${path} cannot be read (${reasonOf(error)}).`, {
        cause: error,
      });
    }
  };
  return Promise.all(ca.map(read));
}
