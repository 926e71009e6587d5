import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const tools = ['mcp-agent_run', 'mcp-agent_confirm'];

describe('our two tools in the hands of another extension', () => {
  before(async () => {
    await vscode.extensions.getExtension('mcp-agent.mcp-agent')?.activate();
  });

  for (const name of tools) {
    for (const input of [
      {},
      { call: '' },
      { call: 'guessed', arguments: { name: 'x' } },
      { call: 7 },
      { arguments: {} },
    ]) {
      it(`${name} does nothing for ${JSON.stringify(input)}`, async () => {
        await assert.rejects(
          Promise.resolve(vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined })),
          /only carries out calls that the chat participant @mcp has just prepared/,
        );
      });
    }
  }

  it('are named so that no picker offers them', () => {
    for (const name of tools) {
      const tool = vscode.lm.tools.find((each) => each.name === name);
      assert.match(tool?.description ?? '', /^Internal to the @mcp chat participant/);
    }
  });

  it('the editor keeps no "always" for the one that asks', () => {
    const value: unknown = vscode.workspace.getConfiguration('chat.tools').get('eligibleForAutoApproval');
    assert.deepEqual(value, { 'mcp-agent.mcp-agent/confirmMcpTool': false });
  });
});
