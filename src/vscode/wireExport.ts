import * as vscode from 'vscode';

import { toJsonLines } from '../wire/jsonl.ts';
import type { WireLog } from '../wire/wireLog.ts';

/** Writes the record of the wire as JSON lines to `path`, or to where the person chooses. */
export async function exportWire(wire: WireLog, path?: string): Promise<void> {
  const target = path === undefined ? await chooseFile() : vscode.Uri.file(path);
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(toJsonLines(wire.entries())));
}

function chooseFile(): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Wire Record'),
    filters: { [vscode.l10n.t('Wire record')]: ['jsonl'] },
    saveLabel: vscode.l10n.t('Export'),
  });
}
