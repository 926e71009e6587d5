import * as vscode from 'vscode';

import type { Disposable } from '../../base/disposables.ts';
import { additionText, type Addition } from '../../settings/newServer/addition.ts';
import { showInvisible } from '../plainText.ts';

const scheme = 'mcp-agent-preview';

/** The question stands over the first lines of the editor and would hide what it asks about. */
const roomForQuestion = '\n'.repeat(9);

/** Shows what is about to be written, whole, in a read-only editor that closes with it. */
export class Preview implements Disposable {
  readonly #provider: Disposable;
  readonly #uri: vscode.Uri;

  constructor(addition: Addition) {
    const text = previewText(addition);
    this.#uri = vscode.Uri.from({
      scheme,
      path: `/${vscode.l10n.t('What Will Be Written')}.jsonc`,
      query: `${Date.now()}`,
    });
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => roomForQuestion + text,
    });
  }

  /** Opens it and leaves the focus where it is. */
  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }

  /** Closes its editor. */
  async close(): Promise<void> {
    const own = this.#uri.toString();
    const tabs = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === own);
    await vscode.window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.#provider.dispose();
  }
}

/** Nothing shortened; what cannot be seen is spelt out. */
export function previewText(addition: Addition): string {
  const head = [
    vscode.l10n.t('This will be written into the settings.'),
    ...(addition.answers.size > 0
      ? [vscode.l10n.t('Secrets are kept in secret storage; an input stands for each of them.')]
      : []),
    ...addition.notes,
  ];
  const comments = head.map((line) => `// ${line.replaceAll(/\s+/g, ' ')}`).join('\n');
  return `${showInvisible(comments)}\n${showInvisible(additionText(addition))}`;
}
