import * as vscode from 'vscode';

import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { asString, isRecord } from '../base/json.ts';
import { readResource } from '../mcp/offers.ts';
import { toAbortSignal } from './cancellation.ts';
import { editEntry } from './editEntry.ts';
import { factLine, factIcon, shownName } from './factTexts.ts';
import { oneLine } from './plainText.ts';
import { label } from './quickInputs.ts';
import { ResourceFiles } from './resourceFiles.ts';
import { gatherFacts, type FactSources } from './serverFacts.ts';
import { actionsOf } from './serversTree.ts';
import { readTarget, type ServerTarget } from './serverTarget.ts';
import type { ServerLogs } from './serverLogs.ts';
import { signInCommand } from './signIns.ts';
import type { ToolDocuments } from './toolDocuments.ts';

export interface ServerActionsOptions extends FactSources {
  readonly logs: ServerLogs;
  readonly documents: ToolDocuments;
}

/** What the commands of the servers view, of the lenses and of the palette do. Read when the first of them is used. */
export class ServerActions implements Disposable {
  readonly #options: ServerActionsOptions;
  readonly #store = new DisposableStore();
  #files: ResourceFiles | undefined;

  constructor(options: ServerActionsOptions) {
    this.#options = options;
  }

  /** Runs an action by its name with the argument of its command. Unknown names and arguments that name nothing do nothing. */
  async run(action: string, argument: unknown): Promise<void> {
    const target = readTarget(argument);
    if (target !== undefined) await this.#act(action, target, argument);
  }

  /** For the palette: where the argument names no server, the person chooses one that the action fits. */
  async runForOne(action: 'start' | 'stop', argument: unknown): Promise<void> {
    const target = readTarget(argument) ?? (await this.#choose(action));
    if (target !== undefined) await this.#act(action, target, argument);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #act(action: string, target: ServerTarget, argument: unknown): Promise<void> {
    const { servers, logs } = this.#options;
    const { identity, name } = target;
    switch (action) {
      case 'start':
        return servers.startOne(identity);
      case 'stop':
        return servers.halt(identity);
      case 'restart':
        return servers.isHalted(identity) ? servers.startOne(identity) : servers.restart(identity);
      case 'showLog':
        return logs.show(name);
      case 'inspect':
        return void (await vscode.commands.executeCommand('mcpAgent.openInspector', { server: name }));
      case 'signIn':
        return void (await vscode.commands.executeCommand(signInCommand, name));
      case 'signOut':
        return void (await vscode.commands.executeCommand('mcpAgent.signOut', name));
      case 'editSettings':
        return editEntry(target);
      default:
        return this.#use(action, target, argument);
    }
  }

  /** What is done with a tool, a prompt or a resource of a server. */
  async #use(action: string, { identity }: ServerTarget, argument: unknown): Promise<void> {
    const { servers, documents } = this.#options;
    if (action === 'showTool') {
      const name = textAt(argument, 'tool', 'name');
      const tool = servers.toolsOf(identity).find((each) => each.name === name);
      if (tool !== undefined) await documents.show(tool);
    } else if (action === 'offerTool' || action === 'leaveOutTool') {
      const listed = servers.toolsOf(identity).map(({ tool }) => tool);
      const tool = textAt(argument, 'tool', 'tool');
      if (tool !== undefined) await servers.switches.setTool(identity, tool, action === 'offerTool', listed);
    } else if (action === 'usePrompt') await toChat('prompt', textAt(argument, 'prompt', 'name'));
    else if (action === 'attachResource') await toChat('resource', textAt(argument, 'resource', 'uri'));
    else if (action === 'openResource') await this.#openResource(identity, textAt(argument, 'resource', 'uri'));
  }

  async #choose(action: 'start' | 'stop'): Promise<ServerTarget | undefined> {
    const { servers } = gatherFacts(this.#options);
    const fitting = servers.filter((server) => actionsOf(server).includes(action));
    if (fitting.length === 0) {
      void vscode.window.showInformationMessage(
        action === 'start' ? vscode.l10n.t('No MCP server is stopped.') : vscode.l10n.t('No MCP server is running.'),
      );
      return undefined;
    }
    const items = fitting.map((server) => ({
      label: `$(${factIcon(server).id}) ${label(shownName(server), 60)}`,
      description: factLine(server),
      server,
    }));
    const title = action === 'start' ? vscode.l10n.t('Start which server?') : vscode.l10n.t('Stop which server?');
    return (await vscode.window.showQuickPick(items, { title }))?.server;
  }

  async #openResource(identity: string, uri: string | undefined): Promise<void> {
    const server = this.#options.servers.find(identity);
    if (server === undefined || uri === undefined) return;
    const title = vscode.l10n.t('Reading {0}…', oneLine(uri, 80));
    const location = vscode.ProgressLocation.Window;
    try {
      await vscode.window.withProgress({ location, title }, async (_progress, token) => {
        const link = toAbortSignal(token);
        const { signal } = link;
        try {
          const contents = await server.use(signal, (client) => readResource(client, uri, { signal }));
          this.#files ??= this.#store.add(new ResourceFiles());
          for (const piece of contents) await this.#files.open(piece);
        } finally {
          link.dispose();
        }
      });
    } catch (error) {
      const text = oneLine(error instanceof Error ? error.message : String(error), 600);
      void vscode.window.showErrorMessage(vscode.l10n.t('The resource {0} was not read: {1}', oneLine(uri, 80), text));
    }
  }
}

/** The text at `argument[first][second]`. */
function textAt(argument: unknown, first: string, second: string): string | undefined {
  const inner = isRecord(argument) ? argument[first] : undefined;
  return isRecord(inner) ? asString(inner[second]) : undefined;
}

/** Has `@mcp` take a prompt or a resource. What is no single word would be read as more than its name, so the person chooses from the list. */
async function toChat(command: 'prompt' | 'resource', word: string | undefined): Promise<void> {
  const isWord = word !== undefined && /^\S+$/u.test(word);
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@mcp /${command} ${isWord ? word : ''}`,
  });
}
