import * as vscode from 'vscode';

import { DisposableStore } from '../base/disposables.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { costText, numberText } from './toolCost.ts';

type Item = vscode.QuickPickItem & { readonly set?: string; readonly run?: () => Promise<void> };

/** "Switch Tool Set": the named sets of this workspace to switch to or delete, and what is on now to be saved as one. */
export async function switchToolSet(servers: EditorServers): Promise<void> {
  servers.start();
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  pick.title = vscode.l10n.t('Tool Sets of This Workspace');
  pick.placeholder = vscode.l10n.t('Switch to which set of tools?');
  const refresh = (): void => {
    pick.items = itemsOf(servers);
  };
  refresh();
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.set !== undefined) void servers.switches.deleteSet(item.set).then(refresh);
    }),
  );
  const chosen = await new Promise<Item | undefined>((resolve) => {
    store.add(pick.onDidAccept(() => resolve(pick.selectedItems[0])));
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  });
  store.dispose();
  await chosen?.run?.();
}

function itemsOf(servers: EditorServers): Item[] {
  const { switches } = servers;
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete this set') };
  const sets = switches.sets.map((set): Item => ({
    set,
    label: oneLine(set, 80).replaceAll('$(', String.raw`\$(`),
    ...(switches.currentSet === set && { description: vscode.l10n.t('in use') }),
    buttons: [remove],
    run: async () => {
      await switches.useSet(set, identitiesOf(servers));
      tell(servers);
    },
  }));
  const separator: Item = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [...sets, ...(sets.length > 0 ? [separator] : []), ...actions(servers)];
}

function actions(servers: EditorServers): Item[] {
  return [
    { label: `$(save) ${vscode.l10n.t('Save What Is On as a Set…')}`, run: () => saveSet(servers) },
    {
      label: `$(checklist) ${vscode.l10n.t('Choose Tools…')}`,
      run: async () => (await import('./toolPicks.ts')).chooseTools(servers),
    },
    {
      label: `$(check-all) ${vscode.l10n.t('Switch Everything On')}`,
      run: async () => {
        await servers.switches.switchAllOn();
        tell(servers);
      },
    },
  ];
}

async function saveSet(servers: EditorServers): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save What Is On as a Set'),
    prompt: vscode.l10n.t('A set of the same name is replaced.'),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Give the set a name.') : undefined),
  });
  if (name !== undefined) await servers.switches.saveSet(name.trim(), identitiesOf(servers));
}

/** Says what is on now. */
function tell(servers: EditorServers): void {
  const on = servers.tools();
  const all = numberText(servers.listedTools().length);
  const text = vscode.l10n.t('{0} of {1} tools are on ({2}).', numberText(on.length), all, costText(on));
  vscode.window.setStatusBarMessage(`$(tools) ${text}`, 6000);
}

function identitiesOf(servers: EditorServers): readonly string[] {
  return servers.connections().map(({ spec }) => spec.identity);
}
