import { isRecord } from '../base/json.ts';
import type { Field } from './field.ts';

/** Takes a member that other products write to the ones that we read. Undefined: the member cannot be understood so. */
type Rewrite = (field: Field) => Field[] | undefined;

const url =
  (type: 'http' | 'sse'): Rewrite =>
  (field) => [say(field, 'url', field.value, { type }), { ...field, name: 'type', value: type }];

const turnedOff: Rewrite = (field) =>
  typeof field.value === 'boolean' ? [say(field, 'disabled', !field.value)] : undefined;

const milliseconds: Rewrite = (field) => {
  const value = Number(field.value);
  return [say(field, 'timeout', Number.isFinite(value) && field.value !== null ? value / 1000 : field.value)];
};

const excluded: Rewrite = (field) => [say(field, 'tools', { deny: field.value })];

/** `requestInit: { headers }` of the SDKs. */
const requestOptions: Rewrite = (field) =>
  isRecord(field.value) && isRecord(field.value['headers']) ? [say(field, 'headers', field.value['headers'])] : [];

const bearerToken: Rewrite = (field) =>
  typeof field.value === 'string'
    ? [say(field, 'headers', { Authorization: `Bearer \${env:${field.value}}` })]
    : undefined;

const headersFromEnvironment: Rewrite = (field) => {
  if (!isRecord(field.value)) return undefined;
  const headers = Object.entries(field.value).map(([name, variable]) => [name, `\${env:${String(variable)}}`]);
  return [say(field, 'headers', Object.fromEntries(headers))];
};

/** `transport: { type, url, … }`: the launch is one level too deep. */
const nestedTransport: Rewrite = (field) => {
  if (!isRecord(field.value)) return undefined;
  field.report.hint(`The members of "${field.name}" are understood; here they stand in the entry itself.`, {
    kind: 'unwrap',
  });
  return Object.entries(field.value).map(([name, value]) => ({ name, value, report: field.report.at(name) }));
};

/** `command: { path, args, env }`: the program with all that belongs to it. */
const nestedCommand: Rewrite = (field) => {
  if (!isRecord(field.value)) return undefined;
  const { path, command = path, args, env } = field.value;
  if (typeof command !== 'string') return undefined;
  const members = Object.entries({ command, args, env }).filter(([, value]) => value !== undefined);
  return members.map(([name, value]) => say(field, name, value));
};

const REWRITES: ReadonlyMap<string, Rewrite> = new Map([
  ['httpurl', url('http')],
  ['sseurl', url('sse')],
  ['enabled', turnedOff],
  ['isactive', turnedOff],
  ['active', turnedOff],
  ['isenabled', turnedOff],
  ['isdisabled', (field) => [say(field, 'disabled', field.value)]],
  ['timeoutms', milliseconds],
  ['timeoutmillis', milliseconds],
  ['timeoutmilliseconds', milliseconds],
  ['requesttimeoutms', milliseconds],
  ['tooltimeoutms', milliseconds],
  ['excludetools', excluded],
  ['excludedtools', excluded],
  ['disabledtools', excluded],
  ['deniedtools', excluded],
  ['requestinit', requestOptions],
  ['requestoptions', requestOptions],
  ['bearertokenenvvar', bearerToken],
  ['envhttpheaders', headersFromEnvironment],
  ['transport', nestedTransport],
  ['command', nestedCommand],
]);

/** True for a member, named without case, `-` and `_`, that takes more than another name. */
export function isRewritten(key: string): boolean {
  return REWRITES.has(key);
}

/** The members that `field` stands for; `key` is its name without case, `-` and `_`. Undefined: it needs no rewriting, or cannot be. */
export function rewriteField(key: string, field: Field): Field[] | undefined {
  return REWRITES.get(key)?.(field);
}

function say(field: Field, name: string, value: unknown, more: Readonly<Record<string, unknown>> = {}): Field {
  field.report.hint(`"${field.name}" is understood; here it is called "${name}".`, {
    kind: 'members',
    members: { [name]: value, ...more },
  });
  return { name, value, report: field.report };
}
