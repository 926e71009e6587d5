import * as vscode from 'vscode';

import type { TextSpan } from '../settings/serverPlaces.ts';
import type { DocumentKind } from '../settings/settingsPlaces.ts';
import type { ServerTarget } from './serverTarget.ts';
import { settingsDocument, type SettingsDocument } from './settingsDocuments.ts';

/** One file that may hold an entry, and how it is opened. Opening resolves with undefined where there is no such file. */
interface Candidate {
  readonly kind: DocumentKind;
  readonly open: () => Promise<vscode.TextEditor | undefined>;
}

/** How long an editor may take to appear after the command that opens it, in milliseconds. */
const appearMs = 5000;

/** Opens the file that an entry stands in, with the cursor on its name. Where it is found in no file, the settings of its source stay open. */
export async function editEntry({ name, source }: Pick<ServerTarget, 'name' | 'source'>): Promise<void> {
  const { findServerPlace } = await import('../settings/serverPlaces.ts');
  const [first, ...others] = candidates(source);
  const opened = await first?.open();
  const place = opened && first && findServerPlace(opened.document.getText(), first.kind, name);
  if (opened && place) return reveal(opened, place.key);
  for (const { kind, open } of others) {
    const editor = await open();
    const found = editor && findServerPlace(editor.document.getText(), kind, name);
    if (editor && found) return reveal(editor, found.key);
  }
  if (others.length > 0) await first?.open();
}

/** The files that an entry of a source may stand in, the usual one first. */
function candidates(source: string): readonly Candidate[] {
  if (source === 'usrremote') {
    return [
      byCommand('settings', source, 'workbench.action.openRemoteSettingsFile'),
      byCommand('mcp', source, 'workbench.mcp.openRemoteUserMcpJson'),
    ];
  }
  if (source === 'workspace') return fileCandidate('workspace', vscode.workspace.workspaceFile);
  const folder = vscode.workspace.workspaceFolders?.[Number(/^wf(\d+)$/.exec(source)?.[1] ?? -1)]?.uri;
  if (folder !== undefined) {
    const inFolder = (file: string): vscode.Uri => vscode.Uri.joinPath(folder, '.vscode', file);
    return [...fileCandidate('settings', inFolder('settings.json')), ...fileCandidate('mcp', inFolder('mcp.json'))];
  }
  return [
    byCommand('settings', source, 'workbench.action.openSettingsJson'),
    byCommand('mcp', source, 'workbench.mcp.openUserMcpJson'),
  ];
}

function fileCandidate(kind: DocumentKind, uri: vscode.Uri | undefined): readonly Candidate[] {
  if (uri === undefined) return [];
  const open = async (): Promise<vscode.TextEditor | undefined> => {
    if (!(await exists(uri))) return undefined;
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  };
  return [{ kind, open }];
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}

/** Only the editor itself knows where the person's own files are. */
function byCommand(kind: DocumentKind, source: string, command: string): Candidate {
  return {
    kind,
    open: async () => {
      const shown = untilShown({ kind, source });
      await vscode.commands.executeCommand(command);
      return shown;
    },
  };
}

/** Resolves with the editor of a source's file as soon as it is the active one; another scope's settings may be open already. */
function untilShown(wanted: SettingsDocument): Promise<vscode.TextEditor | undefined> {
  const isIt = (editor: vscode.TextEditor | undefined): boolean => {
    const about = editor && settingsDocument(editor.document);
    return about?.kind === wanted.kind && about.source === wanted.source;
  };
  return new Promise((resolve) => {
    const done = (editor: vscode.TextEditor | undefined): void => {
      clearTimeout(timer);
      subscription.dispose();
      resolve(editor);
    };
    const timer = setTimeout(() => {
      const editor = vscode.window.activeTextEditor;
      done(isIt(editor) ? editor : undefined);
    }, appearMs);
    const subscription = vscode.window.onDidChangeActiveTextEditor((editor) => isIt(editor) && done(editor));
    // It may be the active one already, and stays so.
    if (isIt(vscode.window.activeTextEditor)) done(vscode.window.activeTextEditor);
  });
}

/** Moves the cursor in the editor that is open: to show its document anew may open it under another address, where the editor runs in a browser. */
function reveal(editor: vscode.TextEditor, { offset, length }: TextSpan): void {
  const { document } = editor;
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
