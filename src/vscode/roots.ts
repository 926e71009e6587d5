import { pathToFileURL } from 'node:url';

import * as vscode from 'vscode';

/** The answer to a server that asks for its roots: the folders of this window that lie on a disk (MCP "Roots": only `file://`). */
export async function listRoots(): Promise<{ roots: { uri: string; name: string }[] }> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    roots: folders
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name })),
  };
}
