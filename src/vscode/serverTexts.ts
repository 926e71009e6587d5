import * as vscode from 'vscode';

import { SignInError } from '../mcp/signInError.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import { shownKind } from '../servers/serverState.ts';
import { oneLine } from './plainText.ts';

/** Where an entry was written, in words. */
export function sourceText(source: string): string {
  if (source === 'usrlocal') return vscode.l10n.t('user settings');
  if (source === 'usrremote') return vscode.l10n.t('remote settings');
  if (source === 'workspace') return vscode.l10n.t('workspace settings');
  const folder = /^wf(\d+)$/.exec(source)?.[1];
  const name = folder === undefined ? undefined : vscode.workspace.workspaceFolders?.[Number(folder)]?.name;
  return name === undefined ? oneLine(source) : vscode.l10n.t('settings of folder {0}', oneLine(name));
}

/** What a server is at, in a few words. */
export function stateText(server: ServerConnection): string {
  if (server.spec.disabled) return vscode.l10n.t('disabled');
  if (server.spec.held !== undefined) return vscode.l10n.t('stopped, waits for you');
  if (needsSignIn(server)) return vscode.l10n.t('asks you to sign in');
  switch (shownKind(server.state)) {
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'connecting':
      return vscode.l10n.t('connecting');
    case 'ready':
      return toolCount(server.tools.length);
    case 'failed':
      return vscode.l10n.t('failed');
  }
}

/** Nothing is wrong with it: it waits for the person. */
function needsSignIn({ state }: ServerConnection): boolean {
  const cause = state.kind === 'failed' ? state.error.cause : undefined;
  return cause instanceof SignInError && cause.code === 'needed';
}

/** So many tools, in words. */
export function toolCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', count);
}

/** The theme icon of a state. */
export function stateIcon(server: ServerConnection): string {
  if (server.spec.disabled) return 'circle-slash';
  if (server.spec.held !== undefined) return 'shield';
  if (needsSignIn(server)) return 'key';
  const icons = { stopped: 'debug-stop', connecting: 'loading~spin', ready: 'pass', failed: 'error' } as const;
  return icons[shownKind(server.state)];
}
