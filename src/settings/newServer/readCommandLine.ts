import { parseJson, isRecord, type JsonObject } from '../../base/json.ts';
import { splitWords } from '../commandLine.ts';
import { isSecretName } from './secretTexts.ts';
import { problem, type PasteProblem } from './told.ts';

/** What a command line says, or why it says nothing. */
export type CommandLine = { readonly kind: 'entry'; readonly value: unknown; readonly name?: string } | PasteProblem;

/**
 * Reads a command line as it stands in a README: with a prompt in front, over several lines, with variables before the program;
 * also what other products' own `mcp add` take.
 */
export function readCommandLine(text: string): CommandLine {
  const line = text
    .replaceAll(/[\\^`]\r?\n/g, ' ')
    .replace(/^\s*(?:[$>#%]|PS>)\s+/, '')
    .trim();
  const words = splitWords(line);
  const added = readAddCommand(words);
  if (added) return added;
  const operator = operatorIn(line);
  if (operator !== undefined) return problem('shell', operator);
  const env: Record<string, string> = {};
  while (words[0] === 'export' || words[0] === 'env' || /^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const [name = '', ...rest] = (words.shift() ?? '').split('=');
    if (rest.length > 0) env[name] = rest.join('=');
  }
  const [command, ...args] = words;
  if (command === undefined || command === '') return problem('noProgram');
  return { kind: 'entry', value: entryOf(command, args, env) };
}

function entryOf(command: string, args: readonly string[], env: Readonly<Record<string, string>>): JsonObject {
  const all = { ...passedOn(command, args), ...env };
  return { command, ...(args.length > 0 && { args }), ...(Object.keys(all).length > 0 && { env: all }) };
}

/** `docker run -e TOKEN` passes a variable of ours on: one that is a secret has to be given to us. */
function passedOn(command: string, args: readonly string[]): Record<string, string> {
  if (!/(?:^|[\\/])(?:docker|podman)(?:\.exe)?$/i.test(command)) return {};
  const names = args.filter((word, at) => /^(?:-e|--env)$/.test(args[at - 1] ?? '') && /^[A-Za-z_]\w*$/.test(word));
  return Object.fromEntries(names.filter(isSecretName).map((name) => [name, `<${name}>`]));
}

/** What only a shell does, outside of quotes. */
function operatorIn(line: string): string | undefined {
  const bare = line.replaceAll(/"(?:\\"|[^"])*"|'[^']*'/g, '_');
  return /(?:&&|\|\||(?<=\s)[|&](?=\s|$)|;(?=\s|$)|(?<=\s)>{1,2}(?=\s)|\$\()/.exec(bare)?.[0];
}

/** `claude mcp add`, `codex mcp add`, `gemini mcp add`, `code --add-mcp`. */
function readAddCommand(words: readonly string[]): CommandLine | undefined {
  const at = words.indexOf('--add-mcp');
  if (at > 0) return readJsonWord(words[at + 1] ?? '');
  const [, mcp, add, ...rest] = words;
  if (mcp !== 'mcp' || (add !== 'add' && add !== 'add-json')) return undefined;
  if (add === 'add-json') {
    const [name, json = ''] = rest.filter((word) => !word.startsWith('-'));
    return readJsonWord(json, name);
  }
  return readAddWords(rest);
}

function readJsonWord(json: string, name?: string): CommandLine {
  const parsed = parseJson(json);
  if (!parsed.ok || !isRecord(parsed.value)) return problem('addNoObject');
  return { kind: 'entry', value: parsed.value, ...(name !== undefined && { name }) };
}

interface AddWords {
  type?: string;
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly rest: string[];
}

function readAddWords(words: readonly string[]): CommandLine {
  const queue = [...words];
  const found: AddWords = { env: {}, headers: {}, rest: [] };
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--') found.rest.push(...queue.splice(0));
    else if (found.rest.length >= 2 && !/^https?:/i.test(found.rest[1] ?? ''))
      found.rest.push(word, ...queue.splice(0));
    else if (word.startsWith('-')) takeOption(word, queue, found);
    else found.rest.push(word);
  }
  const [name, target, ...args] = found.rest;
  if (name === undefined || target === undefined) return problem('addNothing');
  const { type, env, headers } = found;
  if (/^https?:\/\//i.test(target))
    return { kind: 'entry', name, value: { url: target, ...(type !== undefined && { type }), headers } };
  return { kind: 'entry', name, value: entryOf(target, args, env) };
}

function takeOption(word: string, queue: string[], found: AddWords): void {
  const [option = '', ...inline] = word.split('=');
  const value = inline.length > 0 ? inline.join('=') : (queue.shift() ?? '');
  if (/^(?:-t|--transport|--type)$/.test(option)) found.type = value;
  else if (/^(?:-H|--header)$/.test(option)) assign(found.headers, value, ':');
  else if (/^(?:-e|--env)$/.test(option)) assign(found.env, value, '=');
  else if (option === '--url') found.rest.push(value);
}

function assign(target: Record<string, string>, text: string, mark: ':' | '='): void {
  const at = text.indexOf(mark);
  if (at > 0) target[text.slice(0, at).trim()] = text.slice(at + 1).trim();
}
