import * as vscode from 'vscode';

import {
  problemOf,
  valueOfText,
  type Choice,
  type FieldProblem,
  type FieldValue,
  type FormField,
} from '../mcp/elicitationForm.ts';
import { oneLine } from './plainText.ts';
import { askPick, askText, label, type Answer } from './quickInputs.ts';

/** Where a field stands in its form. */
export interface FieldPlace {
  readonly title: string;
  /** What the server says of the whole form. */
  readonly message: string;
  readonly signal: AbortSignal;
  readonly step?: number;
  readonly totalSteps?: number;
}

type ChoiceItem = vscode.QuickPickItem & { readonly value?: FieldValue };

/** A field to ask for, and its present value. */
interface AskedField {
  readonly field: FormField;
  readonly value: FieldValue | undefined;
  readonly place: FieldPlace;
}

/** Asks for one field, beginning with the present value. A value of undefined leaves the field out. */
export async function askField(
  field: FormField,
  value: FieldValue | undefined,
  place: FieldPlace,
): Promise<Answer<FieldValue | undefined>> {
  const { type } = field;
  switch (type.kind) {
    case 'boolean':
      return askChoice({ field, value, place }, booleanItems());
    case 'choice':
      return askChoice({ field, value, place }, type.choices.map(choiceItem));
    case 'choices':
      return askChoices({ field, value, place }, type.choices.map(choiceItem));
    case 'text':
    case 'number':
      return askTyped({ field, value, place });
  }
}

async function askTyped({ field, value, place }: AskedField): Promise<Answer<FieldValue | undefined>> {
  const shown = value === undefined ? '' : String(value);
  const answer = await askText(textOf(field, place), {
    signal: place.signal,
    value: shown,
    problemOf: (text) => {
      const problem = problemOf(field, valueOfText(field, text));
      return problem && problemText(problem);
    },
  });
  return answer.kind === 'value' ? { kind: 'value', value: valueOfText(field, answer.value) } : answer;
}

async function askChoice(
  { field, value, place }: AskedField,
  choices: readonly ChoiceItem[],
): Promise<Answer<FieldValue | undefined>> {
  const items = field.isRequired ? choices : [...choices, noAnswer()];
  const selected = items.filter((item) => item.value === value);
  const answer = await askPick(items, textOf(field, place), { signal: place.signal, selected });
  return answer.kind === 'value' ? { kind: 'value', value: answer.value[0]?.value } : answer;
}

async function askChoices(
  { field, value, place }: AskedField,
  items: readonly ChoiceItem[],
): Promise<Answer<FieldValue | undefined>> {
  const present = typeof value === 'object' ? value : [];
  const isPresent = (item: ChoiceItem): boolean => typeof item.value === 'string' && present.includes(item.value);
  const valueOf = (chosen: readonly ChoiceItem[]): readonly string[] | undefined => {
    const texts = chosen.flatMap((item) => (typeof item.value === 'string' ? [item.value] : []));
    return texts.length === 0 && !field.isRequired ? undefined : texts;
  };
  const answer = await askPick(items, textOf(field, place), {
    signal: place.signal,
    many: true,
    selected: items.filter(isPresent),
    isFine: (chosen) => {
      const problem = problemOf(field, valueOf(chosen));
      return problem && problemText(problem);
    },
  });
  return answer.kind === 'value' ? { kind: 'value', value: valueOf(answer.value) } : answer;
}

function textOf(field: FormField, { title, message, step, totalSteps }: FieldPlace): Parameters<typeof askText>[0] {
  const words = [field.description, constraintText(field)].filter((part) => part !== undefined && part !== '');
  // Before the list was seen, the person does not know yet what it is about.
  const isFirst = step !== undefined && message !== '';
  const name = `${oneLine(field.title, 80)}${field.isRequired ? ' *' : ''}`;
  const about = words.length === 0 ? name : `${name}: ${oneLine(words.join(' · '), 600)}`;
  return {
    title,
    prompt: isFirst ? `${oneLine(message, 600)} — ${about}` : about,
    placeholder: field.isRequired ? oneLine(field.title, 80) : vscode.l10n.t('May be left empty'),
    canGoBack: true,
    step,
    totalSteps,
  };
}

