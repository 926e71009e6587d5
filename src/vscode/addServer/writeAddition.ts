import * as vscode from 'vscode';

import { addInput, addServer, applyEdits } from '../../settings/editSettings.ts';
import type { Addition } from '../../settings/newServer/addition.ts';
import { presentIn, type Target } from './targets.ts';

/** How long saved settings may take to count, in milliseconds. */
const keepLimitMs = 5000;

/** Writes into the settings file of `target`, keeps its comments, saves it and shows the new entries. Rejects where the text is broken. */
export async function writeAddition(addition: Addition, target: Target): Promise<void> {
  const editor = await target.open();
  const { document } = editor;
  const before = document.getText();
  const after = textWith(before, addition, target);
  const { start, end, content } = difference(before, after);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  // By the editor and not by the address: where VS Code runs in a browser, two documents of the user settings have the same one.
  const isEdited = await editor.edit((builder) => builder.replace(range, content));
  if (isEdited) await vscode.commands.executeCommand('workbench.action.files.save');
  if (!isEdited || !(await isKept(document, addition))) {
    throw new Error(vscode.l10n.t('The settings could not be written. Is the file read-only?'));
  }
  const first = document.positionAt(start);
  editor.revealRange(new vscode.Range(first, document.positionAt(start + content.length)));
  editor.selection = new vscode.Selection(first, first);
}

/** Whether what was saved arrived. Where VS Code runs in a browser a document may look unsaved for good: there the settings tell. */
async function isKept(document: vscode.TextDocument, { servers }: Addition): Promise<boolean> {
  const isThere = (): boolean => {
    const { names } = presentIn();
    return !document.isDirty || servers.every(({ name }) => names.has(name));
  };
  for (const end = Date.now() + keepLimitMs; !isThere() && Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return isThere();
}

function textWith(text: string, { servers, inputs }: Addition, { document: kind }: Target): string {
  const withServers = servers.reduce(
    (present, { name, entry }) => applyEdits(present, addServer(present, name, entry, kind)),
    text,
  );
  return inputs.reduce((present, input) => applyEdits(present, addInput(present, input, kind)), withServers);
}

/** The one stretch in which two texts differ, so that an editor keeps its place. */
function difference(before: string, after: string): { start: number; end: number; content: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, content: after.slice(start, after.length - tail) };
}
