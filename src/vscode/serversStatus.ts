import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import { factIcon, factText } from './factTexts.ts';
import { plain } from './plainText.ts';
import { sourceText } from './serverTexts.ts';
import { needOf, summaryOf, type Summary, type ViewFacts } from './serversTree.ts';

/** So many servers stand in the tooltip; the view has all. */
const mostLines = 15;

/** The item in the status bar: how many servers run of those that should. Hidden where none is configured. */
export class ServersStatus implements Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('mcpAgent.servers', vscode.StatusBarAlignment.Right, 90);
    this.#item.name = vscode.l10n.t('MCP Servers');
    this.#item.command = 'mcpAgent.servers.focus';
  }

  show(facts: ViewFacts): void {
    const summary = summaryOf(facts);
    if (summary.isEmpty) return this.#item.hide();
    this.#item.text = `$(${iconOf(summary)}) MCP ${summary.ready}/${summary.wanted}`;
    this.#item.backgroundColor = colorOf(summary);
    this.#item.accessibilityInformation = { label: `MCP Agent: ${summaryText(summary)}`, role: 'button' };
    this.#item.tooltip = tooltipOf(facts, summary);
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** Colour is for what the person should do something about. */
function colorOf({ level }: Summary): vscode.ThemeColor | undefined {
  return level === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${level}Background`);
}

function iconOf({ level }: Summary): string {
  return level === 'none' ? 'plug' : level;
}

/** The figures in words. */
export function summaryText({ ready, wanted, needed }: Summary): string {
  const running = vscode.l10n.t('{0} of {1} servers ready', ready, wanted);
  if (needed === 0) return running;
  return `${running}, ${needed === 1 ? vscode.l10n.t('1 needs you') : vscode.l10n.t('{0} need you', needed)}`;
}

/** Foreign names stand there as text; the icons are ours. */
function tooltipOf({ servers, badEntries }: ViewFacts, summary: Summary): vscode.MarkdownString {
  const text = new vscode.MarkdownString(`**MCP Agent** — ${plain(summaryText(summary))}\n\n`, true);
  const first = servers.toSorted((a, b) => Number(needOf(b) !== undefined) - Number(needOf(a) !== undefined));
  for (const server of first.slice(0, mostLines)) {
    const { id } = factIcon(server);
    const words = `${factText(server)} · ${sourceText(server.source)}`;
    text.appendMarkdown(`$(${id.replace('~spin', '')}) **${plain(server.name, 60)}** — ${plain(words)}\n\n`);
    if (server.error !== undefined) text.appendMarkdown(`${plain(server.error, 200)}\n\n`);
  }
  for (const { name, message } of badEntries.slice(0, mostLines)) {
    text.appendMarkdown(`$(error) **${plain(name, 60)}** — ${plain(message, 200)}\n\n`);
  }
  const left = Math.max(0, servers.length - mostLines) + Math.max(0, badEntries.length - mostLines);
  if (left > 0) text.appendMarkdown(vscode.l10n.t('and {0} more', left));
  return text;
}
