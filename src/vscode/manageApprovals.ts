import * as vscode from 'vscode';

import type { Allowances } from './allowances.ts';
import type { ApprovalStore, Grant } from './approvalStore.ts';
import { oneLine } from './plainText.ts';
import { sourceText } from './serverTexts.ts';
import type { AnsweredServer, StartPermissions } from './startPermissions.ts';

/** One thing that was allowed or refused for good. */
interface Item extends vscode.QuickPickItem {
  readonly takeBack: () => Promise<void>;
}

/** Shows what was allowed for longer than one call; what the person unticks is asked about again. */
export async function manageApprovals(allowances: Allowances): Promise<void> {
  const { approvals, permissions } = allowances;
  const items = [
    ...(['always', 'workspace'] as const).flatMap((scope) =>
      approvals.list(scope).map((grant) => grantItem(approvals, scope, grant)),
    ),
    ...permissions.list().map((answered) => startItem(permissions, answered)),
  ];
  if (items.length === 0) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Nothing is remembered as allowed. What the settings name under “autoApprove” runs without asking all the same.',
      ),
    );
    return;
  }
  const kept = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Tools that run without asking'),
    placeHolder: vscode.l10n.t('Untick what should be asked about again'),
  });
  if (kept === undefined) return;
  for (const each of items) if (!kept.includes(each)) await each.takeBack();
}

/** Takes everything back after one more question: tools and servers are asked about as on the first day. */
export async function resetApprovals({ approvals, permissions, book }: Allowances): Promise<void> {
  const reset = vscode.l10n.t('Reset');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Take back everything that you have allowed MCP tools and servers?'),
    {
      modal: true,
      detail: vscode.l10n.t('Each will be asked about again before it runs. Passwords and sign-ins stay.'),
    },
    reset,
  );
  if (choice !== reset) return;
  await approvals.clear();
  await permissions.forget();
  await book.clear();
  await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'What you had allowed is asked about again. What the settings name under “autoApprove” still runs without asking.',
    ),
  );
}

function grantItem(approvals: ApprovalStore, scope: 'workspace' | 'always', grant: Grant): Item {
  return {
    label:
      grant.tool === undefined ? vscode.l10n.t('Every tool of {0}', oneLine(grant.label, 60)) : oneLine(grant.tool, 80),
    description: `${oneLine(grant.label, 60)} · ${scope === 'always' ? vscode.l10n.t('everywhere') : vscode.l10n.t('in this workspace')}`,
    detail: sourceText(grant.server.split('/', 1)[0] ?? ''),
    picked: true,
    takeBack: () => approvals.remove(scope, grant),
  };
}

function startItem(permissions: StartPermissions, { identity, answer }: AnsweredServer): Item {
  const [source = '', ...name] = identity.split('/');
  const server = oneLine(name.join('/'), 60);
  return {
    label:
      answer === 'decline'
        ? vscode.l10n.t('The server {0} is not started', server)
        : vscode.l10n.t('The server {0} is started', server),
    description: vscode.l10n.t('in this workspace'),
    detail:
      answer === 'start-with-tools'
        ? `${sourceText(source)} · ${vscode.l10n.t('the tools that its settings name run without asking')}`
        : sourceText(source),
    picked: true,
    takeBack: () => permissions.forget(identity),
  };
}
