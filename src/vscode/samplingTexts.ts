import * as vscode from 'vscode';

import type { SamplingRequest } from '../answerSampling.ts';
import type { ChatMessage } from '../model/chatModel.ts';
import { clip, showInvisible } from './plainText.ts';
import { textOf } from './samplingDocument.ts';

/** Characters of one text, and texts, in a dialog. */
const longestText = 600;
const mostTexts = 4;

/** What a server wants to ask, short enough for a dialog. */
export function requestSummary({ systemPrompt, messages, wishes }: SamplingRequest): string {
  const texts = messages.map((message) => `${roleText(message)}: ${shorten(textOf(message))}`);
  const left = texts.length - mostTexts;
  const more = left > 0 ? [vscode.l10n.t('… and {0} more messages', left)] : [];
  const instructions = systemPrompt === undefined ? [] : [vscode.l10n.t('Instructions: {0}', shorten(systemPrompt))];
  const limits = limitsText(wishes);
  return [...instructions, ...texts.slice(0, mostTexts), ...more, ...(limits === '' ? [] : [limits])].join('\n\n');
}

function limitsText({ maxTokens, temperature, stopSequences = [] }: SamplingRequest['wishes']): string {
  const parts = [
    maxTokens === undefined ? '' : vscode.l10n.t('at most {0} tokens', maxTokens),
    temperature === undefined ? '' : vscode.l10n.t('temperature {0}', temperature),
    stopSequences.length === 0
      ? ''
      : vscode.l10n.t('ends before {0}', stopSequences.map((each) => JSON.stringify(each)).join(', ')),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function shorten(text: string): string {
  return clip(showInvisible(text.trim()), longestText);
}

/** Who speaks in a message of a server's request. */
function roleText({ role }: ChatMessage): string {
  return role === 'assistant' ? vscode.l10n.t('Model') : vscode.l10n.t('Server');
}
