import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { WireLog } from '../wire/wireLog.ts';
import type { Inspector } from './inspectorPanel.ts';
import type { CallTool } from './actionContext.ts';

/** What the inspector is made with once it is wanted. */
export interface LazyInspectorOptions {
  readonly extension: vscode.Extension<unknown>;
  readonly version: string;
  readonly log: WireLog;
  readonly callTool: CallTool;
}

/** The inspector, read when it is first wanted: by a command, or by a panel that was open before the window was loaded anew. */
export class LazyInspector implements Disposable {
  readonly #options: LazyInspectorOptions;
  readonly #store = new DisposableStore();
  #inspector: Promise<Inspector> | undefined;

  constructor(options: LazyInspectorOptions) {
    this.#options = options;
    this.#store.add(
      vscode.window.registerWebviewPanelSerializer('mcpAgent.inspector', {
        deserializeWebviewPanel: async (panel, state: unknown) => (await this.get()).restore(panel, state),
      }),
    );
  }

  get(): Promise<Inspector> {
    this.#inspector ??= this.#read();
    return this.#inspector;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #read(): Promise<Inspector> {
    const [{ Inspector }, { WireDocuments }] = await Promise.all([
      import('./inspectorPanel.ts'),
      import('./wireDocuments.ts'),
    ]);
    const { extension, ...rest } = this.#options;
    const documents = this.#store.add(new WireDocuments());
    return this.#store.add(new Inspector({ ...rest, extension: extension.extensionUri, documents }));
  }
}
