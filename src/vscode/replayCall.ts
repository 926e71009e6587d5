import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { keyOfRequest, replayOf } from '../wire/replay.ts';
import type { Row } from '../wire/row.ts';
import type { ActionContext } from './actionContext.ts';
import { showInvisible } from './plainText.ts';

/** Repeats a call after the person has agreed to it; the new row is marked. */
export async function replayCall(row: Row, context: ActionContext): Promise<void> {
  const { log, callTool, session } = context;
  const replay = log && replayOf(row, session.valueOf(row.key).sent);
  if (replay === undefined) return;
  if (replay.kind === 'cut')
    return warn(vscode.l10n.t('The arguments of this call were not kept whole, so it cannot be repeated.'));
  if (replay.kind === 'secret')
    return warn(vscode.l10n.t('The arguments of this call held secrets that were not kept, so it cannot be repeated.'));
  const { server, tool, arguments: args } = replay;
  const yes = vscode.l10n.t('Call {0}', showInvisible(tool));
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Call "{0}" on "{1}" again?', showInvisible(tool), showInvisible(server)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The server runs it once more, with these arguments:\n\n{0}',
        showInvisible(JSON.stringify(args, undefined, 2)),
      ),
    },
    yes,
  );
  if (answer !== yes) return;
  try {
    await callTool(server, tool, args, (id) => markReplay(row, id, context));
  } catch (error) {
    await warn(messageOf(error));
  }
}

/** Marks the row of the new request. */
function markReplay(row: Row, id: number | string, { log }: ActionContext): void {
  // The request is told of a moment after it has its id.
  setTimeout(() => {
    const key = log && keyOfRequest(log.entries(), row.server, id);
    if (key !== undefined) log?.annotate({ kind: 'annotation', row: key, replayOf: row.key });
  }, 0);
}

async function warn(text: string): Promise<void> {
  await vscode.window.showWarningMessage(text);
}
