import * as vscode from 'vscode';

import { diagnose, type Finding, type Fix } from '../settings/diagnose.ts';
import { oneLine } from './plainText.ts';
import { settingsDocument } from './settingsDocuments.ts';
import { inputsFor, readServerSettings } from './settingsSource.ts';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Information,
} as const;

/** What is to be told about a settings file. Undefined where the text is broken; none for a file that no window reads. */
export function diagnosticsOf(document: vscode.TextDocument): vscode.Diagnostic[] | undefined {
  return findingsOf(document)?.map((finding) => diagnosticOf(document, finding));
}

/** The quick fixes for what is told about `range`. */
export function quickFixes(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
  return (findingsOf(document) ?? []).flatMap((finding) => {
    const diagnostic = diagnosticOf(document, finding);
    if (diagnostic.range.intersection(range) === undefined) return [];
    return finding.fixes.map((fix, index) => quickFix(document, diagnostic, fix, index === 0));
  });
}

function findingsOf(document: vscode.TextDocument): Finding[] | undefined {
  const about = settingsDocument(document);
  if (about === undefined) return [];
  const { inputs } = readServerSettings();
  const otherInputs = new Set(
    inputsFor(about.source, inputs).flatMap(({ id, source }) => (source === about.source ? [] : [id])),
  );
  return diagnose(document.getText(), about.kind, { otherInputs });
}

function diagnosticOf(document: vscode.TextDocument, finding: Finding): vscode.Diagnostic {
  const range = rangeOf(document, finding);
  const diagnostic = new vscode.Diagnostic(range, oneLine(finding.message, 500), severities[finding.severity]);
  diagnostic.source = 'MCP Agent';
  return diagnostic;
}

function quickFix(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  fix: Fix,
  isPreferred: boolean,
): vscode.CodeAction {
  const action = new vscode.CodeAction(titleOf(fix), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const { offset, length, content } of fix.edits) {
    action.edit.replace(document.uri, rangeOf(document, { offset, length }), content);
  }
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred;
  return action;
}

function rangeOf(document: vscode.TextDocument, { offset, length }: { offset: number; length: number }): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

function titleOf({ title }: Fix): string {
  switch (title.kind) {
    case 'rename':
      return vscode.l10n.t('Rename it to "{0}"', title.name);
    case 'write':
      return vscode.l10n.t('Write {0}', oneLine(JSON.stringify(title.value), 60));
    case 'remove':
      return vscode.l10n.t('Remove "{0}"', oneLine(title.name, 60));
    case 'members':
      return vscode.l10n.t('Write it as {0}', title.names.map((name) => `"${name}"`).join(', '));
    case 'hoist':
      return vscode.l10n.t('Move what is inside one step up');
    case 'dotted':
      return vscode.l10n.t('Write "mcp.servers" in one word');
    case 'ask':
      return vscode.l10n.t('Ask for it and keep it in secret storage: {0}', `\${input:${title.id}}`);
    case 'define':
      return vscode.l10n.t('Define the input "{0}"', oneLine(title.id, 60));
  }
}
