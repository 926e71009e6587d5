import * as vscode from 'vscode';

/** The answer to a server that asks for its roots: the folders of this window. */
export async function listRoots(): Promise<{ roots: { uri: string; name: string }[] }> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return { roots: folders.map(({ uri, name }) => ({ uri: uri.toString(), name })) };
}
