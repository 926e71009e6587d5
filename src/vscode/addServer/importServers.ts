import * as vscode from 'vscode';

import os from 'node:os';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/caught.ts';
import { JsonSet } from './jsonSet.ts';
import type { NewServer } from '../../settings/newServer/addition.ts';
import { productFiles, type ProductFile } from '../../settings/newServer/otherProducts.ts';
import { readProductFile } from '../../settings/newServer/readProductFile.ts';
import type { Paste } from '../../settings/newServer/readPaste.ts';
import { entryJson } from '../../settings/newServer/entryJson.ts';
import { problem } from '../../settings/newServer/told.ts';
import { oneLine } from '../plainText.ts';
import { readServerSettings } from '../settingsSource.ts';
import { targetOf } from './addServer.ts';
import { confirmAddition, type AddContext } from './confirmAddition.ts';
import { toldText } from './toldText.ts';

/** The servers that one file of another product holds. */
interface Found extends ProductFile {
  readonly read: Paste;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: NewServer;
  readonly from?: Paste & { kind: 'servers' };
}

/** "MCP Agent: Import Servers": shows the servers of other products, asks which, and adds them. */
export async function importServers(context: AddContext, storage: vscode.Uri): Promise<void> {
  const found = await readAll(storage);
  const items = found.flatMap(itemsOf);
  const problems = found.filter(({ read }) => read.kind === 'problem');
  if (!items.some(({ server }) => server)) return tellNone(problems);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import which servers?'),
    placeHolder: vscode.l10n.t('Nothing is written before you have seen it.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  const chosen = (picked ?? []).flatMap(({ server, from }) => (server && from ? [{ server, from }] : []));
  if (chosen.length === 0) return;
  const sources = [...new Set(chosen.map(({ from }) => from))];
  await confirmAddition(
    {
      servers: chosen.map(({ server }) => server),
      inputs: sources.flatMap(({ inputs }) => inputs),
      notes: sources.flatMap(({ notes }) => notes.map(toldText)),
    },
    context,
  );
}

async function readAll(storage: vscode.Uri): Promise<Found[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const files = productFiles({
    platform: process.platform,
    home: os.homedir(),
    env: process.env,
    folders: folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath),
    ...(storage.scheme === 'file' && { userFolder: vscode.Uri.joinPath(storage, '..', '..').fsPath }),
  });
  const read = await Promise.all(files.map(readOne));
  return read.filter((each) => each !== undefined);
}

/** Undefined for a file that is not there, or without servers. */
async function readOne(place: ProductFile): Promise<Found | undefined> {
  let text: string;
  try {
    text = await readFile(place.file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String(error.code)))
      return undefined;
    return { ...place, read: problem('fileRefused', messageOf(error)) };
  }
  const read = await readProductFile(place.file, text);
  return read.kind === 'servers' && read.servers.length === 0 ? undefined : { ...place, read };
}

function itemsOf({ product, file, read, isRead }: Found): ServerItem[] {
  if (read.kind !== 'servers') return [];
  const known = new JsonSet(readServerSettings().entries.map(entryJson));
  const separator = { label: product, kind: vscode.QuickPickItemKind.Separator };
  return [
    separator,
    ...read.servers.map((server) => {
      const isKnown = isRead === true || known.has(server.entry);
      const note = isKnown ? ` · ${vscode.l10n.t('used already')}` : '';
      return {
        label: oneLine(server.name, 60),
        description: targetOf(server),
        detail: `${product}: ${oneLine(file, 200)}${note}`,
        picked: !isKnown,
        server,
        from: read,
      };
    }),
  ];
}

async function tellNone(problems: readonly Found[]): Promise<void> {
  const [first] = problems;
  if (first?.read.kind === 'problem') {
    const text = vscode.l10n.t('{0} could not be read: {1}', oneLine(first.file, 200), toldText(first.read));
    await vscode.window.showWarningMessage(text);
    return;
  }
  const add = vscode.l10n.t('Add Server');
  const text = vscode.l10n.t(
    'No servers of Claude Desktop, Claude Code, Cursor, Cline, Roo Code, Windsurf, Continue, Zed or VS Code were found on this machine.',
  );
  if ((await vscode.window.showInformationMessage(text, add)) === add)
    await vscode.commands.executeCommand('mcpAgent.addServer');
}
