import * as vscode from 'vscode';

import { readEntries } from '../../settings/newServer/readPaste.ts';
import { readAddQuery } from '../../settings/newServer/readLink.ts';
import { makeAddition } from '../../settings/newServer/makeAddition.ts';
import { oneLine } from '../plainText.ts';
import { confirmAddition, type AddContext } from './confirmAddition.ts';
import { previewText } from './preview.ts';
import { presentIn } from './targets.ts';
import { toldText } from './toldText.ts';

/** More than this does not fit into a dialog, in characters: the editor shows it in the next step anyway. */
const longestInDialog = 1500;

/** Any link of ours. Only `add` means something. */
export async function openUri(uri: vscode.Uri, context: AddContext): Promise<void> {
  if (uri.path.replace(/\/+$/, '') === '/add') return openAddLink(uri.query, context);
  void vscode.window.showErrorMessage(
    vscode.l10n.t('MCP Agent does not know the link {0}. Only “…/add?…” adds a server.', oneLine(uri.path, 100)),
  );
}

/** A link `…/add?…` was opened: shows all that it brings, asks, and only then goes on as any other addition. */
async function openAddLink(query: string, context: AddContext): Promise<void> {
  const link = readAddQuery(query);
  const read = link.kind === 'problem' ? link : readEntries(link.value, link.name);
  if (read.kind !== 'servers') {
    const reason = read.kind === 'problem' ? toldText(read) : '';
    void vscode.window.showErrorMessage(vscode.l10n.t('This link adds no MCP server: {0}', reason));
    return;
  }
  const chosen = { ...read, notes: read.notes.map(toldText) };
  const text = previewText(makeAddition(chosen, presentIn()));
  const runs = read.servers.some(({ entry }) => entry['command'] !== undefined);
  const warning = runs
    ? vscode.l10n.t(
        'It runs a program on your computer, which can do whatever you can do. Go on only if you know where the link comes from.',
      )
    : vscode.l10n.t(
        'What the tools are given is sent to this address. Go on only if you know where the link comes from.',
      );
  const go = vscode.l10n.t('Continue');
  const shown = text.length > longestInDialog ? vscode.l10n.t('The next step shows all of it in an editor.') : text;
  const names = read.servers.map(({ name }) => oneLine(name, 60)).join(', ');
  const message = vscode.l10n.t('A link asks to add the MCP server {0}', names);
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail: `${shown}\n${warning}` }, go);
  if (answer === go) await confirmAddition(chosen, context);
}
