import * as vscode from 'vscode';

import type { SamplingRequest } from '../answerSampling.ts';
import type { Asking } from './asking.ts';
import { oneLine } from './plainText.ts';
import { askPick, label } from './quickInputs.ts';
import { readBack, requestText } from './samplingDocument.ts';

/** What is to be asked, and of which model. */
export interface SamplingPlan {
  readonly request: SamplingRequest;
  readonly model: vscode.LanguageModelChat;
  /** The person wants to see the answer before the server does. */
  readonly reviewsAnswer: boolean;
}

/** The pick lies over the first lines of the editor. */
const room = '\n'.repeat(9);

type Item = vscode.QuickPickItem & { readonly act: 'send' | 'deny' | 'model' };

/**
 * Opens a request as a document that can be edited, with a pick beside it that stays until the person decides. Resolves
 * with the plan as they left it, or with undefined for a no.
 */
export async function reviewRequest(plan: SamplingPlan, asking: Asking): Promise<SamplingPlan | undefined> {
  const document = await openText(requestText(plan.request));
  let current: SamplingPlan = { ...plan, reviewsAnswer: true };
  let act = await decide(current, asking);
  while (act === 'model') {
    current = { ...current, model: (await pickModel(asking)) ?? current.model };
    act = await decide(current, asking);
  }
  const text = document.getText().trim();
  await closeText(document);
  return act === 'send' ? { ...current, request: readBack(text, current.request) } : undefined;
}

async function decide({ model }: SamplingPlan, asking: Asking): Promise<Item['act']> {
  const items: Item[] = [
    {
      label: `$(check) ${vscode.l10n.t('Send')}`,
      description: vscode.l10n.t('as it stands in the editor, to {0}', label(model.name, 60)),
      act: 'send',
    },
    { label: `$(symbol-misc) ${vscode.l10n.t('Choose another model…')}`, act: 'model' },
    { label: `$(circle-slash) ${vscode.l10n.t('Deny')}`, act: 'deny' },
  ];
  const title = vscode.l10n.t('What the MCP server “{0}” wants to ask', oneLine(asking.server, 60));
  const placeholder = vscode.l10n.t('You can edit the texts in the editor first');
  const answer = await askPick(items, { title, placeholder }, { signal: asking.signal });
  return answer.kind === 'value' ? (answer.value[0]?.act ?? 'deny') : 'deny';
}

async function pickModel({ signal }: Asking): Promise<vscode.LanguageModelChat | undefined> {
  const models = await vscode.lm.selectChatModels();
  const items = models.map((model) => ({ label: label(model.name, 80), description: label(model.vendor, 40), model }));
  const answer = await askPick(items, { title: vscode.l10n.t('Ask which model?') }, { signal });
  return answer.kind === 'value' ? answer.value[0]?.model : undefined;
}

/** Shows an answer before the server gets it. Resolves with the text as the person left it, or with undefined for a no. */
export async function reviewAnswer(text: string, asking: Asking): Promise<string | undefined> {
  const document = await openText(text);
  const items = [
    {
      label: `$(check) ${vscode.l10n.t('Send')}`,
      description: vscode.l10n.t('as it stands in the editor, to {0}', label(asking.server, 60)),
      isYes: true,
    },
    { label: `$(circle-slash) ${vscode.l10n.t('Deny')}`, isYes: false },
  ];
  const title = vscode.l10n.t('The answer for the MCP server “{0}”', oneLine(asking.server, 60));
  const placeholder = vscode.l10n.t('You can edit the texts in the editor first');
  const answer = await askPick(items, { title, placeholder }, { signal: asking.signal });
  const left = document.getText().trim();
  await closeText(document);
  return answer.kind === 'value' && answer.value[0]?.isYes === true ? left : undefined;
}

async function openText(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ content: room + content, language: 'markdown' });
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  return document;
}

/** Takes the document away, without a question about saving it. One that the person has closed is gone already. */
async function closeText(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
