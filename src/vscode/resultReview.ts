import * as vscode from 'vscode';

import { partsText } from '../model/partsText.ts';
import { failedOutcome, type Tool, type ToolOutcome } from '../tools/tool.ts';
import { askByButtons, type ButtonQuestions } from './approvalButtons.ts';
import { fence, plainWords } from './plainText.ts';
import { newRowId } from './toolRows.ts';

/** Characters of a result that are shown for review; the row above the question holds the same text. */
const shownCharacters = 50_000;

/** Where the question is put. */
export interface ReviewPlace {
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** Shows a result to the person. What they withhold does not reach the model; it is told that the call ran all the same. */
export async function reviewResult(
  questions: ButtonQuestions,
  { definition, outcome }: { readonly definition: Tool; readonly outcome: ToolOutcome },
  { stream, token }: ReviewPlace,
): Promise<ToolOutcome> {
  const tool = plainWords(definition.tool, 80);
  const isGiven = await askByButtons(questions, {
    id: newRowId(),
    card: {
      title: vscode.l10n.t('Give this result of {0} to the model?', tool),
      message: new vscode.MarkdownString(fence(partsText(outcome.parts), 'text', shownCharacters)),
    },
    buttons: { yes: vscode.l10n.t('Give to the Model'), no: vscode.l10n.t('Withhold') },
    stream,
    token,
  });
  return isGiven ? outcome : withheld();
}

function withheld(): ToolOutcome {
  return failedOutcome(
    'The call ran. The person has read its result and does not give it to you. Do not make the call again; go on without it, or say what you would need.',
  );
}
