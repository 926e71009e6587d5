import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { OfferLists } from './offerLists.ts';
import { oneLine } from './plainText.ts';
import { serverCard } from './serverCard.ts';
import { gatherFacts, trustNotes, type FactSources } from './serverFacts.ts';
import { childNodes, rootNodes, type TreeNode, type ViewNote } from './serversTree.ts';
import { treeItem } from './treeItems.ts';

/** What the view shows besides the servers. */
export interface ServersViewOptions extends FactSources {
  /** Whether there is a language model besides the built-in planner. */
  readonly hasModel: () => Promise<boolean>;
}

/** What stands in the servers view: rows, their looks, and what a tick of a checkbox does. Read when the view is first shown. */
export class ServersView implements Disposable {
  readonly #options: ServersViewOptions;
  readonly #offers = new OfferLists();
  readonly #changed = new Emitter<readonly TreeNode[] | undefined>();
  readonly #store = new DisposableStore();
  /** Rows by id. A row stays the same object while its facts change, so that a click never meets one that is gone. */
  readonly #rows = new Map<string, TreeNode>();
  /** The facts of the rows at the top as they were last drawn, by id. */
  #drawn = new Map<string, string>();
  #hasModel: boolean | undefined;

  /** Fires with the rows that are to be drawn anew; undefined is all of them. */
  readonly onDidChange: Event<readonly TreeNode[] | undefined> = this.#changed.event;

  constructor(options: ServersViewOptions) {
    this.#options = options;
    this.#store.add(this.#offers);
    this.#store.add(this.#offers.onDidChange(() => this.#changed.fire(undefined)));
    this.#store.add(vscode.lm.onDidChangeChatModels(() => void this.#lookForModel()));
    void this.#lookForModel();
  }

  /** The rows below `node`; without one those at the top. */
  async children(node?: TreeNode): Promise<readonly TreeNode[]> {
    if (node === undefined) return this.#top();
    return this.#keep(await this.#below(node));
  }

  /** Looks at the servers and has those rows drawn anew whose facts are others now. */
  refresh(): void {
    const before = this.#drawn;
    const nodes = this.#top();
    const isSameList = before.size === nodes.length && nodes.every(({ id }) => before.has(id));
    const changed = nodes.filter(({ id }) => before.get(id) !== this.#drawn.get(id));
    if (!isSameList) this.#changed.fire(undefined);
    else if (changed.length > 0) this.#changed.fire(changed);
  }

  #top(): readonly TreeNode[] {
    const nodes = rootNodes(gatherFacts(this.#options, this.#notes()));
    this.#drawn = new Map(nodes.map((node) => [node.id, JSON.stringify(node)]));
    return this.#keep(nodes);
  }

  #keep(nodes: readonly TreeNode[]): readonly TreeNode[] {
    return nodes.map((node) => {
      const kept = this.#rows.get(node.id);
      this.#rows.set(node.id, kept ?? node);
      return kept === undefined ? node : Object.assign(kept, node);
    });
  }

  async #below(node: TreeNode): Promise<readonly TreeNode[]> {
    if (node.kind !== 'group' || node.group === 'tools') return childNodes(node);
    const server = this.#options.servers.find(node.server.identity);
    if (server === undefined) return childNodes(node);
    try {
      return childNodes(node, await this.#offers.list(server, node.group));
    } catch (error) {
      const text = oneLine(messageOf(error), 600);
      return [{ kind: 'problem', id: `${node.id}\0problem`, parent: node, server: node.server, text }];
    }
  }

  item(node: TreeNode): vscode.TreeItem {
    return treeItem(node);
  }

  /** Gives a server's row its card, when somebody points at it. */
  resolve(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'server')
      item.tooltip = serverCard(node.server, this.#options.servers.find(node.server.identity));
    return item;
  }

  /** Ticks and unticks tools. */
  async tick(items: ReadonlyArray<[TreeNode, vscode.TreeItemCheckboxState]>): Promise<void> {
    const { switches } = this.#options.servers;
    for (const [node, state] of items) {
      if (node.kind !== 'tool') continue;
      const listed = node.server.tools.map(({ tool }) => tool);
      const isOn = state === vscode.TreeItemCheckboxState.Checked;
      await switches.setTool(node.server.identity, node.tool.tool, isOn, listed);
    }
  }

  dispose(): void {
    this.#store.dispose();
    this.#changed.dispose();
  }

  #notes(): readonly ViewNote[] {
    return [...trustNotes(), ...(this.#hasModel === false ? (['no-model'] as const) : [])];
  }

  /** The welcome texts of an empty view read the context key. */
  async #lookForModel(): Promise<void> {
    const hasModel = await this.#options.hasModel();
    if (hasModel === this.#hasModel) return;
    this.#hasModel = hasModel;
    await vscode.commands.executeCommand('setContext', 'mcpAgent.noModel', !hasModel);
    this.refresh();
  }
}
