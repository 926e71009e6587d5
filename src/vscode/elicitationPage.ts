import * as vscode from 'vscode';

import { linkedController } from '../base/abort.ts';
import type { JsonObject } from '../base/json.ts';
import type { ElicitationPage } from '../mcp/elicitationUrl.ts';
import type { Asking } from './asking.ts';
import { clip, oneLine, showInvisible } from './plainText.ts';
import { askPick } from './quickInputs.ts';
import { untilWithdrawn } from './withdrawable.ts';

/** What the answer to the question waits for. */
export interface PageOptions {
  /** Ids of questions that servers call completed. */
  readonly onDidComplete: vscode.Event<string>;
  /** A refused call is made again after this: the answer has to wait until the person is through with the page. */
  readonly isRetry: boolean;
}

/**
 * Asks whether to open a page that a server names: who asks, the host by itself, the whole address, what is odd about it.
 * Nothing is opened or looked at before the person says so.
 */
export async function askPage(page: ElicitationPage, asking: Asking, options: PageOptions): Promise<JsonObject> {
  const open = vscode.l10n.t('Open in Browser');
  const copy = vscode.l10n.t('Copy Address');
  const decline = vscode.l10n.t('Decline');
  // The first button is what Enter does: not to open, where something is odd.
  const isOdd = warningsOf(page).length > 0;
  const choice = await modal(page, asking, isOdd ? [decline, copy, open] : [open, copy, decline]);
  if (asking.signal.aborted || choice === undefined) return { action: 'cancel' };
  if (choice === decline) return { action: 'decline' };
  if (choice === copy) await vscode.env.clipboard.writeText(page.url);
  else if (!(await vscode.env.openExternal(vscode.Uri.parse(page.url, true)))) return { action: 'cancel' };
  if (options.isRetry) return (await untilThrough(page, asking, options)) ? { action: 'accept' } : { action: 'cancel' };
  followCompletion(page, asking, options);
  return { action: 'accept' };
}

function modal(page: ElicitationPage, asking: Asking, buttons: readonly string[]): Promise<string | undefined> {
  const server = oneLine(asking.server, 60);
  const title = vscode.l10n.t('The MCP server “{0}” asks you to open a page of {1}', server, page.host);
  const detail = [clip(showInvisible(page.message), 1000), ...warningsOf(page), page.url]
    .filter((part) => part !== '')
    .join('\n\n');
  return untilWithdrawn(asking, () => vscode.window.showInformationMessage(title, { modal: true, detail }, ...buttons));
}

function warningsOf(page: ElicitationPage): string[] {
  const warnings: string[] = [];
  if (page.lookalike !== undefined) {
    const shown = showInvisible(page.lookalike);
    warnings.push(
      `⚠ ${vscode.l10n.t('The name of the host has letters of other alphabets ({0}) and may imitate another one.', shown)}`,
    );
  }
  if (page.isUnprotected) {
    warnings.push(`⚠ ${vscode.l10n.t('The page is not protected (http): others may read and change what you enter.')}`);
  }
  return warnings;
}

/** True when the server says that the person is through, or they say so themselves. */
async function untilThrough(page: ElicitationPage, { server, signal }: Asking, options: PageOptions): Promise<boolean> {
  const over = new AbortController();
  const { controller, release } = linkedController(signal, over.signal);
  const completion = options.onDidComplete((id) => id === page.id && over.abort());
  const name = oneLine(server, 60);
  const items = [
    { label: `$(check) ${vscode.l10n.t('Continue')}`, isYes: true },
    { label: `$(circle-slash) ${vscode.l10n.t('Cancel')}`, isYes: false },
  ];
  const title = vscode.l10n.t('The MCP server “{0}” waits until you are through with the page', name);
  try {
    const answer = await askPick(items, { title, placeholder: page.host }, { signal: controller.signal });
    return over.signal.aborted || (answer.kind === 'value' && answer.value[0]?.isYes === true);
  } finally {
    completion.dispose();
    release();
  }
}

/** Says so when the server calls it completed; an id of another question is none of ours. */
function followCompletion(page: ElicitationPage, { server }: Asking, { onDidComplete }: PageOptions): void {
  if (page.id === undefined) return;
  const subscription = onDidComplete((id) => {
    if (id !== page.id) return;
    subscription.dispose();
    const text = vscode.l10n.t('The MCP server “{0}” has what it needs from {1}.', oneLine(server, 60), page.host);
    void vscode.window.showInformationMessage(text);
  });
}
