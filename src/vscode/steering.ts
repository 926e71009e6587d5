import * as vscode from 'vscode';

import { isRecord } from '../base/json.ts';
import type { Attempt } from '../agent/attempt.ts';
import type { Turn } from './participant.ts';
import type { TurnPlaceInChat } from './attempts.ts';

/** The command of the button below an answer that used results of an earlier attempt. */
export const runAgainCommand = 'mcpAgent.runAgain';

/**
 * True once the person has typed a message that is to be taken before this turn goes on. The editor hands it over as the next turn.
 * Part of the editor since 1.108 and in no published declaration yet, hence the look at run time.
 */
export function isSteered({ context }: Turn): boolean {
  const value: unknown = context;
  return isRecord(value) && value['yieldRequested'] === true;
}

/** Where a turn stands. The chat's address is in no published declaration: where it is missing, no turn is taken for a repetition. */
export function placeOf({ request, context }: Turn): TurnPlaceInChat {
  const { command, prompt } = request;
  const place = context.history.filter((turn) => turn instanceof vscode.ChatRequestTurn).length;
  return { chat: chatOf(request), place, words: JSON.stringify([command, prompt]) };
}

function chatOf(request: unknown): string | undefined {
  const token = isRecord(request) ? request['toolInvocationToken'] : undefined;
  const address = isRecord(token) ? token['sessionResource'] : undefined;
  if (address instanceof vscode.Uri) return address.toString();
  return isRecord(address) && typeof address['path'] === 'string'
    ? vscode.Uri.from(partsOf(address)).toString()
    : undefined;
}

function partsOf(address: Readonly<Record<string, unknown>>): { scheme: string; authority: string; path: string } {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { scheme: text(address['scheme']), authority: text(address['authority']), path: text(address['path']) };
}

/** Says below an answer that calls were not made again, and offers to make them. */
export function tellReuse({ stream, request }: Turn, { reused }: Attempt): void {
  if (reused === 0) return;
  const words =
    reused === 1
      ? vscode.l10n.t('One result comes from the earlier attempt: that call was not made again.')
      : vscode.l10n.t('{0} results come from the earlier attempt: those calls were not made again.', reused);
  stream.markdown(new vscode.MarkdownString(`\n\n$(history) ${words}\n\n`, true));
  stream.button({
    command: runAgainCommand,
    title: vscode.l10n.t('Run Everything Again'),
    arguments: [chatOf(request)],
  });
}

/** Repeats the last turn of a chat; `forget` has its calls be made anew. */
export async function runAgain(chat: unknown, forget: (chat: string) => void): Promise<void> {
  if (typeof chat !== 'string') return;
  forget(chat);
  await vscode.commands.executeCommand('workbench.action.chat.retry', { sessionResource: vscode.Uri.parse(chat) });
}
