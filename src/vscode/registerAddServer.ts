import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { Tap } from '../base/tap.ts';
import type { EditorServers } from './editorServers.ts';
import { registerPublishing } from './registerPublishing.ts';
import type { SignIns } from './signIns.ts';

/** What adding a server needs. */
export interface AddServerOptions {
  readonly context: vscode.ExtensionContext;
  readonly servers: EditorServers;
  readonly signIns: SignIns;
  readonly tap: Tap;
}

/** Registers what brings servers into the settings and on to VS Code's own agent; its code is read when it is used. */
export function registerAddServer({ context, servers, signIns, tap }: AddServerOptions): Disposable {
  const { secrets, globalStorageUri } = context;
  const adding = { servers, signIns, secrets, tap };
  const table: Readonly<Record<string, (argument?: unknown) => unknown>> = {
    'mcpAgent.addServer': async (pasted) =>
      (await import('./addServer/addServer.ts')).addServer(adding, typeof pasted === 'string' ? pasted : ''),
    'mcpAgent.importServers': async () =>
      (await import('./addServer/importServers.ts')).importServers(adding, globalStorageUri),
    'mcpAgent.addDemoServer': async () => (await import('./addServer/addDemoServer.ts')).addDemoServer(adding),
    'mcpAgent.chooseModel': async () => (await import('./firstSteps.ts')).chooseModel(),
    'mcpAgent.askInChat': async (question) => (await import('./firstSteps.ts')).askInChat(question),
  };
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(table)) {
    store.add(vscode.commands.registerCommand(id, async (argument?: unknown) => withError(() => run(argument))));
  }
  store.add(
    vscode.window.registerUriHandler({
      handleUri: (uri) => withError(async () => (await import('./addServer/openAddLink.ts')).openUri(uri, adding)),
    }),
  );
  store.add(tickFirstStep(servers));
  store.add(registerPublishing(servers));
  return store;
}

/** The first step of the walkthrough is done when some server is ready, however it came into the settings. */
function tickFirstStep(servers: EditorServers): Disposable {
  const changes = servers.onDidChange(() => {
    if (!servers.connections().some(({ state }) => state.kind === 'ready')) return;
    changes.dispose();
    void vscode.commands.executeCommand('setContext', 'mcpAgent.serverReady', true);
  });
  return changes;
}

async function withError(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    void vscode.window.showErrorMessage(messageOf(error));
  }
}
