import * as vscode from 'vscode';

import { DisposableStore } from '../base/disposables.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { errorOf } from '../servers/serverState.ts';
import type { Tool } from '../tools/tool.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { serverErrorText } from './serverErrorText.ts';
import { sourceText, stateIcon, stateText } from './serverTexts.ts';

/** What a person may choose in the list. */
export type Choice =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'server'; readonly server: ServerConnection }
  | { readonly kind: 'settings' }
  | { readonly kind: 'trust' };

type Item = vscode.QuickPickItem & { readonly choice?: Choice };

/** All tools by server, filterable by any word. Follows the servers while it is open. Resolves with the choice, if any. */
export function chooseTool(servers: EditorServers): Promise<Choice | undefined> {
  return choose(servers, vscode.l10n.t('Search the tools of all MCP servers'), () => toolItems(servers));
}

/** The servers alone. */
export function chooseServer(servers: EditorServers, placeholder: string): Promise<Choice | undefined> {
  return choose(servers, placeholder, () => withSetup(servers.connections().map(serverItem)));
}

function choose(servers: EditorServers, placeholder: string, items: () => Item[]): Promise<Choice | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  pick.title = 'MCP Agent';
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const refresh = (): void => {
    pick.items = items();
    pick.busy = servers.connections().some(({ state }) => state.kind === 'connecting');
  };
  servers.start();
  refresh();
  store.add(servers.onDidChange(refresh));
  return new Promise((resolve) => {
    store.add(
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]?.choice);
        pick.hide();
      }),
    );
    store.add(
      pick.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    pick.show();
  });
}

function toolItems(servers: EditorServers): Item[] {
  const byServer = servers.toolsByServer();
  return withSetup(
    servers.connections().flatMap((server) => {
      const label = `${oneLine(server.spec.name, 60)} — ${stateText(server)}`;
      const separator: Item = { label, kind: vscode.QuickPickItemKind.Separator };
      const tools = byServer.get(server.spec.identity) ?? [];
      return [separator, ...(tools.length > 0 ? tools.map((tool) => toolItem(tool, servers)) : [serverItem(server)])];
    }),
  );
}

function toolItem(tool: Tool, { switches }: EditorServers): Item {
  const title = oneLine(tool.title ?? tool.annotations.title ?? '', 80);
  const off = switches.isOn(tool.serverIdentity, tool.tool) ? '' : vscode.l10n.t('switched off');
  return {
    label: tool.name,
    description: [title, off].filter((words) => words !== '').join(' · '),
    detail: oneLine(tool.description, 160),
    choice: { kind: 'tool', tool },
  };
}

function serverItem(server: ServerConnection): Item {
  return {
    label: `$(${stateIcon(server)}) ${escapeIcons(oneLine(server.spec.name, 60))}`,
    description: `${stateText(server)} · ${sourceText(server.spec.source)}`,
    ...detailOf(server),
    choice: { kind: 'server', server },
  };
}

/** Why it does not run, if there is a reason. */
function detailOf({ spec, state }: ServerConnection): { detail?: string } {
  const error = errorOf(state);
  const reason = spec.held ?? (error && serverErrorText(error, spec.name));
  return reason === undefined ? {} : { detail: escapeIcons(reason) };
}

function withSetup(items: Item[]): Item[] {
  if (items.length > 0) return [...items, ...restrictedItems()];
  return [
    ...restrictedItems(),
    {
      label: `$(gear) ${vscode.l10n.t('No MCP server is configured')}`,
      detail: vscode.l10n.t('Open settings.json and add one under "mcp.servers".'),
      choice: { kind: 'settings' },
    },
  ];
}

/** Nothing of the workspace is even read in Restricted Mode; who misses its servers should learn why. */
function restrictedItems(): Item[] {
  if (vscode.workspace.isTrusted) return [];
  return [
    {
      label: `$(shield) ${vscode.l10n.t('Restricted Mode')}`,
      detail: vscode.l10n.t('Servers of this workspace are left out until you trust it.'),
      choice: { kind: 'trust' },
    },
  ];
}

/** A foreign text must not draw icons. */
function escapeIcons(text: string): string {
  return text.replaceAll('$(', String.raw`\$(`);
}
