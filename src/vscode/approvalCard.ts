import * as vscode from 'vscode';

import type { ApprovalQuestion } from '../agent/agentEvent.ts';
import type { Tool } from '../tools/tool.ts';
import type { Decision } from './approvalStore.ts';
import { fence, inlineCode, plain, plainWords, prettyJson } from './plainText.ts';
import type { Card } from './toolRows.ts';

/** The command behind the card's links; it acts only on the id of an open question. */
export const allowCommand = 'mcpAgent.allowCall';
/** Refuses an open question with the person's own words for the model. */
export const refuseCommand = 'mcpAgent.refuseCall';
/** Opens the comparison of an open question's tool with what was allowed. */
export const compareCommand = 'mcpAgent.compareTool';

/** What a link allows from now on. */
export type AllowTarget = 'tool-chat' | 'tool-workspace' | 'tool-always' | 'server-always';

/** A call that a card is drawn for. */
export interface CardRequest {
  readonly id: string;
  readonly question: ApprovalQuestion;
  readonly definition: Tool;
  /** Where the server comes from and how it is reached, in words. */
  readonly origin?: string;
  readonly decision: Decision;
  /** What changed in the tool since it was allowed, as lines with `-` and `+`; see `definitionChange.ts`. */
  readonly change?: string;
}

/** Characters of the arguments in the first lines; longer ones follow in full. */
const shortArguments = 72;

/** Who wants what, where, with which effect. Everything that a server says is shown as its words, never as ours. */
export function approvalCard(request: CardRequest): Card {
  const message = new vscode.MarkdownString('', true);
  message.isTrusted = { enabledCommands: [allowCommand, refuseCommand, compareCommand] };
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
  const { question, origin } = request;
  const json = JSON.stringify(question.arguments);
  const isLong = json.length > shortArguments;
  const lines = [...warnings(request), argumentsLine(question.arguments, json), links(request)];
  if (origin !== undefined) lines.splice(-1, 0, `${plain(question.server, 60)}: ${plain(origin, 300)}`);
  const blocks = [lines.join('  \n')];
  if (request.change !== undefined) blocks.push(fence(request.change, 'diff', 8000));
  if (isLong) blocks.push(fence(prettyJson(question.arguments), 'json', 20_000));
  return blocks.join('\n\n');
}

function argumentsLine(args: ApprovalQuestion['arguments'], json: string): string {
  return Object.keys(args).length === 0 ? vscode.l10n.t('Without arguments.') : inlineCode(json, shortArguments);
}

function warnings({ id, definition, decision, change }: CardRequest): string[] {
  const { destructiveHint, readOnlyHint } = definition.annotations;
  const lines: string[] = [];
  if (decision === 'changed') {
    const compare = change === undefined ? '' : ` ${commandLink(vscode.l10n.t('Compare'), compareCommand, [id])}`;
    lines.push(
      `$(warning) ${vscode.l10n.t('Its description or parameters have changed since you allowed it.')}${compare}`,
    );
  }
  if (destructiveHint === true) lines.push(`$(warning) ${vscode.l10n.t('The server says: destructive')}`);
  else if (readOnlyHint === true) lines.push(`$(eye) ${vscode.l10n.t('The server says: read-only')}`);
  return lines;
}

function commandLink(text: string, command: string, args: readonly string[]): string {
  return `[${text}](command:${command}?${encodeURIComponent(JSON.stringify(args))})`;
}

function links({ id, question }: CardRequest): string {
  const link = (target: AllowTarget, text: string): string => commandLink(text, allowCommand, [id, target]);
  const all = [
    link('tool-chat', vscode.l10n.t('this chat')),
    link('tool-workspace', vscode.l10n.t('this workspace')),
    link('tool-always', vscode.l10n.t('everywhere')),
    link('server-always', vscode.l10n.t('all tools of {0}', plain(question.server, 40))),
  ];
  const refuse = commandLink(vscode.l10n.t('Refuse with a reason…'), refuseCommand, [id]);
  return `${vscode.l10n.t('Always allow:')} ${all.join(' · ')} — ${refuse}`;
}
