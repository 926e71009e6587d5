import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { fromHar } from '../wire/harImport.ts';
import { toHar } from '../wire/har.ts';
import { fromJsonLines, toJsonLines } from '../wire/jsonl.ts';
import { countMarks } from '../wire/secretMarks.ts';
import type { WireEntry } from '../wire/wireEntry.ts';

/** A saved record is read whole; beyond this it is refused (bytes). */
const LARGEST_FILE = 300_000_000;

interface Format extends vscode.QuickPickItem {
  readonly extension: 'har' | 'jsonl';
  readonly bodies: boolean;
}

function textOf(
  entries: readonly WireEntry[],
  { extension, bodies }: Pick<Format, 'extension' | 'bodies'>,
  version: string,
): string {
  return extension === 'har' ? toHar(entries, { version, bodies }) : toJsonLines(entries, { bodies });
}

/** What can be written, and before anything is: how many secrets are hidden in it. */
async function chooseFormat(entries: readonly WireEntry[]): Promise<Format | undefined> {
  const har = vscode.l10n.t('HAR 1.2: opens in browsers, Proxyman, HTTP Toolkit');
  const lines = vscode.l10n.t('JSON lines: one entry a line, for programs');
  const without = vscode.l10n.t('sizes, headers and times; no bodies');
  const formats: Format[] = [
    { label: 'HAR', description: har, extension: 'har', bodies: true },
    { label: vscode.l10n.t('HAR without bodies'), description: without, extension: 'har', bodies: false },
    { label: vscode.l10n.t('JSON lines'), description: lines, extension: 'jsonl', bodies: true },
    { label: vscode.l10n.t('JSON lines without bodies'), description: without, extension: 'jsonl', bodies: false },
  ];
  const hidden = countMarks(toJsonLines(entries));
  return vscode.window.showQuickPick(formats, {
    title: vscode.l10n.t('Export Wire Record'),
    placeHolder: vscode.l10n.t('{0} entries; secrets are hidden in {1} places', entries.length, hidden),
  });
}

/** Writes a record to `path`, by its ending as HAR or JSON lines; without a path the person is asked how and where. */
export async function exportRecord(entries: readonly WireEntry[], version: string, path?: string): Promise<void> {
  if (path !== undefined) {
    const extension = path.endsWith('.har') ? 'har' : 'jsonl';
    return write(vscode.Uri.file(path), textOf(entries, { extension, bodies: true }, version));
  }
  const format = await chooseFormat(entries);
  if (!format) return;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Wire Record'),
    defaultUri: defaultUri(`wire.${format.extension === 'har' ? 'har' : 'mcpwire.jsonl'}`),
    filters: { [format.label]: [format.extension] },
    saveLabel: vscode.l10n.t('Export'),
  });
  if (target) await write(target, textOf(entries, format, version));
}

/** Saves the entries of one row for a test to play back. */
export async function saveFixture(entries: readonly WireEntry[], name: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save as Test Fixture'),
    defaultUri: defaultUri(`${name.replaceAll(/[^\w-]+/g, '-')}.mcpwire.jsonl`),
    filters: { 'JSON lines': ['jsonl'] },
  });
  if (target) await write(target, toJsonLines(entries));
}

function defaultUri(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder && vscode.Uri.joinPath(folder, name);
}

async function write(target: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

/** Asks for a saved record. */
export async function chooseRecord(): Promise<vscode.Uri | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open Saved Wire Record'),
      filters: { [vscode.l10n.t('Wire records')]: ['har', 'jsonl'] },
    })) ?? [];
  return file;
}

/** Reads a saved record. Throws an Error that names the file and what is wrong with it. */
export async function readRecord(file: vscode.Uri): Promise<readonly WireEntry[]> {
  const name = file.path.split('/').at(-1) ?? '';
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > LARGEST_FILE) throw new Error(vscode.l10n.t('{0} is too large to be opened as a wire record.', name));
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  try {
    return text.trimStart().startsWith('{"format"') ? fromJsonLines(text).entries : fromHar(text);
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
  }
}
