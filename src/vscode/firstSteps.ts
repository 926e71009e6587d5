import * as vscode from 'vscode';

/** Opens the chat in its Agent mode with a question to `@mcp` typed in, for the person to send. */
export async function askInChat(question?: unknown): Promise<void> {
  const words = typeof question === 'string' ? question : await aQuestion();
  const query = `@mcp ${words}`;
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, isPartialQuery: true, mode: 'agent' });
}

/** Opens the chat's model picker. */
export async function chooseModel(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
  await vscode.commands.executeCommand('workbench.action.chat.openModelPicker');
}

/** With the demonstration server there is something to ask at once. */
async function aQuestion(): Promise<string> {
  const { demoCommand } = await import('./demoServer.ts');
  const { readServerSettings } = await import('./settingsSource.ts');
  const hasDemo = readServerSettings().entries.some(
    ({ launch }) => launch.kind === 'stdio' && launch.command === demoCommand,
  );
  return hasDemo ? vscode.l10n.t('list the users; if there is no Carson, add Carson carson@example.com') : '';
}
