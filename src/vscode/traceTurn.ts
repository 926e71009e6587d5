import * as vscode from 'vscode';

import { toMermaid } from '../wire/mermaid.ts';
import { RowBook } from '../wire/rowBook.ts';
import { turnTokens } from '../wire/turnTokens.ts';
import type { WireLog } from '../wire/wireLog.ts';
import { numberText } from './toolCost.ts';

/** The turn of the latest model request in the record. */
function lastTurn(log: WireLog): string | undefined {
  const last = log.entries().findLast((entry) => entry.kind === 'model-request');
  return last?.kind === 'model-request' ? last.turn : undefined;
}

/** Draws the last turn in the chat: who spoke with whom, how much, how long. */
export function traceTurn(stream: vscode.ChatResponseStream, log: WireLog): vscode.ChatResult {
  const turn = lastTurn(log);
  if (turn === undefined) {
    stream.markdown(vscode.l10n.t('Nothing has been asked in this window yet, so there is nothing to draw.'));
    return {};
  }
  const book = new RowBook();
  book.read(log.entries());
  const rows = book.rows().filter((row) => row.turn === turn);
  stream.markdown(`\`\`\`mermaid\n${toMermaid(rows)}\`\`\`\n`);
  inspectLink(stream, log);
  return {};
}

/** The quiet link under an answer that opens the inspector at this turn. */
export function inspectLink(stream: vscode.ChatResponseStream, log: WireLog): void {
  const turn = lastTurn(log);
  if (turn === undefined) return;
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['mcpAgent.openInspector'] };
  const target = encodeURIComponent(JSON.stringify([{ turn }]));
  text.appendMarkdown(
    `\n\n[$(pulse) ${vscode.l10n.t('Show what crossed the wire')}](command:mcpAgent.openInspector?${target})${tokensText(log, turn)}\n`,
  );
  stream.markdown(text);
}

/** What the turn cost, where the endpoint told it. */
function tokensText(log: WireLog, turn: string): string {
  const tokens = turnTokens(log.entries(), turn);
  if (tokens === undefined) return '';
  const [input, output] = [numberText(tokens.input), numberText(tokens.output)];
  return ` · ${vscode.l10n.t('{0} tokens in, {1} out', input, output)}`;
}
