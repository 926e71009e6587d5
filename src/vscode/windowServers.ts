import type * as vscode from 'vscode';

import type { Tap } from '../base/tap.ts';
import { ToolSwitches } from '../tools/toolSwitches.ts';
import type { Allowances } from './allowances.ts';
import { EditorServers } from './editorServers.ts';
import { InputPrompts } from './inputPrompts.ts';
import { serverOpener } from './openServer.ts';
import type { ServerLogs } from './serverLogs.ts';
import type { ServerQuestions } from './serverQuestions.ts';
import type { SignIns } from './signIns.ts';
import { StoppedServers } from './stoppedServers.ts';

export interface WindowServersOptions {
  readonly tap: Tap;
  readonly logs: ServerLogs;
  readonly questions: ServerQuestions;
  readonly signIns: SignIns;
  readonly allowances: Allowances;
  readonly onSecret: (value: string) => void;
}

/** The servers of this window, with what it remembers of them and how it opens them. Starts nothing. */
export function windowServers(context: vscode.ExtensionContext, options: WindowServersOptions): EditorServers {
  const { tap, logs, questions, signIns, allowances, onSecret } = options;
  const { globalState: memory, workspaceState, secrets, extension } = context;
  const clientInfo = { name: 'mcp-agent', version: String(extension.packageJSON.version) };
  return new EditorServers({
    open: serverOpener({ tap, clientInfo, logs, questions, signIns, memory }),
    prompts: new InputPrompts(secrets, onSecret),
    memory,
    switches: new ToolSwitches(workspaceState),
    permissions: allowances.permissions,
    stopped: new StoppedServers(workspaceState),
    onSecret,
    tap,
    log: (level, text, server) => logs.note(level, text, server),
  });
}