function booleanItems(): ChoiceItem[] {
  return [
    { label: vscode.l10n.t('Yes'), value: true },
    { label: vscode.l10n.t('No'), value: false },
  ];
}

function choiceItem({ value, title }: Choice): ChoiceItem {
  return { label: label(title, 120), ...(title !== value && { description: label(value, 120) }), value };
}

function noAnswer(): ChoiceItem {
  return { label: `$(dash) ${vscode.l10n.t('No answer')}` };
}

/** A value as people read it. */
export function valueText({ type }: FormField, value: FieldValue | undefined): string {
  if (value === undefined) return vscode.l10n.t('no answer');
  if (typeof value === 'boolean') return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
  const choices = type.kind === 'choice' || type.kind === 'choices' ? type.choices : [];
  const titleOf = (each: string): string => choices.find((choice) => choice.value === each)?.title ?? each;
  return typeof value === 'object' ? value.map(titleOf).join(', ') : titleOf(String(value));
}

/** What may be answered, in words. */
function constraintText({ type }: FormField): string | undefined {
  if (type.kind === 'number') return rangeText(type.minimum, type.maximum);
  if (type.kind === 'choices') return countText(type.minItems, type.maxItems);
  return type.kind === 'text' && type.format !== undefined ? formatText(type.format) : undefined;
}

function rangeText(low: number | undefined, high: number | undefined): string | undefined {
  if (low !== undefined && high !== undefined) return vscode.l10n.t('from {0} to {1}', low, high);
  if (low !== undefined) return vscode.l10n.t('at least {0}', low);
  return high === undefined ? undefined : vscode.l10n.t('at most {0}', high);
}

function countText(low: number | undefined, high: number | undefined): string | undefined {
  if (low !== undefined && high !== undefined) return vscode.l10n.t('choose {0} to {1}', low, high);
  if (low !== undefined) return vscode.l10n.t('choose at least {0}', low);
  return high === undefined ? undefined : vscode.l10n.t('choose at most {0}', high);
}

function formatText(format: 'email' | 'uri' | 'date' | 'date-time'): string {
  switch (format) {
    case 'email':
      return vscode.l10n.t('an e-mail address');
    case 'uri':
      return vscode.l10n.t('an address such as https://example.com');
    case 'date':
      return vscode.l10n.t('a date such as {0}', '2026-01-31');
    case 'date-time':
      return vscode.l10n.t('a date and time such as {0}', '2026-01-31T09:30:00Z');
  }
}

/** A sentence about what is wrong with an answer. */
export function problemText(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'missing':
      return vscode.l10n.t('An answer is needed.');
    case 'not-a-number':
      return vscode.l10n.t('This is not a number.');
    case 'not-an-integer':
      return vscode.l10n.t('This must be a whole number.');
    case 'no-choice':
      return vscode.l10n.t('Choose from the list.');
    case 'too-short':
      return vscode.l10n.t('At least {0} characters are needed.', problem.limit);
    case 'too-long':
      return vscode.l10n.t('At most {0} characters are allowed.', problem.limit);
    case 'too-small':
      return vscode.l10n.t('It must be at least {0}.', problem.limit);
    case 'too-large':
      return vscode.l10n.t('It must be at most {0}.', problem.limit);
    case 'too-few':
      return vscode.l10n.t('Choose at least {0}.', problem.limit);
    case 'too-many':
      return vscode.l10n.t('Choose at most {0}.', problem.limit);
    case 'format':
      return vscode.l10n.t('This is not {0}.', formatText(problem.format));
  }
}
