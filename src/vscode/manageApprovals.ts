import * as vscode from 'vscode';

import type { ApprovalStore, Grant } from './approvalStore.ts';
import { oneLine } from './plainText.ts';
import { sourceText } from './serverTexts.ts';

type Item = vscode.QuickPickItem & { readonly scope: 'workspace' | 'always'; readonly grant: Grant };

/** Shows what was allowed for longer than one call; what the person unticks is asked about again. */
export async function manageApprovals(approvals: ApprovalStore): Promise<void> {
  const items = (['always', 'workspace'] as const).flatMap((scope) =>
    approvals.list(scope).map((grant) => item(scope, grant)),
  );
  if (items.length === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('No tool is allowed without asking.'));
    return;
  }
  const kept = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Tools that run without asking'),
    placeHolder: vscode.l10n.t('Untick what should be asked about again'),
  });
  if (kept === undefined) return;
  for (const each of items) if (!kept.includes(each)) await approvals.remove(each.scope, each.grant);
}

function item(scope: 'workspace' | 'always', grant: Grant): Item {
  return {
    label:
      grant.tool === undefined ? vscode.l10n.t('Every tool of {0}', oneLine(grant.label, 60)) : oneLine(grant.tool, 80),
    description: `${oneLine(grant.label, 60)} · ${scope === 'always' ? vscode.l10n.t('everywhere') : vscode.l10n.t('in this workspace')}`,
    detail: sourceText(grant.server.split('/', 1)[0] ?? ''),
    picked: true,
    scope,
    grant,
  };
}
