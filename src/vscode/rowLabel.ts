import * as vscode from 'vscode';

import type { ApprovalQuestion } from '../agent/agentEvent.ts';
import { inlineCode } from './plainText.ts';

/** The command that the row's link runs. */
const inspectCommand = 'mcpAgent.openInspector';

/**
 * The line of a tool row: which tool of which server, for the agent's own tools what they are about, and a link to what crossed the
 * wire for this very call. `isRepeated`: the row only shows the result of an earlier attempt.
 */
export function rowLabel(question: ApprovalQuestion, isRepeated: boolean): vscode.MarkdownString {
  const earlier = isRepeated ? ` — ${vscode.l10n.t('result of the earlier attempt')}` : '';
  const label = new vscode.MarkdownString(`${rowText(question)}${earlier}`);
  if (isRepeated || question.server === '') return label;
  label.isTrusted = { enabledCommands: [inspectCommand] };
  const target = encodeURIComponent(JSON.stringify([{ callId: question.callId, since: Date.now() }]));
  const title = vscode.l10n.t('Show what crossed the wire').replaceAll(/["\\]/g, '');
  return label.appendMarkdown(` · [${vscode.l10n.t('inspect')}](command:${inspectCommand}?${target} "${title}")`);
}

function rowText({ tool, server, arguments: args }: ApprovalQuestion): string {
  const about = server === '' ? (args['uri'] ?? args['server']) : server;
  return typeof about === 'string' ? `${inlineCode(tool, 80)} — ${inlineCode(about, 80)}` : inlineCode(tool, 80);
}
