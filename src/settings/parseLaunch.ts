import { asString, isRecord } from '../base/json.ts';
import { splitCommand } from './commandLine.ts';
import type { Field } from './field.ts';
import { kindOf, readArguments, readText } from './fieldValues.ts';
import { readHeaders } from './headers.ts';
import type { Report } from './problem.ts';
import type { HttpLaunch, Launch, OauthSettings, StdioLaunch } from './serverEntry.ts';
import { urlFault } from './urlFault.ts';

type Fields = ReadonlyMap<string, Field>;

const TYPES: ReadonlyMap<string, Launch['kind']> = new Map([
  ...['stdio', 'local', 'command', 'process', 'stdin', 'stdinout'].map((word) => [word, 'stdio'] as const),
  ...['sse', 'httpsse', 'http+sse', 'serversentevents', 'legacysse'].map((word) => [word, 'sse'] as const),
  ...[
    'http',
    'https',
    'streamable',
    'streamablehttp',
    'httpstream',
    'httpstreaming',
    'httpstreamable',
    'streaminghttp',
  ].map((word) => [word, 'http'] as const),
  ...['remote', 'url', 'auto'].map((word) => [word, 'auto'] as const),
]);

const OWN_TYPES = ['stdio', 'sse', 'http', 'auto'];

/** How a server is reached: by `type` where it is given, else by the presence of `url` or `command`. */
export function parseLaunch(fields: Fields, report: Report): Launch | undefined {
  const type = readType(fields.get('type'));
  const hasUrl = isGiven(fields.get('url'));
  const hasCommand = isGiven(fields.get('command'));
  if (hasUrl && hasCommand) {
    return (fields.get('url')?.report ?? report).error('An entry has either "url" or "command", not both.');
  }
  if (!hasUrl && !hasCommand) return reportNothing(type, report);
  if (type === 'stdio' && hasUrl) {
    return report
      .at('command')
      .error('"command" is missing: type "stdio" starts a program. For a "url" the type is "http" or "sse".');
  }
  if (type !== undefined && type !== 'stdio' && hasCommand) {
    return report.at('url').error(`"url" is missing: type "${type}" needs one. For a "command" the type is "stdio".`);
  }
  return hasUrl ? parseHttp(fields, type === 'stdio' ? undefined : type) : parseStdio(fields);
}

function isGiven(field: Field | undefined): boolean {
  return field !== undefined && field.value !== null;
}

function reportNothing(type: Launch['kind'] | undefined, report: Report): undefined {
  if (type === 'stdio') return report.at('command').error('"command" is missing: the program to start.');
  if (type !== undefined) return report.at('url').error('"url" is missing: the address of the server.');
  return report.error('The entry needs a "url" (a running server) or a "command" (a program to start).');
}

function readType(field: Field | undefined): Launch['kind'] | undefined {
  if (!field || field.value === null) return undefined;
  if (typeof field.value !== 'string') return field.report.error(`"type" must be text, not ${kindOf(field.value)}.`);
  const type = TYPES.get(
    field.value
      .trim()
      .toLowerCase()
      .replaceAll(/[-_\s]/g, ''),
  );
  if (type === undefined) {
    return field.report.error(
      `The type "${field.value}" is not known; there are "stdio", "sse" and "http". Without "type" it is found out.`,
      { kind: 'remove' },
    );
  }
  if (!OWN_TYPES.includes(field.value))
    field.report.hint(`"${field.value}" is understood; here it is called "${type}".`, { kind: 'replace', value: type });
  return type;
}

function parseStdio(fields: Fields): StdioLaunch | undefined {
  const [command, ...first] = readCommand(fields.get('command'));
  const args = [...first, ...readArguments(fields.get('args'))];
  const cwd = readText(fields.get('cwd'));
  for (const name of ['headers', 'oauth', 'ca']) {
    fields
      .get(name)
      ?.report.hint(`"${name}" has no effect for a server that is started by "command".`, { kind: 'remove' });
  }
  return command === undefined ? undefined : { kind: 'stdio', command, args, ...(cwd === undefined ? {} : { cwd }) };
}

