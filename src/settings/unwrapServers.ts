import { isRecord, type JsonObject } from '../base/json.ts';
import { isKnownField } from './fieldNames.ts';
import { kindOf } from './fieldValues.ts';
import type { Report } from './problem.ts';

/** One entry, not checked yet. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
  readonly report: Report;
}

/** What was found in the setting. `inputs` may have been pasted with the servers. */
export interface Unwrapped {
  readonly servers: NamedValue[];
  readonly inputs?: unknown;
}

/** What the object that holds the servers is called in other files and products. */
const WRAPPERS = new Set(
  'mcpServers mcp_servers mcp-servers servers mcp.servers mcp context_servers amp.mcpServers'.split(' '),
);

/** Finds the named entries in what was written as `mcp.servers`, also one or two objects too deep, or as a list. */
export function unwrapServers(value: unknown, report: Report): Unwrapped {
  if (Array.isArray(value)) return { servers: unwrapList(value, report) };
  if (!isRecord(value)) {
    report.error(`The servers must be an object of names and entries, not ${kindOf(value)}.`);
    return { servers: [] };
  }
  if (looksLikeEntry(value)) {
    report.error('This is an entry without a name. Put it one step deeper: "mcp.servers": { "some-name": { … } }.');
    return { servers: [] };
  }
  return join(Object.entries(value).map(([name, member]) => unwrapMember(name, member, report.at(name))));
}

function unwrapMember(name: string, value: unknown, report: Report): Unwrapped {
  if (name === 'inputs' && Array.isArray(value)) {
    report.hint('Inputs are understood here; their own place is the setting "mcp.inputs".');
    return { servers: [], inputs: value };
  }
  if (name === '$schema' && typeof value === 'string') return { servers: [] };
  if (!isWrapper(name, value)) return { servers: [{ name, value, report }] };
  report.hint(`"${name}" is one step too deep: its servers are understood, and belong into "mcp.servers" itself.`, {
    kind: 'unwrap',
  });
  return unwrapServers(value, report);
}

function isWrapper(name: string, value: unknown): boolean {
  if (!WRAPPERS.has(name)) return false;
  return Array.isArray(value) ? value.every(isRecord) : isRecord(value) && !looksLikeEntry(value);
}

/** True when a member that only an entry has holds what only an entry's member holds: no object. */
function looksLikeEntry(value: JsonObject): boolean {
  return Object.entries(value).some(([name, member]) => name !== 'inputs' && isKnownField(name) && !isRecord(member));
}

function unwrapList(list: readonly unknown[], report: Report): NamedValue[] {
  report.hint('A list of servers is understood; write an object of names and entries.');
  return list.flatMap((value, index) => {
    const place = report.at(index);
    const name = isRecord(value) ? (value['name'] ?? value['id']) : undefined;
    if (typeof name === 'string') return [{ name, value, report: place }];
    place.error('The entry needs a "name".');
    return [];
  });
}

function join(parts: readonly Unwrapped[]): Unwrapped {
  const inputs = parts.find((part) => part.inputs !== undefined)?.inputs;
  return { servers: parts.flatMap((part) => part.servers), ...(inputs !== undefined && { inputs }) };
}
