import * as vscode from 'vscode';

import type { ApprovalQuestion } from '../agent/agentEvent.ts';
import type { Tool } from '../tools/tool.ts';
import type { Decision } from './approvalStore.ts';
import { fence, inlineCode, oneLine, plain, prettyJson } from './plainText.ts';
import type { Card } from './toolRows.ts';

/** The command behind the card's links; it acts only on the id of an open question. */
export const allowCommand = 'mcpAgent.allowCall';

/** What a link allows from now on. */
export type AllowTarget = 'tool-chat' | 'tool-workspace' | 'tool-always' | 'server-workspace' | 'server-always';

export interface CardRequest {
  readonly id: string;
  readonly question: ApprovalQuestion;
  readonly definition: Tool;
  /** Where the server comes from and how it is reached, in words. */
  readonly origin?: string;
  readonly decision: Decision;
}

/** Who wants what, where, with which effect. Everything that a server says is shown as its words, never as ours. */
export function approvalCard(request: CardRequest): Card {
  const { question } = request;
  const message = new vscode.MarkdownString('', true);
  message.isTrusted = { enabledCommands: [allowCommand] };
  message.appendMarkdown(cardText(request));
  return {
    title: vscode.l10n.t('Run {0} on {1}?', oneLine(question.tool, 80), oneLine(question.server, 80)),
    message,
  };
}

function cardText(request: CardRequest): string {
  const { question, definition } = request;
  const blocks = [whoWantsWhat(request), ...warnings(definition, request.decision)];
  if (Object.keys(question.arguments).length > 0) blocks.push(fence(prettyJson(question.arguments), 'json'));
  else blocks.push(vscode.l10n.t('It takes no arguments.'));
  blocks.push(links(request));
  return blocks.join('\n\n');
}

function whoWantsWhat({ definition, question, origin }: CardRequest): string {
  const title = definition.title ?? definition.annotations.title;
  const server = origin === undefined ? inlineCode(question.server) : `${inlineCode(question.server)} (${plain(origin, 300)})`;
  const what = vscode.l10n.t('The model wants to call {0} on the server {1}.', inlineCode(question.tool), server);
  const says = title ?? firstLine(definition.description);
  return says === '' ? what : `${what}\n\n${vscode.l10n.t('The server calls it: {0}', `“${plain(says, 200)}”`)}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function warnings(definition: Tool, decision: Decision): string[] {
  const { destructiveHint, readOnlyHint } = definition.annotations;
  const lines: string[] = [];
  if (decision === 'changed') {
    lines.push(`$(warning) ${vscode.l10n.t('Its description or its parameters have changed since you allowed it.')}`);
  }
  if (destructiveHint === true) {
    lines.push(`$(warning) ${vscode.l10n.t('The server says that it may delete or overwrite something.')}`);
  } else if (readOnlyHint === true) {
    lines.push(`$(eye) ${vscode.l10n.t('The server says that it only reads. MCP Agent cannot check that.')}`);
  }
  return lines;
}

function links({ id, question }: CardRequest): string {
  const link = (target: AllowTarget, text: string): string =>
    `[${text}](command:${allowCommand}?${encodeURIComponent(JSON.stringify([id, target]))})`;
  const tool = [
    link('tool-chat', vscode.l10n.t('in this chat')),
    link('tool-workspace', vscode.l10n.t('in this workspace')),
    link('tool-always', vscode.l10n.t('everywhere')),
  ];
  const server = [
    link('server-workspace', vscode.l10n.t('in this workspace')),
    link('server-always', vscode.l10n.t('everywhere')),
  ];
  return [
    `${vscode.l10n.t('Always allow {0}:', inlineCode(question.tool, 60))} ${tool.join(' · ')}`,
    `${vscode.l10n.t('Always allow every tool of {0}:', inlineCode(question.server, 60))} ${server.join(' · ')}`,
  ].join('  \n');
}
