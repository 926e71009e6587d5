import * as vscode from 'vscode';

import type { AgentTexts, RoomMade } from '../agent/agentTexts.ts';
import type { LeftOutTools } from '../agent/leftOutTools.ts';
import { oneLine } from './plainText.ts';
import { numberText } from './toolCost.ts';

/** What the agent says to the person, in the editor's language. */
export function agentTexts(): AgentTexts {
  return {
    stepLimit: (steps) => vscode.l10n.t('Paused after {0} steps.', steps),
    goesInCircles: () => vscode.l10n.t('Paused, because the model made the same call again and again.'),
    roomMade: (model, tokens, made) =>
      vscode.l10n.t(
        'The conversation is longer than {0} can read ({1} tokens): {2}.',
        oneLine(model, 80),
        numberText(tokens),
        made.map(roomText).join('; '),
      ),
    toolsLeftOut,
    cutOff: (model) =>
      vscode.l10n.t('The answer of {0} was cut off at its length limit. Say "continue" to go on.', oneLine(model, 80)),
    withheld: (model) =>
      vscode.l10n.t('The endpoint of {0} withheld the answer, or the rest of it (content filter).', oneLine(model, 80)),
    emptyAnswer: (model) =>
      vscode.l10n.t(
        'Empty response: {0} answered with no text and no tool call. Ask again, or choose another model.',
        oneLine(model, 80),
      ),
    brokeOff,
  };
}

function roomText(made: RoomMade): string {
  switch (made) {
    case 'old-results':
      return vscode.l10n.t('older tool results are sent shortened');
    case 'turns':
      return vscode.l10n.t('earlier turns are left out');
    case 'steps':
      return vscode.l10n.t('earlier steps of this turn are left out');
    case 'new-results':
      return vscode.l10n.t('the newest tool results are cut');
    case 'too-long':
      return vscode.l10n.t('even so it may be too long');
  }
}

function toolsLeftOut({ count, offered, servers, moreServers, names }: LeftOutTools): string {
  const by = servers.map(([server, tools]) => `${oneLine(server, 60)}: ${numberText(tools)}`);
  const more = moreServers > 0 ? [vscode.l10n.t('{0} more servers', numberText(moreServers))] : [];
  return vscode.l10n.t(
    '{0} tools do not fit into a request beside the {1} that are offered ({2}; {3}). The model can search them. Name a tool to have it offered, or switch off what you do not need with "MCP Agent: Choose Tools".',
    numberText(count),
    numberText(offered),
    [...by, ...more].join(', '),
    oneLine(names, 300),
  );
}

function brokeOff(model: string, calls: number): string {
  const name = oneLine(model, 80);
  if (calls === 0) return vscode.l10n.t('The answer of {0} broke off before its end. Ask again.', name);
  return vscode.l10n.t(
    'The answer of {0} broke off before its end. Tool calls of it may be cut and did not run ({1}). Ask again.',
    name,
    calls,
  );
}
