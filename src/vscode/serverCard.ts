import * as vscode from 'vscode';

import type { ServerConnection } from '../servers/serverConnection.ts';
import { factLine } from './factTexts.ts';
import { clip, escapeMarkdown, inlineCode, oneLine, plain, showInvisible } from './plainText.ts';
import type { ServerFacts } from './serversTree.ts';

/** Characters of a server's own instructions that a card shows. */
const instructionsLimit = 1200;

/**
 * All that is known of a server, for a hover or a tooltip: what it calls itself, how it is reached, what is wrong, what it says of its use. Its
 * own words stand there as text, whatever they hold.
 */
export function serverCard(facts: ServerFacts, server: ServerConnection | undefined): vscode.MarkdownString {
  const card = new vscode.MarkdownString(`**${plain(facts.name, 80)}** — ${plain(factLine(facts))}`);
  for (const line of [ownName(server), reachedBy(server)]) if (line !== '') card.appendMarkdown(`\n\n${line}`);
  if (facts.error !== undefined) card.appendMarkdown(`\n\n${plain(facts.error, 800)}`);
  const words = server?.state.kind === 'ready' ? (server.state.client.instructions ?? '').trim() : '';
  if (words !== '') {
    card.appendMarkdown(`\n\n---\n\n${vscode.l10n.t('The server says:')}\n\n`);
    card.appendMarkdown(linesAsText(clip(showInvisible(words), instructionsLimit)));
  }
  return card;
}

/** Several lines as Markdown that shows exactly them; unlike `appendText` it leaves spaces where a line may break. */
function linesAsText(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkdown(line.trim()))
    .join('  \n');
}

/** The name and version that the server gives itself. */
function ownName(server: ServerConnection | undefined): string {
  if (server?.state.kind !== 'ready') return '';
  const { serverInfo, protocolVersion, transport } = server.state.client;
  const name = oneLine(serverInfo.title ?? serverInfo.name, 80);
  const title = [name, oneLine(serverInfo.version, 40)].filter((part) => part !== '').join(' ');
  return `${plain(title)} (MCP ${plain(protocolVersion, 20)}, ${transport})`;
}

function reachedBy(server: ServerConnection | undefined): string {
  const { target } = server?.spec ?? {};
  return target === undefined ? '' : inlineCode(target, 300);
}
