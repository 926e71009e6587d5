import * as vscode from 'vscode';

import { plannerId, vendor } from './modelProvider.ts';

/** Whether there is a language model besides the built-in planner. Asks no endpoint. */
export async function hasLanguageModel(): Promise<boolean> {
  const models = await vscode.lm.selectChatModels();
  return models.some((model) => model.vendor !== vendor || model.id !== plannerId);
}

/** Offers the ways to a language model, the quickest first. */
export async function setUpModel(): Promise<void> {
  const run = (...command: readonly [string, ...unknown[]]): (() => Thenable<unknown>) => {
    const [id, ...rest] = command;
    return () => vscode.commands.executeCommand(id, ...rest);
  };
  const ways = [
    {
      label: `$(search) ${vscode.l10n.t('Look for Models')}`,
      detail: vscode.l10n.t(
        'Asks your endpoints which models they have: Ollama on this machine, and those in your settings.',
      ),
      run: run('mcpAgent.refreshModels'),
    },
    {
      label: `$(add) ${vscode.l10n.t('Add an Endpoint')}`,
      detail: vscode.l10n.t('LM Studio, llama.cpp, vLLM, OpenAI or any other that is compatible.'),
      run: run('workbench.action.openSettings', 'mcpAgent.endpoints'),
    },
    {
      label: `$(key) ${vscode.l10n.t('Set an API Key')}`,
      detail: vscode.l10n.t('It is kept in secret storage and sent to its endpoint only.'),
      run: run('mcpAgent.setApiKey'),
    },
    {
      label: `$(comment-discussion) ${vscode.l10n.t('Open the Chat')}`,
      detail: vscode.l10n.t(
        'Choose another model below its input. The built-in planner needs none: it follows plain words.',
      ),
      run: run('workbench.action.chat.open', { query: '@mcp ', isPartialQuery: true }),
    },
  ];
  const way = await vscode.window.showQuickPick(ways, { title: vscode.l10n.t('Set Up a Model') });
  await way?.run();
}
