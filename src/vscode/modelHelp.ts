import * as vscode from 'vscode';

import type { ChatModel } from '../model/chatModel.ts';
import { ModelError, type ModelErrorCode } from '../model/modelError.ts';
import { remediesFor, remembering, type HelpedModel, type ModelRemedy } from './modelRemedies.ts';

/** Opens a model; where there is none to be had, what helps is offered and the error goes on. */
export async function helpedModel(
  stream: vscode.ChatResponseStream,
  open: () => Promise<ChatModel>,
): Promise<HelpedModel> {
  try {
    return remembering(await open());
  } catch (error) {
    if (error instanceof ModelError) offerButtons(stream, error.code);
    throw error;
  }
}

/** Puts the buttons that help below an answer that ended with an error of the model's; its words stand in the error itself. */
export function offerModelHelp(stream: vscode.ChatResponseStream, { lastError }: HelpedModel): void {
  if (lastError !== undefined) offerButtons(stream, lastError.code);
}

function offerButtons(stream: vscode.ChatResponseStream, code: ModelErrorCode): void {
  for (const remedy of remediesFor(code)) stream.button(buttonFor(remedy));
}

function buttonFor(remedy: ModelRemedy): vscode.Command {
  switch (remedy) {
    case 'key':
      return { command: 'mcpAgent.setApiKey', title: vscode.l10n.t('Set API Key') };
    case 'set-up':
      return { command: 'mcpAgent.setUpModel', title: vscode.l10n.t('Set Up a Model') };
    case 'other-model':
      return { command: 'workbench.action.chat.openModelPicker', title: vscode.l10n.t('Choose Another Model') };
    case 'new-chat':
      return { command: 'workbench.action.chat.newChat', title: vscode.l10n.t('New Chat') };
  }
}
