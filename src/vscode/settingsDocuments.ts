import * as vscode from 'vscode';

import { documentKindOf } from '../settings/serverPlaces.ts';
import type { DocumentKind } from '../settings/settingsPlaces.ts';

/** A settings file: what kind it is of, and the id of the source that its entries have. */
export interface SettingsDocument {
  readonly kind: DocumentKind;
  readonly source: string;
}

/** Says whose settings a document holds. Undefined for a file that no window reads its settings from, such as another project's. */
export function settingsDocument({ uri }: vscode.TextDocument): SettingsDocument | undefined {
  const kind = documentKindOf(uri.path);
  const source = kind === undefined ? undefined : sourceOf(uri);
  return kind === undefined || source === undefined ? undefined : { kind, source };
}

function sourceOf(uri: vscode.Uri): string | undefined {
  if (uri.scheme === 'vscode-userdata') return 'usrlocal';
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (uri.toString() === workspaceFile?.toString()) return 'workspace';
  const folder = workspaceFolders.find((each) => isIn(each.uri, uri));
  if (folder !== undefined) return `wf${folder.index}`;
  if (isInProject(uri)) return undefined;
  // Where the editor runs in a browser, the person's own files are on the machine of the extension.
  if (/\/User\/(?:profiles\/[^/]+\/)?(?:settings|mcp)\.json$/.test(uri.path)) return 'usrlocal';
  return /\/(?:data|\.vscode[\w-]*)\/Machine\/(?:settings|mcp)\.json$/.test(uri.path) ? 'usrremote' : undefined;
}

function isInProject(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

function isIn(folder: vscode.Uri, uri: vscode.Uri): boolean {
  return ['settings.json', 'mcp.json'].some(
    (file) => vscode.Uri.joinPath(folder, '.vscode', file).toString() === uri.toString(),
  );
}
