import * as vscode from 'vscode';

import { toCurl, type CurlShell } from '../wire/curl.ts';
import type { CopyForm, ToHost } from '../wire/inspectorProtocol.ts';
import { toMermaid } from '../wire/mermaid.ts';
import type { Row } from '../wire/row.ts';
import { rowDocument, rowJson, rowLine, rowValue } from '../wire/rowText.ts';
import type { ActionContext } from './actionContext.ts';
import { replayCall } from './replayCall.ts';
import { exportRecord, saveFixture } from './wireFiles.ts';

const shells: Readonly<Partial<Record<CopyForm, CurlShell>>> = {
  'curl-sh': 'sh',
  'curl-cmd': 'cmd',
  'curl-powershell': 'powershell',
};

/** Does what the page asks for with a row, or with all. */
export async function act(message: ToHost, context: ActionContext): Promise<void> {
  switch (message.kind) {
    case 'copy':
      return withRow(message.key, context, (row) => copy(textToCopy(row, message.form, context), context));
    case 'copy-text':
      return copy(message.text, context);
    case 'copy-mermaid':
      return copy(toMermaid(rowsOfTurn(context.session.rows(), message.turn)), context);
    case 'open':
      return withRow(message.key, context, (row) => open(row, context));
    case 'compare':
      return compare(message.left, message.right, context);
    case 'replay':
      return withRow(message.key, context, (row) => replayCall(row, context));
    case 'pin':
      return withRow(message.key, context, (row) =>
        context.log?.annotate({ kind: 'annotation', row: row.key, pinned: row.pinned !== true }),
      );
    case 'note':
      return withRow(message.key, context, (row) => note(row, context));
    case 'fixture':
      return withRow(message.key, context, (row) =>
        saveFixture(context.session.entriesOf(row.key), row.tool ?? row.method ?? row.kind),
      );
    case 'show-in-chat':
      await vscode.commands.executeCommand('workbench.action.chat.open');
      return;
    case 'export':
      return exportRecord(context.entries(), context.version);
    default:
      return;
  }
}

async function withRow(key: string, { session }: ActionContext, run: (row: Row) => unknown): Promise<void> {
  const row = session.row(key);
  if (row) await run(row);
}

async function copy(text: string, { tell }: ActionContext): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  tell({ kind: 'said', text: vscode.l10n.t('Copied') });
}

function textToCopy(row: Row, form: CopyForm, { session }: ActionContext): string {
  if (form === 'row') return rowLine(row);
  if (form === 'value') return rowValue(session, row);
  const entries = session.entriesOf(row.key);
  const shell = shells[form];
  const request = entries.find((entry) => entry.kind === 'http-request');
  return shell !== undefined && request ? toCurl(request, shell) : rowJson(entries);
}

function rowsOfTurn(rows: readonly Row[], turn: string | undefined): readonly Row[] {
  return turn === undefined ? rows : rows.filter((row) => row.turn === turn);
}

function nameOf(row: Row): string {
  return `${row.number} ${row.tool ?? row.method ?? row.kind}`;
}

async function open(row: Row, { session, documents }: ActionContext): Promise<void> {
  const uri = documents.add(nameOf(row), rowDocument(session, row));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

async function compare(left: string, right: string, { session, documents }: ActionContext): Promise<void> {
  const rows = [session.row(left), session.row(right)] as const;
  const [first, second] = rows;
  if (!first || !second) return;
  const [from, to] = first.number <= second.number ? [first, second] : [second, first];
  const uris = [from, to].map((row) => documents.add(nameOf(row), rowDocument(session, row)));
  await vscode.commands.executeCommand('vscode.diff', ...uris, `${nameOf(from)} ↔ ${nameOf(to)}`);
}

async function note(row: Row, { log }: ActionContext): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Note on #{0}', row.number),
    value: row.note ?? '',
    prompt: vscode.l10n.t('It is kept in the record and in what is exported. An empty note removes it.'),
  });
  if (text !== undefined) log?.annotate({ kind: 'annotation', row: row.key, note: text });
}
