import { isRecord } from '../base/json.ts';
import { readFields } from './fieldNames.ts';
import { kindOf, readEnvironment, readFilter, readFlag, readText, readTimeout } from './fieldValues.ts';
import type { Field } from './field.ts';
import { allowsName, type NameFilter } from './namePattern.ts';
import { parseLaunch } from './parseLaunch.ts';
import type { Report } from './problem.ts';
import { reportSlips } from './placeholderSlips.ts';
import type { ServerEntry, SettingsSource } from './serverEntry.ts';

/** Checks one entry. Undefined when an error was reported, which never concerns another entry. */
export function parseEntry(
  name: string,
  value: unknown,
  source: SettingsSource,
  report: Report,
): ServerEntry | undefined {
  const before = report.problems.length;
  const entry = isRecord(value)
    ? readEntry(name, readFields(value, report), source, report)
    : report.error(`An entry must be an object with "url" or "command", not ${kindOf(value)}.`);
  if (name.trim() === '') report.error('The name of the server is empty.');
  const failed = report.problems.slice(before).some((problem) => problem.severity === 'error');
  if (!entry || failed) return undefined;
  reportSlips(entry, report);
  return entry;
}

function readEntry(
  name: string,
  fields: ReadonlyMap<string, Field>,
  source: SettingsSource,
  report: Report,
): ServerEntry | undefined {
  const launch = parseLaunch(fields, report);
  const envFile = readText(fields.get('envFile'));
  const timeoutMs = readTimeout(fields.get('timeout'));
  const prefix = readPrefix(fields.get('prefix'));
  const tools = readFilter(fields.get('tools'));
  const autoApprove = readAutoApprove(fields.get('autoApprove'));
  const env = readEnvironment(fields.get('env'));
  const disabled = readFlag(fields.get('disabled')) ?? false;
  if (!launch) return undefined;
  return {
    name,
    source,
    path: report.path,
    segments: report.segments,
    launch,
    env,
    disabled,
    ...(envFile !== undefined && { envFile }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(prefix !== undefined && { prefix }),
    ...(tools && { tools }),
    ...(autoApprove && { autoApprove }),
  };
}

function readPrefix(field: Field | undefined): string | undefined {
  const prefix = readText(field);
  if (prefix === undefined || /^[a-zA-Z0-9_-]{1,24}$/.test(prefix)) return prefix;
  return field?.report.error('"prefix" may hold 1 to 24 letters, digits, "_" and "-".');
}

/** `true` is every tool. Exclusions alone approve nothing: what runs without asking has to be named. */
function readAutoApprove(field: Field | undefined): NameFilter | undefined {
  if (field?.value === true) return { allow: ['*'], deny: [] };
  if (field?.value === false) return undefined;
  const filter = readFilter(field);
  return filter && { allow: filter.allow ?? [], deny: filter.deny };
}

/** True when the person lets this server's tool `toolName` run without asking. */
export function isAutoApproved(entry: ServerEntry, toolName: string): boolean {
  return entry.autoApprove !== undefined && allowsName(entry.autoApprove, toolName);
}

/** True when the server's tool `toolName` may be offered. */
export function isToolAllowed(entry: ServerEntry, toolName: string): boolean {
  return entry.tools === undefined || allowsName(entry.tools, toolName);
}
