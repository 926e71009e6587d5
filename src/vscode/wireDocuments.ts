import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';

const SCHEME = 'mcp-wire';
/** Documents that are kept; an editor that shows an older one keeps its own copy. */
const KEPT = 50;

/** Texts of the wire as read-only documents, so that the editor's search, folding and comparison work on them. */
export class WireDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) =>
        this.#texts.get(uri.toString()) ?? vscode.l10n.t('This text is no longer kept.'),
    });
  }

  /** Makes a document; `name` is what its tab says. JSON is indented. */
  add(name: string, text: string): vscode.Uri {
    this.#count += 1;
    const pretty = indented(text);
    const path = `/${name.replaceAll(/[^\w.() -]+/g, '_')}${pretty === undefined ? '.txt' : '.json'}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: String(this.#count) });
    this.#texts.set(uri.toString(), pretty ?? text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > KEPT && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}

function indented(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
