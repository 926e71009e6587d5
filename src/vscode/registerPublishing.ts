import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { EditorServers } from './editorServers.ts';
import type { PublishedServers } from './publishServers.ts';

/** Lets VS Code's own agent use our servers where the person has switched that on; until then nothing is read or opened. */
export function registerPublishing(servers: EditorServers): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  let published: PublishedServers | undefined;
  const end = (): void => {
    published?.dispose();
    published = undefined;
  };
  store.add({ dispose: end });
  store.add(
    vscode.lm.registerMcpServerDefinitionProvider('mcp-agent.servers', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        if (!isOn()) return [];
        const { PublishedServers } = await import('./publishServers.ts');
        if (!isOn() || store.isDisposed) return [];
        published ??= new PublishedServers(servers, () => changed.fire());
        return published.definitions();
      },
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('mcpAgent.publishToEditor')) return;
      if (!isOn()) end();
      changed.fire();
    }),
  );
  return store;
}

/** Only the person's own settings count: a workspace cannot open the gateway. */
function isOn(): boolean {
  return vscode.workspace.getConfiguration('mcpAgent').inspect<boolean>('publishToEditor')?.globalValue === true;
}
