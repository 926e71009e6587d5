import type * as vscode from 'vscode';

import { allowancesOf } from './vscode/allowances.ts';
import { registerCommands } from './vscode/commands.ts';
import type { EditorServers } from './vscode/editorServers.ts';
import { LazyInspector } from './vscode/lazyInspector.ts';
import { Models } from './vscode/models.ts';
import { registerAddServer } from './vscode/registerAddServer.ts';
import { registerChat } from './vscode/registerChat.ts';
import { registerDiagnostics } from './vscode/registerDiagnostics.ts';
import { registerServersView } from './vscode/registerServersView.ts';
import { ServerLogs } from './vscode/serverLogs.ts';
import { SignIns } from './vscode/signIns.ts';
import { ServerQuestions } from './vscode/serverQuestions.ts';
import { ToolCalls } from './vscode/toolCalls.ts';
import { ToolDocuments } from './vscode/toolDocuments.ts';
import { windowServers } from './vscode/windowServers.ts';
import { serverOfTool } from './tools/serverOfTool.ts';
import { WireLog } from './wire/wireLog.ts';

let servers: EditorServers | undefined;

/** Builds, joins and registers. Reads no settings of servers, opens no connection and no file. */
export function activate(context: vscode.ExtensionContext): void {
  const own = <T extends vscode.Disposable>(item: T): T => {
    context.subscriptions.push(item);
    return item;
  };
  const wire = own(new WireLog({ serverOfTool: serverOfTool(() => servers?.tools() ?? []) }));
  const { tap } = wire;
  const logs = own(new ServerLogs(wire));
  const onSecret = (value: string): void => wire.addSecret(value);
  const { extension } = context;
  const version = String(extension.packageJSON.version);
  const models = own(new Models({ context, tap, onSecret, log: (level, text) => logs.note(level, text) }));
  const allowances = allowancesOf(context);
  const questions = own(
    new ServerQuestions({ approvals: allowances.approvals, modelOf: (model) => models.modelOf(model) }),
  );
  const signIns = own(new SignIns({ secrets: context.secrets, folder: context.globalStorageUri, tap, onSecret }));
  const running = windowServers(context, { tap, logs, questions, signIns, allowances, onSecret });
  servers = running;
  const calls = own(new ToolCalls(running, allowances));
  const documents = own(new ToolDocuments(running));
  const modelOf = questions.modelOf.bind(questions);
  const storage = context.storageUri ?? context.globalStorageUri;
  own(registerChat({ servers: running, calls, modelOf, tap, wire, signIns, logs, storage }));
  own(
    registerCommands({
      servers: running,
      logs,
      documents,
      setApiKey: () => models.setApiKey(),
      refreshModels: () => models.refresh(),
      allowances,
      signIns,
      inspector: own(
        new LazyInspector({ extension, version, log: wire, callTool: (...call) => running.callTool(...call) }),
      ),
    }),
  );
  own(registerDiagnostics());
  own(registerServersView({ servers: running, signIns, logs, documents }));
  own(registerAddServer({ context, servers: running, signIns, tap }));
  running.startIfWanted();
  void models.announce();
}

/** Waits until every server is closed. */
export async function deactivate(): Promise<void> {
  await servers?.close();
}
