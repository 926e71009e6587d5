import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const id = 'mcp-agent.mcp-agent';

describe('the extension in its host', () => {
  it('is activated after startup and offers its commands', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    await extension.activate();
    const commands = await vscode.commands.getCommands(true);
    const declared: { command: string }[] = extension.packageJSON.contributes.commands;
    for (const { command } of declared)
      assert.ok(commands.includes(command), `${command} is declared and not registered`);
  });

  it('has a chat model without any account', async () => {
    const models = await vscode.lm.selectChatModels({ vendor: 'mcp-agent' });
    assert.ok(models.length > 0, 'no model of ours');
  });
});
