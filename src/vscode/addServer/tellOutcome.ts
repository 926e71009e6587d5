import * as vscode from 'vscode';

import { serverIdentity } from '../../servers/serverIdentity.ts';
import type { ServerConnection } from '../../servers/serverConnection.ts';
import type { Addition } from '../../settings/newServer/addition.ts';
import type { EditorServers } from '../editorServers.ts';
import { oneLine } from '../plainText.ts';
import { serverErrorText } from '../serverErrorText.ts';
import type { SignIns } from '../signIns.ts';
import type { Target } from './targets.ts';

/** The servers of this window, and their sign-ins. */
export interface Running {
  readonly servers: EditorServers;
  readonly signIns: SignIns;
}

/** How long a new server may take to start before nothing more is said, in milliseconds: a package may have to be loaded. */
const limitMs = 180_000;

/** Starts the servers that were added, and tells of each how many tools it has or why it has none. */
export async function tellOutcome({ servers }: Addition, { source }: Target, running: Running): Promise<void> {
  running.servers.start();
  const wanted = servers.filter(({ entry }) => entry['disabled'] !== true);
  await Promise.all(
    wanted.map(async ({ name }) => {
      const server = await startedServer(serverIdentity(source, name), name, running.servers);
      if (server) await tell(server, running);
    }),
  );
}

/** Resolves when the server is ready, has failed, or takes too long or is waited for no more: then without one. */
async function startedServer(
  identity: string,
  name: string,
  servers: EditorServers,
): Promise<ServerConnection | undefined> {
  const settled = (): ServerConnection | undefined => {
    const server = servers.find(identity);
    if (server?.spec.held !== undefined) return undefined;
    return server?.state.kind === 'ready' || server?.state.kind === 'failed' ? server : undefined;
  };
  const title = vscode.l10n.t('Starting the MCP server {0}…', oneLine(name, 60));
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
    return new Promise<ServerConnection | undefined>((resolve) => {
      const finish = (server?: ServerConnection): void => {
        for (const each of [changes, cancelled]) each.dispose();
        clearTimeout(limit);
        resolve(server);
      };
      let isAsked = false;
      const look = (): void => {
        const server = settled();
        if (server) return finish(server);
        if (isAsked || servers.find(identity)?.spec.held === undefined) return;
        // What a workspace defines is asked about, even where the person has put it there.
        isAsked = true;
        // Not from within the change that tells of it.
        setTimeout(() => void servers.startOne(identity).then(giveUp, giveUp), 0);
      };
      const giveUp = (): void => {
        if (servers.find(identity)?.spec.held !== undefined) finish();
      };
      const changes = servers.onDidChange(look);
      const cancelled = token.onCancellationRequested(() => finish());
      const limit = setTimeout(() => finish(servers.find(identity)), limitMs);
      look();
    });
  });
}

async function tell(server: ServerConnection, { servers, signIns }: Running): Promise<void> {
  const { state, spec } = server;
  const name = oneLine(spec.name, 60);
  if (state.kind === 'ready') return tellReady(name, servers.toolsOf(spec.identity).length);
  if (state.kind !== 'failed' || signIns.needed.includes(spec.name)) return;
  const log = vscode.l10n.t('Show Log');
  const settings = vscode.l10n.t('Open Settings');
  const text = vscode.l10n.t('{0} was added, but does not start: {1}', name, serverErrorText(state.error, spec.name));
  const answer = await vscode.window.showWarningMessage(text, log, settings);
  if (answer === log) await vscode.commands.executeCommand('mcpAgent.showLog', spec.name);
  if (answer === settings) await vscode.commands.executeCommand('mcpAgent.openSettings', spec.name);
}

async function tellReady(name: string, count: number): Promise<void> {
  const list = vscode.l10n.t('List Tools');
  const ask = vscode.l10n.t('Ask @mcp');
  const text =
    count === 1 ? vscode.l10n.t('{0} is ready: 1 tool.', name) : vscode.l10n.t('{0} is ready: {1} tools.', name, count);
  const answer = await vscode.window.showInformationMessage(text, ask, list);
  if (answer === list) await vscode.commands.executeCommand('mcpAgent.listTools');
  if (answer === ask) await vscode.commands.executeCommand('mcpAgent.askInChat');
}
