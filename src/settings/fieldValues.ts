import { isRecord } from '../base/json.ts';
import type { Field } from './field.ts';
import { splitWords } from './commandLine.ts';
import { filterOfList, type NameFilter } from './namePattern.ts';
import type { Report } from './problem.ts';

/** Longest time that one request may take, in seconds, whatever the settings say. */
const LONGEST_TIMEOUT_S = 30 * 60;

/** Readers of single members. Each returns undefined for an absent member, and after it has reported an error. */

export function readText(field: Field | undefined): string | undefined {
  if (!field || field.value === null) return undefined;
  if (typeof field.value !== 'string')
    return field.report.error(`"${field.name}" must be text, not ${kindOf(field.value)}.`);
  const text = field.value.trim();
  if (text === '') return field.report.error(`"${field.name}" is empty.`);
  return checkText(text, field.report);
}

export function readFlag(field: Field | undefined): boolean | undefined {
  if (!field || field.value === null) return undefined;
  if (typeof field.value === 'boolean') return field.value;
  const word = typeof field.value === 'string' ? field.value.trim().toLowerCase() : '';
  if (word !== 'true' && word !== 'false') return field.report.error(`"${field.name}" must be true or false.`);
  field.report.hint(`Write ${word} without quotes.`, { kind: 'replace', value: word === 'true' });
  return word === 'true';
}

/** Seconds as written → milliseconds. */
export function readTimeout(field: Field | undefined): number | undefined {
  if (!field || field.value === null) return undefined;
  const seconds = typeof field.value === 'string' && field.value.trim() !== '' ? Number(field.value) : field.value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) {
    return field.report.error(`"timeout" must be a number of seconds above 0, for example 60.`);
  }
  if (typeof field.value === 'string')
    field.report.hint('Write the number without quotes.', { kind: 'replace', value: seconds });
  if (seconds > LONGEST_TIMEOUT_S) {
    const meant = seconds >= 1000 ? ` If milliseconds were meant, write ${seconds / 1000}.` : '';
    field.report.warn(`"timeout" is in seconds and at most ${LONGEST_TIMEOUT_S} (30 minutes), which is used.${meant}`);
  }
  return Math.min(seconds, LONGEST_TIMEOUT_S) * 1000;
}

/** `args`: a list whose numbers and booleans become text, or one string that is split as a shell would. */
export function readArguments(field: Field | undefined): string[] {
  if (!field || field.value === null) return [];
  if (typeof field.value === 'string') {
    const words = splitWords(field.value);
    field.report.hint('Arguments in one string are split at blanks; a list of strings says it exactly.', {
      kind: 'replace',
      value: words,
    });
    return words;
  }
  if (!Array.isArray(field.value)) {
    field.report.error(`"args" must be a list of strings, not ${kindOf(field.value)}.`);
    return [];
  }
  return field.value.map((value: unknown, index) => readScalar(value, field.report.at(index), 'An argument') ?? '');
}

/** `env`: names and values; null removes a variable. A list of `NAME=value` is understood too. */
export function readEnvironment(field: Field | undefined): Record<string, string | null> {
  const values: [string, string | null][] = [];
  for (const [name, value] of readPairs(field, '=')) {
    const report = field?.report.at(name);
    if (!report) break;
    if (name === '' || /[=\0]/.test(name)) report.error(`"${name}" cannot be the name of an environment variable.`);
    const text = value === null ? null : readScalar(value, report, 'The value of an environment variable');
    if (text !== undefined) values.push([name, text]);
  }
  return Object.fromEntries(values);
}

/** Members as pairs; a list of `name<separator>value` strings, or of `{ name, value }`, counts as such with a hint. */
export function readPairs(field: Field | undefined, separator: '=' | ':'): [string, unknown][] {
  if (!field || field.value === null) return [];
  if (isRecord(field.value)) return Object.entries(field.value);
  const pairs = Array.isArray(field.value) ? field.value.map((item) => readPair(item, separator)) : [];
  const whole = pairs.filter((pair) => pair !== undefined);
  if (!Array.isArray(field.value) || whole.length < pairs.length) {
    field.report.error(`"${field.name}" must be an object of names and values, not ${kindOf(field.value)}.`);
    return [];
  }
  field.report.hint(`A list is understood; write "${field.name}" as an object of names and values.`, {
    kind: 'replace',
    value: Object.fromEntries(whole),
  });
  return whole;
}

function readPair(item: unknown, separator: string): [string, unknown] | undefined {
  if (typeof item === 'string') {
    const cut = item.indexOf(separator);
    return cut > 0
      ? [item.slice(0, cut).trim(), separator === ':' ? item.slice(cut + 1).trim() : item.slice(cut + 1)]
      : undefined;
  }
  if (!isRecord(item)) return undefined;
  const name = item['name'] ?? item['key'];
  return typeof name === 'string' ? [name, item['value']] : undefined;
}

/** Text, or a number or boolean as text. */
export function readScalar(value: unknown, report: Report, what: string): string | undefined {
  if (typeof value === 'string') return checkText(value, report);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return report.error(`${what} must be text, a number or a boolean, not ${kindOf(value)}.`);
}

function checkText(text: string, report: Report): string | undefined {
  if (text.includes('\0')) return report.error('The text holds a NUL character, which no process or header can take.');
  const open = /\$\{[^}]*$/.exec(text);
  if (open) report.warn(`"${open[0]}" has no closing brace and is passed as it is.`);
  return text;
}

/** `tools` and `autoApprove`: a list of name patterns (`!x` and `-x` take out), or `{ allow, deny }`. */
export function readFilter(field: Field | undefined): NameFilter | undefined {
  if (!field || field.value === null) return undefined;
  const { value, report } = field;
  if (typeof value === 'string') return filterOfList([value]);
  if (Array.isArray(value)) return filterOfList(readPatterns(value, report));
  if (!isRecord(value))
    return report.error(`"${field.name}" must be a list of tool names, or { "allow": […], "deny": […] }.`);
  if (Object.values(value).every((member) => typeof member === 'boolean')) return filterOfSwitches(value);
  const allow = value['allow'] ?? value['include'];
  const deny = value['deny'] ?? value['exclude'] ?? [];
  for (const name of Object.keys(value)) {
    if (!['allow', 'include', 'deny', 'exclude'].includes(name)) report.at(name).warn(`"${name}" is not known here.`);
  }
  return {
    ...(allow === undefined ? {} : { allow: readPatterns(allow, report.at('allow')) }),
    deny: readPatterns(deny, report.at('deny')),
  };
}

/** `{ "read": true, "write": false }`. */
function filterOfSwitches(value: object): NameFilter {
  const on = Object.entries(value).filter(([, flag]) => flag === true);
  const off = Object.entries(value).filter(([, flag]) => flag === false);
  const deny = off.map(([name]) => name);
  return on.length === 0 ? { deny } : { allow: on.map(([name]) => name), deny };
}

function readPatterns(value: unknown, report: Report): string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list)) {
    report.error(`Tool names must be a list of strings, not ${kindOf(value)}.`);
    return [];
  }
  return list.flatMap((item: unknown, index) => {
    if (typeof item === 'string' && item !== '') return [item];
    report.at(index).error('A tool name must be text; "*" stands for any characters.');
    return [];
  });
}

/** What a value is, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}
