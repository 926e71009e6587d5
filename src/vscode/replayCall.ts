import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { isRecord, parseJson, type JsonObject } from '../base/json.ts';
import type { Row } from '../wire/row.ts';
import { MARK_PATTERN } from '../wire/secretMarks.ts';
import type { ActionContext } from './actionContext.ts';

/** The arguments of the call that a row shows. */
function argumentsOf(row: Row, { session }: ActionContext): JsonObject | undefined {
  const { sent } = session.valueOf(row.key);
  if (!sent || sent.cut || sent.omitted) return undefined;
  const parsed = parseJson(sent.text);
  const messages: readonly unknown[] = !parsed.ok ? [] : Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  const message = messages.find((one) => isRecord(one) && JSON.stringify(one.id) === row.id);
  const params = isRecord(message) && isRecord(message.params) ? message.params : {};
  return isRecord(params.arguments) ? params.arguments : {};
}

/** Repeats a call after the person has agreed to it; the new row is marked. */
export async function replayCall(row: Row, context: ActionContext): Promise<void> {
  const { log, callTool } = context;
  const { tool } = row;
  const args = argumentsOf(row, context);
  if (!log || tool === undefined) return;
  if (!args) return warn(vscode.l10n.t('The arguments of this call were not kept whole, so it cannot be repeated.'));
  const text = JSON.stringify(args, undefined, 2);
  if (text.match(MARK_PATTERN))
    return warn(vscode.l10n.t('The arguments of this call held secrets that were not kept, so it cannot be repeated.'));
  const yes = vscode.l10n.t('Call {0}', tool);
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Call "{0}" on "{1}" again?', tool, row.server),
    { modal: true, detail: vscode.l10n.t('The server runs it once more, with these arguments:\n\n{0}', text) },
    yes,
  );
  if (answer !== yes) return;
  try {
    await callTool(row.server, tool, args, (id) => markReplay(row, id, context));
  } catch (error) {
    await warn(messageOf(error));
  }
}

/** Finds the row of the new request and marks it. */
function markReplay(row: Row, id: number | string, { log, session }: ActionContext): void {
  // The record takes in facts a moment after they are told.
  setTimeout(() => {
    log?.flush();
    const made = session
      .rows()
      .findLast((other) => other.server === row.server && other.id === JSON.stringify(id) && other.direction === 'out');
    if (made) log?.annotate({ kind: 'annotation', row: made.key, replayOf: row.key });
  }, 0);
}

async function warn(text: string): Promise<void> {
  await vscode.window.showWarningMessage(text);
}
