import * as vscode from 'vscode';

import { isRecord } from '../../base/json.ts';
import type { Present } from '../../settings/newServer/makeAddition.ts';
import type { DocumentKind } from '../../settings/editSettings.ts';
import { settingsDocument } from '../settingsDocuments.ts';
import { readServerSettings } from '../settingsSource.ts';

/** A settings file that servers can be added to. */
export interface Target {
  readonly label: string;
  readonly detail: string;
  /** The source of its entries, as in `ServerEntry`. */
  readonly source: string;
  readonly document: DocumentKind;
  /** Opens its text in an editor; the file is made where there is none. */
  open(): Promise<vscode.TextEditor>;
}

/** The user settings, then those of the workspace and of each open folder. Nothing of an untrusted workspace. */
export function targets(): Target[] {
  const user: Target = {
    label: `$(account) ${vscode.l10n.t('User Settings')}`,
    detail: vscode.l10n.t('For all your windows; taken along by Settings Sync'),
    source: 'usrlocal',
    document: 'settings',
    open: openUserSettings,
  };
  return vscode.workspace.isTrusted ? [user, ...workspaceTargets()] : [user];
}

function workspaceTargets(): Target[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const ofFile: Target[] =
    workspaceFile === undefined || workspaceFile.scheme === 'untitled'
      ? []
      : [
          {
            label: `$(root-folder) ${vscode.l10n.t('Workspace Settings')}`,
            detail: vscode.workspace.asRelativePath(workspaceFile),
            source: 'workspace',
            document: 'workspace',
            open: async () => vscode.window.showTextDocument(workspaceFile),
          },
        ];
  const ofFolders = workspaceFolders.map((folder, index): Target => {
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    return {
      label: `$(folder) ${vscode.l10n.t('Settings of the Folder {0}', folder.name)}`,
      detail: vscode.l10n.t('.vscode/settings.json: for everybody who opens this folder'),
      source: `wf${index}`,
      document: 'settings',
      open: () => openOrMake(file),
    };
  });
  return [...ofFile, ...ofFolders];
}

/** Where they are only VS Code knows: they differ by profile, and lie on the person's own machine in a remote window. */
async function openUserSettings(): Promise<vscode.TextEditor> {
  const editor = settingsToCome();
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  return editor;
}

/** The editor of the user settings, once it is the active one. */
function settingsToCome(): Promise<vscode.TextEditor> {
  return new Promise((resolve, reject) => {
    const look = (): boolean => {
      const editor = vscode.window.activeTextEditor;
      if (!editor || !isUserSettings(editor)) return false;
      finish(() => resolve(editor));
      return true;
    };
    const finish = (end: () => void): void => {
      clearTimeout(limit);
      waiting.dispose();
      end();
    };
    const waiting = vscode.window.onDidChangeActiveTextEditor(look);
    const limit = setTimeout(() => {
      const shown = vscode.window.visibleTextEditors.find(isUserSettings);
      if (shown) finish(() => resolve(shown));
      else finish(() => reject(new Error(vscode.l10n.t('The user settings did not open.'))));
    }, 10_000);
    look();
  });
}

function isUserSettings({ document }: vscode.TextEditor): boolean {
  const about = settingsDocument(document);
  return about?.kind === 'settings' && about.source === 'usrlocal';
}

async function openOrMake(file: vscode.Uri): Promise<vscode.TextEditor> {
  const exists = await vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{\n}\n'));
  return vscode.window.showTextDocument(file);
}

/** Names and inputs that the settings of any scope have, broken entries included. */
export function presentIn(): Present {
  const { entries, inputs } = readServerSettings();
  const names = new Set(entries.map(({ name }) => name));
  const inspected: unknown = vscode.workspace.getConfiguration('mcp').inspect('servers');
  for (const value of isRecord(inspected) ? Object.values(inspected) : []) {
    if (isRecord(value)) for (const name of Object.keys(value)) names.add(name);
  }
  return { names, inputs: new Set(inputs.map(({ id }) => id)) };
}
