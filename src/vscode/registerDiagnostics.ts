import * as vscode from 'vscode';

import { coalesce } from '../base/coalesce.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';

/** After the last change of a text, in milliseconds. */
const restMs = 250;

const settingsFiles: vscode.DocumentSelector = ['**/settings.json', '**/mcp.json', '**/*.code-workspace'].map(
  (pattern) => ({ pattern }),
);

/** Says in settings files what is wrong with servers, and how to mend it. What does so is read when such a file is first open. */
export function registerDiagnostics(): Disposable {
  const store = new DisposableStore();
  const collection = store.add(vscode.languages.createDiagnosticCollection('mcp-agent'));
  const waiting = new Set<vscode.TextDocument>();
  const look = store.add(coalesce(() => void tellAll(waiting, collection), restMs));
  const add = (document: vscode.TextDocument): void => {
    if (vscode.languages.match(settingsFiles, document) === 0) return;
    waiting.add(document);
    look();
  };
  const addAll = (): void => vscode.workspace.textDocuments.forEach(add);
  store.add(vscode.workspace.onDidOpenTextDocument(add));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => add(document)));
  store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)));
  store.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mcp.inputs') && addAll()));
  addAll();
  store.add(
    vscode.languages.registerCodeActionsProvider(
      settingsFiles,
      {
        provideCodeActions: async (document, range) =>
          (await import('./settingsDiagnostics.ts')).quickFixes(document, range),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  return store;
}

async function tellAll(waiting: Set<vscode.TextDocument>, collection: vscode.DiagnosticCollection): Promise<void> {
  const documents = [...waiting];
  waiting.clear();
  const { diagnosticsOf } = await import('./settingsDiagnostics.ts');
  for (const document of documents) {
    const diagnostics = document.isClosed ? [] : diagnosticsOf(document);
    // While a text is broken, what was told before stays.
    if (diagnostics !== undefined) collection.set(document.uri, diagnostics);
  }
}
