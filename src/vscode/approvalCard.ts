import * as vscode from 'vscode';

import type { ApprovalQuestion } from '../agent/agentEvent.ts';
import type { Tool } from '../tools/tool.ts';
import type { Decision } from './approvalStore.ts';
import { fence, inlineCode, plain, plainWords, prettyJson } from './plainText.ts';
import type { Card } from './toolRows.ts';

/** The command behind the card's links; it acts only on the id of an open question. */
export const allowCommand = 'mcpAgent.allowCall';

/** What a link allows from now on. */
export type AllowTarget = 'tool-chat' | 'tool-workspace' | 'tool-always' | 'server-always';

export interface CardRequest {
  readonly id: string;
  readonly question: ApprovalQuestion;
  readonly definition: Tool;
  /** Where the server comes from and how it is reached, in words. */
  readonly origin?: string;
  readonly decision: Decision;
}

/** Characters of the arguments in the first lines; longer ones follow in full. */
const shortArguments = 72;

/** Who wants what, where, with which effect. Everything that a server says is shown as its words, never as ours. */
export function approvalCard(request: CardRequest): Card {
  const message = new vscode.MarkdownString('', true);
  message.isTrusted = { enabledCommands: [allowCommand] };
  message.appendMarkdown(cardText(request));
  return { title: cardTitle(request), message };
}

function cardTitle({ question, definition }: CardRequest): string {
  // The editor reads titles as Markdown.
  const tool = plainWords(question.tool, 80);
  const server = plainWords(question.server, 80);
  const title = plainWords(definition.title ?? '', 80);
  return title === '' || title === tool
    ? vscode.l10n.t('Run {0} on {1}?', tool, server)
    : vscode.l10n.t('Run {0} (“{1}”) on {2}?', tool, title, server);
}

/** The editor folds away what is higher than five lines, links included: what decides comes first, in one paragraph. */
function cardText(request: CardRequest): string {
  const { question, definition, origin } = request;
  const json = JSON.stringify(question.arguments);
  const isLong = json.length > shortArguments;
  const lines = [...warnings(definition, request.decision), argumentsLine(question.arguments, json), links(request)];
  if (origin !== undefined) lines.splice(-1, 0, `${plain(question.server, 60)}: ${plain(origin, 300)}`);
  const blocks = [lines.join('  \n')];
  if (isLong) blocks.push(fence(prettyJson(question.arguments), 'json', 20_000));
  return blocks.join('\n\n');
}

function argumentsLine(args: ApprovalQuestion['arguments'], json: string): string {
  return Object.keys(args).length === 0 ? vscode.l10n.t('Without arguments.') : inlineCode(json, shortArguments);
}

function warnings(definition: Tool, decision: Decision): string[] {
  const { destructiveHint, readOnlyHint } = definition.annotations;
  const lines: string[] = [];
  if (decision === 'changed') {
    lines.push(`$(warning) ${vscode.l10n.t('Its description or parameters have changed since you allowed it.')}`);
  }
  if (destructiveHint === true) lines.push(`$(warning) ${vscode.l10n.t('The server says: destructive')}`);
  else if (readOnlyHint === true) lines.push(`$(eye) ${vscode.l10n.t('The server says: read-only')}`);
  return lines;
}

function links({ id, question }: CardRequest): string {
  const link = (target: AllowTarget, text: string): string =>
    `[${text}](command:${allowCommand}?${encodeURIComponent(JSON.stringify([id, target]))})`;
  const all = [
    link('tool-chat', vscode.l10n.t('this chat')),
    link('tool-workspace', vscode.l10n.t('this workspace')),
    link('tool-always', vscode.l10n.t('everywhere')),
    link('server-always', vscode.l10n.t('all tools of {0}', plain(question.server, 40))),
  ];
  return `${vscode.l10n.t('Always allow:')} ${all.join(' · ')}`;
}
