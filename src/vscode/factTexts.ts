import * as vscode from 'vscode';

import { oneLine } from './plainText.ts';
import { sourceText, toolCount } from './serverTexts.ts';
import { needOf, toolSums, type ServerFacts } from './serversTree.ts';
import { numberText } from './toolCost.ts';

/** What a server is at, in a few words. */
export function factText(server: ServerFacts): string {
  if (needOf(server) === 'sign-in') return vscode.l10n.t('asks you to sign in');
  switch (server.state) {
    case 'disabled':
      return vscode.l10n.t('disabled');
    case 'halted':
    case 'stopped':
      return vscode.l10n.t('stopped');
    case 'held':
      return vscode.l10n.t('stopped, waits for you');
    case 'idle':
      return vscode.l10n.t('not started yet');
    case 'connecting':
      return vscode.l10n.t('connecting');
    case 'ready':
      return toolText(server);
    case 'failed':
      return vscode.l10n.t('failed');
  }
}

/** `12 tools`, or how many of them are on. */
export function toolText(server: ServerFacts): string {
  const { on } = toolSums(server);
  const all = server.tools.length;
  return on === all ? toolCount(all) : vscode.l10n.t('{0} of {1} tools', on, all);
}

/** The theme icon of what a server is at, and its colour where that says more. */
export function factIcon(server: ServerFacts): vscode.ThemeIcon {
  if (needOf(server) === 'sign-in') return icon('key', 'list.warningForeground');
  switch (server.state) {
    case 'disabled':
      return icon('circle-slash');
    case 'halted':
    case 'stopped':
      return icon('stop-circle');
    case 'held':
      return icon('shield', 'list.warningForeground');
    case 'idle':
      return icon('circle-outline');
    case 'connecting':
      return icon('loading~spin');
    case 'ready':
      return icon('pass', 'testing.iconPassed');
    case 'failed':
      return icon('error', 'list.errorForeground');
  }
}

/** State, cost and source of a server on one line. */
export function factLine(server: ServerFacts): string {
  const { tokens } = toolSums(server);
  const cost = server.state === 'ready' && tokens > 0 ? [tokenText(tokens)] : [];
  return [factText(server), ...cost, sourceText(server.source)].join(' · ');
}

/** `~1,204 tokens`: an estimate. */
export function tokenText(tokens: number): string {
  return `~${vscode.l10n.t('{0} tokens', numberText(tokens))}`;
}

/** A server's name as it can stand in a label. */
export function shownName({ name }: { readonly name: string }): string {
  return oneLine(name, 60);
}

function icon(id: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