/** The program and the arguments that were written with it. */
function readCommand(field: Field | undefined): string[] {
  if (field && Array.isArray(field.value)) {
    const words = readArguments(field);
    if (!words[0]) field.report.error('"command" is empty.');
    else {
      const [command, ...args] = words;
      field.report.hint('A list is understood; write the program as "command" and the rest as "args".', {
        kind: 'members',
        members: { command, args },
      });
    }
    return words;
  }
  const command = readText(field);
  const split = command === undefined ? undefined : splitCommand(command);
  if (!split) return command === undefined ? [] : [command];
  field?.report.hint('The arguments were taken from "command"; write them as a list under "args".', {
    kind: 'members',
    members: { command: split.command, args: split.args },
  });
  return [split.command, ...split.args];
}

function parseHttp(fields: Fields, type: HttpLaunch['kind'] | undefined): HttpLaunch | undefined {
  const url = readUrl(fields.get('url'));
  const headers = readHeaders(fields.get('headers'));
  const oauth = readOauth(fields.get('oauth'));
  const ca = readCertificates(fields.get('ca'));
  for (const name of ['args', 'cwd']) {
    fields.get(name)?.report.hint(`"${name}" has no effect for a server that is reached by "url".`, { kind: 'remove' });
  }
  if (url === undefined) return undefined;
  return { kind: type ?? 'auto', url, headers, ...(oauth && { oauth }), ...(ca && { ca }) };
}

function readUrl(field: Field | undefined): string | undefined {
  const url = readText(field);
  if (url === undefined || !field) return undefined;
  const fault = url.includes('${') ? undefined : urlFault(url);
  return fault === undefined ? url : field.report.error(fault);
}

function readCertificates(field: Field | undefined): string[] | undefined {
  if (!field || field.value === null) return undefined;
  const list: unknown[] = Array.isArray(field.value) ? field.value : [field.value];
  const texts = list.filter((item) => typeof item === 'string' && item.trim() !== '').map(String);
  if (texts.length === list.length) return texts;
  return field.report.error('"ca" must be the path of a PEM file, PEM text, or a list of these.');
}

function readOauth(field: Field | undefined): OauthSettings | undefined {
  if (!field || field.value === null) return undefined;
  if (!isRecord(field.value)) {
    // Elsewhere "auth" is often a word such as "oauth": sign-in starts by itself where a server asks for it.
    if (!field.report.path.endsWith('.oauth')) {
      field.report.hint('This has no effect; "oauth" is an object.');
      return undefined;
    }
    return field.report.error(`"oauth" must be an object, not ${kindOf(field.value)}.`);
  }
  const { clientId, clientSecret, client_id, client_secret, scopes, scope, ...others } = field.value;
  return {
    ...others,
    ...readOauthText('clientId', clientId ?? client_id, field.report),
    ...readOauthText('clientSecret', clientSecret ?? client_secret, field.report),
    ...readScopes(scopes ?? scope, field.report.at(scopes === undefined ? 'scope' : 'scopes')),
  };
}

function readOauthText(name: string, value: unknown, report: Report): { [name: string]: string } {
  if (value === undefined || value === null) return {};
  if (typeof value === 'string' && value !== '') return { [name]: value };
  report.at(name).error(`"${name}" must be text.`);
  return {};
}

function readScopes(value: unknown, report: Report): { scopes?: string[] } {
  if (value === undefined || value === null) return {};
  const scopes: unknown[] = Array.isArray(value) ? value : (asString(value)?.split(/\s+/).filter(Boolean) ?? [value]);
  const texts = scopes.map(asString).filter((scope) => scope !== undefined && scope !== '');
  if (texts.length === scopes.length) return { scopes: texts.filter((scope) => scope !== undefined) };
  report.error('"scopes" must be a list of strings.');
  return {};
}
