import * as vscode from 'vscode';

import { coalesce } from '../base/coalesce.ts';
import { DisposableStore, type Disposable } from '../base/disposables.ts';
import type { ServerActions, ServerActionsOptions } from './serverActions.ts';
import type { ServersStatus } from './serversStatus.ts';
import type { ServersView } from './serversView.ts';
import type { TreeNode } from './serversTree.ts';

export type ServersViewParts = ServerActionsOptions;

/** The view's id in the manifest. */
const viewId = 'mcpAgent.servers';
/** Changes of servers that come so close, in milliseconds, are shown together. */
const togetherMs = 120;
/** After this long a window that nobody has used shows its item in the status bar, in milliseconds. */
const idleMs = 1500;

/** What can be done in the view, in lenses and from the palette: `mcpAgent.view.start` …; the palette has its own names for two of them. */
const actions = [
  'start',
  'stop',
  'restart',
  'showLog',
  'inspect',
  'signIn',
  'signOut',
  'editSettings',
  'showTool',
  'offerTool',
  'leaveOutTool',
  'usePrompt',
  'openResource',
  'attachResource',
] as const;

const settingsFiles: vscode.DocumentSelector = ['**/settings.json', '**/mcp.json', '**/*.code-workspace'].map(
  (pattern) => ({ pattern }),
);

/** Registers the servers view, its item in the status bar, and what stands in settings files. All behind it is read when it is first needed. */
export function registerServersView(parts: ServersViewParts): Disposable {
  const store = new DisposableStore();
  registerTree(parts, store);
  registerActions(parts, store);
  registerSettingsFiles(parts, store);
  return store;
}

function registerTree(parts: ServersViewParts, store: DisposableStore): void {
  const { servers } = parts;
  const rows = store.add(new vscode.EventEmitter<readonly TreeNode[] | undefined>());
  const view = once(() => readView(parts, store, rows));
  const tree = store.add(
    vscode.window.createTreeView<TreeNode>(viewId, {
      showCollapseAll: true,
      manageCheckboxStateManually: true,
      treeDataProvider: {
        onDidChangeTreeData: (listener) => rows.event((nodes) => listener(nodes && [...nodes])),
        getChildren: async (node) => {
          // Who looks at the servers wants to know how they are.
          servers.start();
          return [...(await (await view()).children(node))];
        },
        getTreeItem: async (node) => (await view()).item(node),
        getParent: (node) => node.parent,
        resolveTreeItem: async (item, node) => (await view()).resolve(item, node),
      },
    }),
  );
  store.add(tree.onDidChangeCheckboxState(async ({ items }) => (await view()).tick(items)));
  const status = once(() => readStatus(store));
  const show = store.add(coalesce(() => void showFigures(parts, tree, status), togetherMs));
  const refresh = store.add(coalesce(() => void refreshRows(tree, view), togetherMs));
  store.add(tree.onDidChangeVisibility(refresh));
  for (const event of [servers.onDidChange, servers.switches.onDidChange]) {
    store.add(event(show));
    store.add(event(refresh));
  }
  store.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mcp.servers') && show()));
  store.add(coalesce(show, idleMs))();
  store.add(vscode.commands.registerCommand('mcpAgent.view.reveal', (target) => reveal(target, tree, view)));
}

/** Shows the row of a server, with what is below it. */
async function reveal(
  target: unknown,
  tree: vscode.TreeView<TreeNode>,
  view: () => Promise<ServersView>,
): Promise<void> {
  await vscode.commands.executeCommand(`${viewId}.focus`);
  const { readTarget } = await import('./serverTarget.ts');
  const identity = readTarget(target)?.identity;
  const nodes = await (await view()).children();
  const node = nodes.find(({ id }) => id === identity);
  if (node !== undefined) await tree.reveal(node, { select: true, focus: true, expand: 2 });
}

async function readView(
  parts: ServersViewParts,
  store: DisposableStore,
  rows: vscode.EventEmitter<readonly TreeNode[] | undefined>,
): Promise<ServersView> {
  const [{ ServersView }, { hasLanguageModel }] = await Promise.all([
    import('./serversView.ts'),
    import('./setUpModel.ts'),
  ]);
  const view = store.add(new ServersView({ ...parts, hasModel: hasLanguageModel }));
  store.add(view.onDidChange((nodes) => rows.fire(nodes)));
  return view;
}

async function refreshRows(tree: vscode.TreeView<TreeNode>, view: () => Promise<ServersView>): Promise<void> {
  if (tree.visible) (await view()).refresh();
}

async function readStatus(store: DisposableStore): Promise<ServersStatus> {
  const { ServersStatus } = await import('./serversStatus.ts');
  return store.add(new ServersStatus());
}

/** The figures in the status bar and on the view's icon. */
async function showFigures(
  parts: ServersViewParts,
  tree: vscode.TreeView<TreeNode>,
  status: () => Promise<ServersStatus>,
): Promise<void> {
  const [{ gatherFacts }, { summaryOf }, { summaryText }] = await Promise.all([
    import('./serverFacts.ts'),
    import('./serversTree.ts'),
    import('./serversStatus.ts'),
  ]);
  const facts = gatherFacts(parts);
  const summary = summaryOf(facts);
  tree.badge = summary.needed === 0 ? undefined : { value: summary.needed, tooltip: summaryText(summary) };
  (await status()).show(facts);
}

function registerActions(parts: ServersViewParts, store: DisposableStore): void {
  const read = once(async (): Promise<ServerActions> => {
    const { ServerActions } = await import('./serverActions.ts');
    return store.add(new ServerActions(parts));
  });
  const register = (command: string, run: (argument?: unknown) => unknown): void =>
    void store.add(vscode.commands.registerCommand(command, run));
  for (const action of actions) {
    register(`mcpAgent.view.${action}`, async (argument) => (await read()).run(action, argument));
  }
  register('mcpAgent.startServer', async (argument) => (await read()).runForOne('start', argument));
  register('mcpAgent.stopServer', async (argument) => (await read()).runForOne('stop', argument));
  register('mcpAgent.setUpModel', async () => (await import('./setUpModel.ts')).setUpModel());
  register('mcpAgent.view.manageTrust', () => vscode.commands.executeCommand('workbench.trust.manage'));
}

function registerSettingsFiles(parts: ServersViewParts, store: DisposableStore): void {
  const { servers } = parts;
  const lenses = store.add(new vscode.EventEmitter<void>());
  const refresh = store.add(coalesce(() => lenses.fire(), togetherMs));
  store.add(servers.onDidChange(refresh));
  store.add(servers.switches.onDidChange(refresh));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mcp.servers') && refresh()),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(settingsFiles, {
      onDidChangeCodeLenses: lenses.event,
      provideCodeLenses: async (document) => (await import('./settingsLenses.ts')).settingsLenses(document, parts),
    }),
  );
  store.add(
    vscode.languages.registerHoverProvider(settingsFiles, {
      provideHover: async (document, position) => {
        const { settingsHover } = await import('./settingsHover.ts');
        const card = settingsHover(document, position, parts);
        return card && new vscode.Hover(card);
      },
    }),
  );
  const provideCompletionItems = async (
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> => {
    const { settingsCompletions } = await import('./settingsCompletions.ts');
    return settingsCompletions(document, position, servers);
  };
  store.add(vscode.languages.registerCompletionItemProvider(settingsFiles, { provideCompletionItems }, '"', '$', '{'));
}

/** Reads something once, when it is first asked for. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}
