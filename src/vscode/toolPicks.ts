import * as vscode from 'vscode';

import { DisposableStore } from '../base/disposables.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { Tool } from '../tools/tool.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { stateText } from './serverTexts.ts';
import { costText, numberText } from './toolCost.ts';
import { followTicks, type TickedServer } from './toolSelection.ts';

type Item = vscode.QuickPickItem & { readonly key: string };

/** What one server lists now. */
interface Group {
  readonly server: ServerConnection;
  readonly tools: readonly Tool[];
}

/** "Choose Tools": all servers and tools with ticks and their cost; what is ticked is offered to models, in this workspace. */
export async function chooseTools(servers: EditorServers): Promise<void> {
  servers.start();
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  pick.title = vscode.l10n.t('Tools for the Model');
  pick.placeholder = vscode.l10n.t('What is ticked is offered to the model');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const ticks = store.add(new Ticks(pick, servers));
  await new Promise<void>((resolve) => {
    store.add(pick.onDidHide(() => resolve()));
    store.add(
      pick.onDidAccept(
        () =>
          void ticks.save().then(
            () => pick.hide(),
            () => pick.hide(),
          ),
      ),
    );
    pick.show();
  });
  store.dispose();
}

/** The rows of the list and their ticks, while it is open. A server that becomes ready meanwhile brings its tools in. */
class Ticks {
  readonly #pick: vscode.QuickPick<Item>;
  readonly #servers: EditorServers;
  readonly #store = new DisposableStore();
  #groups: readonly Group[] = [];
  #ticked: ReadonlySet<string> = new Set();

  constructor(pick: vscode.QuickPick<Item>, servers: EditorServers) {
    this.#pick = pick;
    this.#servers = servers;
    this.#refresh();
    this.#store.add(servers.onDidChange(() => this.#refresh()));
    this.#store.add(pick.onDidChangeSelection((items) => this.#follow(new Set(items.map(({ key }) => key)))));
  }

  /** Switches on what is ticked, and off what is not. */
  async save(): Promise<void> {
    await this.#servers.switches.choose(
      this.#groups.map(({ server: { spec }, tools }) => ({
        identity: spec.identity,
        listed: tools.map(({ tool }) => tool),
        on: new Set(tools.filter(({ name }) => this.#ticked.has(toolKey(name))).map(({ tool }) => tool)),
      })),
    );
    for (const {
      server: { spec },
      tools,
    } of this.#groups) {
      const isOn = this.#ticked.has(serverKey(spec.identity));
      if (tools.length === 0 && isOn !== this.#servers.switches.isServerOn(spec.identity))
        await this.#servers.switches.setServer(spec.identity, isOn);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #refresh(): void {
    const known = new Set(this.#pick.items.map(({ key }) => key));
    this.#groups = groupsOf(this.#servers);
    const isTicked = (key: string, isOn: boolean): boolean => (known.has(key) ? this.#ticked.has(key) : isOn);
    const { switches } = this.#servers;
    const ticked = this.#groups.flatMap(({ server: { spec }, tools }) => {
      const server = serverKey(spec.identity);
      const isServerOn = isTicked(server, switches.isServerOn(spec.identity));
      const on = tools.filter(({ name, tool }) =>
        isTicked(toolKey(name), isServerOn && switches.isOn(spec.identity, tool)),
      );
      return [...(isServerOn ? [server] : []), ...on.map(({ name }) => toolKey(name))];
    });
    this.#ticked = followTicks(new Set(ticked), new Set(ticked), this.#tree());
    this.#pick.items = this.#groups.flatMap(itemsOf);
    this.#pick.busy = this.#groups.some(({ server }) => server.state.kind === 'connecting');
    this.#show();
  }

  #follow(selected: ReadonlySet<string>): void {
    if (isSame(selected, this.#ticked)) return;
    this.#ticked = followTicks(this.#ticked, selected, this.#tree());
    this.#show();
  }

  #show(): void {
    this.#pick.selectedItems = this.#pick.items.filter(({ key }) => this.#ticked.has(key));
    const tools = this.#groups.flatMap((group) => group.tools.filter(({ name }) => this.#ticked.has(toolKey(name))));
    const all = this.#groups.reduce((sum, group) => sum + group.tools.length, 0);
    this.#pick.title = vscode.l10n.t(
      'Tools for the Model: {0} of {1}, {2}',
      numberText(tools.length),
      numberText(all),
      costText(tools),
    );
  }

  #tree(): readonly TickedServer[] {
    return this.#groups.map(({ server, tools }) => ({
      server: serverKey(server.spec.identity),
      tools: tools.map(({ name }) => toolKey(name)),
    }));
  }
}

/** All servers with the tools that they list now. */
function groupsOf(servers: EditorServers): readonly Group[] {
  const byServer = servers.toolsByServer();
  return servers.connections().map((server) => ({ server, tools: byServer.get(server.spec.identity) ?? [] }));
}

function itemsOf({ server, tools }: Group): Item[] {
  const name = oneLine(server.spec.name, 60);
  const about = tools.length > 0 ? countText(tools.length) : stateText(server);
  return [
    { key: '', label: name, kind: vscode.QuickPickItemKind.Separator },
    {
      key: serverKey(server.spec.identity),
      label: `$(server) ${name.replaceAll('$(', String.raw`\$(`)}`,
      description: tools.length > 0 ? `${about} · ${costText(tools)}` : about,
    },
    ...tools.map((tool) => ({
      key: toolKey(tool.name),
      label: tool.name,
      description: costText([tool]),
      detail: oneLine(tool.title ?? tool.description, 160),
    })),
  ];
}

function countText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', numberText(count));
}

const serverKey = (identity: string): string => `server ${identity}`;
const toolKey = (name: string): string => `tool ${name}`;

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((key) => b.has(key));
}
