import * as vscode from 'vscode';

import type { JsonObject } from '../base/json.ts';
import { problemOf, type ElicitationForm, type FieldValue, type FormField } from '../mcp/elicitationForm.ts';
import type { Asking } from './asking.ts';
import { askField, problemText, valueText } from './elicitationField.ts';
import { oneLine } from './plainText.ts';
import { askPick, label } from './quickInputs.ts';

type Values = Map<string, FieldValue>;
type Item = vscode.QuickPickItem & { readonly act?: 'send' | 'decline' | FormField };

/**
 * A form as quick inputs: what must be answered and has no default is asked first, one after the other; then everything
 * stands in one list, to be looked over, changed, sent or declined. Nothing leaves before that. To dismiss it is to cancel.
 */
export async function askForm(form: ElicitationForm, asking: Asking): Promise<JsonObject> {
  const values: Values = new Map();
  for (const field of form.fields) if (field.default !== undefined) values.set(field.name, field.default);
  if ((await askOpen(form, asking, values)) === 'dismissed') return { action: 'cancel' };
  for (;;) {
    const act = await review(form, asking, values);
    if (act === 'dismissed') return { action: 'cancel' };
    if (act === 'decline') return { action: 'decline' };
    if (act === 'send') return { action: 'accept', content: Object.fromEntries(values) };
    await ask(act, { form, asking, values });
  }
}

/** The fields that nobody can leave out. Back leads to the one before, and from the first to the list. */
async function askOpen(form: ElicitationForm, asking: Asking, values: Values): Promise<'done' | 'dismissed'> {
  const open = form.fields.filter((field) => field.isRequired && field.default === undefined);
  for (let place = 0; place >= 0 && place < open.length;) {
    const field = open[place];
    if (field === undefined) break;
    const steps = { step: place + 1, totalSteps: open.length + 1 };
    const end = await ask(field, { form, asking, values, steps });
    if (end === 'dismissed') return 'dismissed';
    place += end === 'back' ? -1 : 1;
  }
  return 'done';
}

interface FieldQuestion {
  readonly form: ElicitationForm;
  readonly asking: Asking;
  readonly values: Values;
  readonly steps?: { readonly step: number; readonly totalSteps: number };
}

async function ask(
  field: FormField,
  { form, asking, values, steps }: FieldQuestion,
): Promise<'value' | 'back' | 'dismissed'> {
  const answer = await askField(field, values.get(field.name), {
    title: titleOf(asking),
    message: form.message,
    signal: asking.signal,
    ...steps,
  });
  if (answer.kind !== 'value') return answer.kind;
  if (answer.value === undefined) values.delete(field.name);
  else values.set(field.name, answer.value);
  return 'value';
}

async function review(
  form: ElicitationForm,
  asking: Asking,
  values: Values,
): Promise<'send' | 'decline' | 'dismissed' | FormField> {
  const missing = form.fields.filter((field) => problemOf(field, values.get(field.name)) !== undefined);
  const items = reviewItems(form, values, missing.length, asking.server);
  const text = { title: titleOf(asking), prompt: oneLine(form.message, 1000), placeholder: reviewHint() };
  const answer = await askPick(items, text, {
    signal: asking.signal,
    isFine: ([item]) => {
      const [first] = missing;
      if (item?.act !== 'send' || first === undefined) return undefined;
      return `${oneLine(first.title, 80)}: ${problemText(problemOf(first, values.get(first.name)) ?? { kind: 'missing' })}`;
    },
  });
  return answer.kind === 'value' ? (answer.value[0]?.act ?? 'dismissed') : 'dismissed';
}

function reviewItems(form: ElicitationForm, values: Values, missing: number, server: string): Item[] {
  const name = oneLine(server, 60);
  const sendHint =
    missing === 0 ? vscode.l10n.t('What stands below goes to {0}', name) : vscode.l10n.t('Something is missing below');
  const send: Item = {
    label: `$(check) ${vscode.l10n.t('Send')}`,
    description: sendHint,
    alwaysShow: true,
    act: 'send',
  };
  const decline: Item = {
    label: `$(circle-slash) ${vscode.l10n.t('Decline')}`,
    description: vscode.l10n.t('{0} is told that you refuse', name),
    alwaysShow: true,
    act: 'decline',
  };
  if (form.fields.length === 0) return [send, decline];
  const separator: Item = { label: vscode.l10n.t('Your answers'), kind: vscode.QuickPickItemKind.Separator };
  return [send, decline, separator, ...form.fields.map((field) => fieldItem(field, values.get(field.name)))];
}

function fieldItem(field: FormField, value: FieldValue | undefined): Item {
  const problem = problemOf(field, value);
  const icon = problem === undefined ? '$(edit)' : '$(warning)';
  return {
    label: `${icon} ${label(field.title, 80)}${field.isRequired ? ' *' : ''}`,
    description: problem === undefined ? label(valueText(field, value), 200) : problemText(problem),
    ...(field.description !== undefined && { detail: label(field.description, 300) }),
    act: field,
  };
}

function reviewHint(): string {
  return vscode.l10n.t('Look over your answers; choose one to change it');
}

/** Says who asks. */
function titleOf({ server }: Asking): string {
  return vscode.l10n.t('The MCP server “{0}” asks you', oneLine(server, 60));
}
