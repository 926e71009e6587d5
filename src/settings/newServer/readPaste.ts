import { parse, type ParseError } from 'jsonc-parser';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { parseServers } from '../parseSettings.ts';
import { isKnownField } from '../fieldNames.ts';
import { urlFault } from '../urlFault.ts';
import { entryJson } from './entryJson.ts';
import type { NewServer } from './addition.ts';
import { readCommandLine } from './readCommandLine.ts';
import { readLink } from './readLink.ts';
import { proposeName } from './proposeName.ts';
import { problem, told, type PasteProblem, type Told } from './told.ts';

/** What a person has pasted to add a server. `word` may be an npm package, a Python package or a program. */
export type Paste =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'word'; readonly word: string }
  | {
      readonly kind: 'servers';
      readonly servers: readonly NewServer[];
      readonly inputs: readonly JsonObject[];
      readonly notes: readonly Told[];
    }
  | PasteProblem;

/** Reads what was pasted: a URL, a command line, the name of a package, JSON in any product's spelling, or an install link. Never throws. */
export function readPaste(pasted: string): Paste {
  const text = withoutFence(pasted).trim();
  if (text === '') return problem('empty');
  if (/^[{[]/.test(text) || /^"[^"]+"\s*:/.test(text)) return readJsonText(text);
  const link = readLink(text);
  if (link) return link.kind === 'problem' ? link : readEntries(link.value, link.name);
  if (/^https?:\/\/\S*$/i.test(text)) return readUrl(text);
  if (/^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})(?:\/\S*)?$/i.test(text))
    return readUrl(`http://${text}`);
  if (/^(?:[\w-]+\.)+[a-z]{2,}\/\S*$/i.test(text)) return readUrl(`https://${text}`);
  if (/^\w[\w+.-]*:\/\//.test(text) && !/\s/.test(text)) return problem('notUrl', urlFault(text) ?? text);
  if (/^(?:@[\w.-]+\/)?[\w][\w.-]*(?:@[\w.^~-]+)?$/.test(text)) return readWord(text);
  return readCommand(text);
}

/** A server that is one program, by what kind of package it is. */
export function packageEntry(word: string, kind: 'npm' | 'python' | 'program'): JsonObject {
  if (kind === 'npm') return { command: 'npx', args: ['-y', word] };
  return kind === 'python' ? { command: 'uvx', args: [word] } : { command: word };
}

/**
 * Servers in any product's spelling, of which each that can be used is returned in ours. `name` is for an entry that stands alone.
 * A problem where there is none of use, with the reason.
 */
export function readEntries(value: unknown, name?: string): Paste {
  const named = isRecord(value) && isLoneEntry(value) ? { [nameOf(value, name)]: value } : value;
  const { entries, problems, inputs } = parseServers(unwrapSettings(named), 'usrlocal');
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (entries.length === 0) {
    const [error] = errors;
    return error ? problem('entry', error.path, error.message) : problem('noServer');
  }
  const servers = entries.map((entry) => ({ name: entry.name.trim(), entry: entryJson(entry) }));
  const trusting = entries.filter(({ autoApprove }) => autoApprove).map(({ name }) => name);
  const notes = [
    ...errors.map(({ path, message }) => told('entry', path, message)),
    ...trusting.map((server) => told('autoApprove', server)),
  ];
  const brought = inputsOf(inputs ?? inputsBeside(value));
  const running = brought.filter(({ type }) => type === 'command').map(({ id }) => told('commandInput', String(id)));
  return { kind: 'servers', servers, inputs: brought.map(asked), notes: [...notes, ...running] };
}

/** JSON as it stands in a README: with comments, with a comma behind, or a member without the braces around it. */
function readJsonText(text: string): Paste {
  const whole = text.startsWith('"') ? `{${text.replace(/,\s*$/, '')}}` : text;
  const errors: ParseError[] = [];
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  const [first] = errors;
  // A member too many at the end, `"a": {…} }`, is a common slip of the mouse.
  if (first && text.startsWith('"') && text.endsWith('}')) {
    const again: ParseError[] = [];
    const shorter: unknown = parse(whole.slice(0, -1), again, { allowTrailingComma: true });
    if (again.length === 0) return readEntries(shorter);
  }
  if (first) {
    const added = whole.length - text.length > 0 ? 1 : 0;
    return problem('brokenJson', first.offset + 1 - added, near(whole, first.offset));
  }
  return readEntries(value);
}

function near(text: string, offset: number): string {
  return text
    .slice(Math.max(0, offset - 10), offset + 10)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function readUrl(url: string): Paste {
  const fault = urlFault(url);
  return fault === undefined ? { kind: 'url', url } : problem('notUrl', fault);
}

function readWord(text: string): Paste {
  if (!text.startsWith('@')) return { kind: 'word', word: text };
  const entry = packageEntry(text, 'npm');
  return { kind: 'servers', servers: [{ name: proposeName(entry), entry }], inputs: [], notes: [] };
}

function readCommand(text: string): Paste {
  const read = readCommandLine(text);
  if (read.kind === 'problem') return read;
  return readEntries(read.value, read.name);
}

/** True for one entry without a name around it. */
function isLoneEntry(value: JsonObject): boolean {
  const members = Object.entries(value).filter(([name]) => isKnownField(name));
  const starts = members.some(
    ([name, member]) => /^(?:command|cmd|url|server_?url|httpurl|sseurl)$/i.test(name) && !isRecord(member),
  );
  return starts || (isRecord(value['transport']) && members.length > 0);
}

function nameOf(value: JsonObject, name: string | undefined): string {
  const own = name ?? value['name'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : proposeName(value);
}

/** Whole settings files hold the servers among other things. */
function unwrapSettings(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const keys = ['mcpServers', 'mcp_servers', 'mcp.servers', 'servers', 'context_servers', 'amp.mcpServers'];
  const inside = [value, value['mcp']].filter(isRecord);
  for (const object of inside) {
    const found = keys.map((key) => object[key]).find((member) => isRecord(member) || Array.isArray(member));
    if (found !== undefined && !isLoneEntry(object)) return found;
  }
  return value;
}

function inputsBeside(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { mcp } = value;
  return value['inputs'] ?? value['mcp.inputs'] ?? (isRecord(mcp) ? mcp['inputs'] : undefined);
}

function inputsOf(inputs: unknown): JsonObject[] {
  return Array.isArray(inputs) ? inputs.filter(isRecord).filter(({ id }) => typeof id === 'string') : [];
}

/** A command of the editor is run for nobody but the person who wrote it: what came from elsewhere is asked for instead. */
function asked(input: JsonObject): JsonObject {
  if (input['type'] !== 'command') return input;
  const { id, description } = input;
  return { id, type: 'promptString', ...(description !== undefined && { description }) };
}

function withoutFence(text: string): string {
  const fenced = /^\s*(`{3,}|~{3,})[^\n`]*\n?([\s\S]*?)\n?\s*\1\s*$/.exec(text)?.[2] ?? text;
  return /^\s*`[^`]+`\s*$/.test(fenced) ? fenced.replaceAll('`', '') : fenced;
}
