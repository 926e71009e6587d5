import * as vscode from 'vscode';

import { isRecord } from '../base/json.ts';

/** Where people write what an agent should know of a workspace. */
const files = ['.github/copilot-instructions.md', 'AGENTS.md'] as const;
/** Characters of all instructions together. */
const longest = 12_000;

/**
 * The person's own standing instructions: of the chat's mode, and of the folders that are open. Files of a folder that is not trusted do not
 * count, nor one that the editor has attached to the message itself.
 */
export async function customInstructions(request: vscode.ChatRequest): Promise<string> {
  const attached = new Set(
    request.references.flatMap(({ value }) => (value instanceof vscode.Uri ? [value.toString()] : [])),
  );
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const uris = folders.flatMap(({ uri }) => files.map((file) => vscode.Uri.joinPath(uri, file)));
  const texts = await Promise.all(uris.filter((uri) => !attached.has(uri.toString())).map(readText));
  return [modeInstructions(request), ...texts]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, longest);
}

/** What the chosen mode says. In no published declaration, hence the look at run time. */
function modeInstructions(request: unknown): string {
  const text = isRecord(request) ? request['modeInstructions'] : undefined;
  return typeof text === 'string' ? text : '';
}

/** Empty where there is no such file. */
async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return '';
    throw error;
  }
}
