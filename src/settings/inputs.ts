import { asString, isRecord, type JsonObject } from '../base/json.ts';
import { kindOf } from './fieldValues.ts';
import { Report, type Problem } from './problem.ts';

/** A value that is asked for when a server starts; `${input:id}` stands for it. */
export type Input = PromptInput | PickInput | CommandInput;

interface InputBase {
  readonly id: string;
  readonly description?: string;
  readonly default?: string;
}

/** An input whose answer is typed. */
export interface PromptInput extends InputBase {
  readonly kind: 'promptString';
  /** True: the answer is a secret. */
  readonly password: boolean;
}

/** An input whose answer is chosen from a list. */
export interface PickInput extends InputBase {
  readonly kind: 'pickString';
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

/** An input whose answer comes from a command of the editor. */
export interface CommandInput extends InputBase {
  readonly kind: 'command';
  /** The editor command whose result is the answer. */
  readonly command: string;
  readonly args?: unknown;
}

/** Checks the value of `mcp.inputs`. An input with an error is left out and told; never throws. */
export function parseInputs(value: unknown, path = 'mcp.inputs'): { inputs: Input[]; problems: Problem[] } {
  const report = new Report(path);
  if (value === undefined || value === null) return { inputs: [], problems: [] };
  const inputs = new Map<string, Input>();
  for (const [place, member] of membersOf(value, report)) {
    const input = parseInput(member, place);
    if (input && inputs.has(input.id))
      place.error(`There are two inputs with the id "${input.id}"; the first one is used.`);
    else if (input) inputs.set(input.id, input);
  }
  return { inputs: [...inputs.values()], problems: report.problems };
}

/** The members of the list; an object of id → input counts as one with a hint. */
function membersOf(value: unknown, report: Report): [Report, unknown][] {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [report.at(index), member]);
  if (!isRecord(value)) {
    report.error(`Inputs must be a list, not ${kindOf(value)}.`);
    return [];
  }
  report.hint('An object of inputs is understood; write a list of { "id", "type", "description" }.');
  return Object.entries(value).map(([id, member]) => [report.at(id), isRecord(member) ? { id, ...member } : member]);
}

function parseInput(value: unknown, report: Report): Input | undefined {
  if (!isRecord(value)) return report.error(`An input must be an object, not ${kindOf(value)}.`);
  const id = asString(value['id']);
  if (id === undefined || id === '' || /[{}]/.test(id))
    return report.at('id').error('The input needs an "id", as text without braces.');
  const base = { id, ...readOptional('description', value, report), ...readOptional('default', value, report) };
  switch (value['type'] ?? 'promptString') {
    case 'promptString':
      return readPrompt(base, value, report);
    case 'pickString':
      return readPick(base, value, report);
    case 'command':
      return readCommand(base, value, report);
    default:
      return report.at('type').error('The type of an input is "promptString", "pickString" or "command".');
  }
}

function readOptional(name: 'description' | 'default', value: JsonObject, report: Report): { [name: string]: string } {
  const member = value[name];
  if (member === undefined || member === null) return {};
  if (typeof member === 'string') return { [name]: member };
  if (name === 'default' && (typeof member === 'number' || typeof member === 'boolean'))
    return { [name]: String(member) };
  report.at(name).error(`"${name}" must be text, not ${kindOf(member)}.`);
  return {};
}

function readPrompt(base: InputBase, value: JsonObject, report: Report): PromptInput | undefined {
  const password = value['password'] ?? false;
  if (typeof password !== 'boolean') return report.at('password').error('"password" must be true or false.');
  return { kind: 'promptString', ...base, password };
}

function readPick(base: InputBase, value: JsonObject, report: Report): PickInput | undefined {
  const place = report.at('options');
  if (!Array.isArray(value['options']) || value['options'].length === 0) {
    return place.error('A "pickString" needs "options": a list of texts, or of { "label", "value" }.');
  }
  const options = value['options'].map((option: unknown, index) => readOption(option, place.at(index)));
  const whole = options.filter((option) => option !== undefined);
  return whole.length === options.length ? { kind: 'pickString', ...base, options: whole } : undefined;
}

function readOption(option: unknown, report: Report): PickInput['options'][number] | undefined {
  if (typeof option === 'string' || typeof option === 'number') return { label: String(option), value: String(option) };
  const value = isRecord(option) ? asString(option['value']) : undefined;
  if (value === undefined || !isRecord(option)) return report.error('An option must be text, or { "label", "value" }.');
  return { label: asString(option['label']) ?? value, value };
}

function readCommand(base: InputBase, value: JsonObject, report: Report): CommandInput | undefined {
  const command = asString(value['command']);
  if (command === undefined || command === '')
    return report.at('command').error('"command" must be the id of an editor command.');
  return { kind: 'command', ...base, command, ...(value['args'] !== undefined && { args: value['args'] }) };
}

/**
 * Makes the `input` of a lookup: finds the input and asks for it. `ask` gives undefined when the person cancelled; then the default counts
 * only where `ask` itself returned it. Rejects with an Error that names the input.
 */
export function inputLookup(
  inputs: readonly Input[],
  ask: (input: Input) => Promise<string | undefined>,
): (id: string) => Promise<string> {
  const byId = new Map(inputs.map((input) => [input.id, input]));
  return async (id) => {
    const input = byId.get(id);
    if (!input) throw new Error(`there is no input "${id}" in "mcp.inputs"`);
    const answer = await ask(input);
    if (answer === undefined) throw new Error(`the input "${id}"${about(input)} was not answered`);
    if (input.kind === 'pickString' && !input.options.some(({ value }) => value === answer)) {
      throw new Error(`the answer to the input "${id}"${about(input)} is none of its options`);
    }
    return answer;
  };
}

function about(input: Input): string {
  return input.description === undefined ? '' : ` (${input.description})`;
}
