import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** Waits until `look` finds something, which may take a while on a busy machine. */
async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Waited for ${what}`);
}

/** The user settings as text, opened as a person opens them. */
async function userSettings(): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  return eventually('the user settings', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.path.endsWith('/settings.json') ? document : undefined;
  });
}

describe("VS Code's own MCP client", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-publishing-'));
  const ours = new Set(['mcp-agent_run', 'mcp-agent_confirm']);
  const published = (): vscode.LanguageModelToolInformation | undefined =>
    vscode.lm.tools.find(({ name }) => name.endsWith('getUsers') && !ours.has(name));
  after(async () => {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('mcpAgent').update('publishToEditor', undefined, Global);
    await vscode.workspace.getConfiguration().update('mcp.servers', undefined, Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  it('is given nothing as long as the person has not switched that on', async () => {
    await vscode.commands.executeCommand('mcpAgent.addDemoServer');
    assert.match((await userSettings()).getText(), /"command": "mcp-agent:demo"/);
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    assert.equal(published(), undefined);
  });

  it('lists and calls a tool through the gateway, and the wire record shows the call', async () => {
    await vscode.workspace
      .getConfiguration('mcpAgent')
      .update('publishToEditor', true, vscode.ConfigurationTarget.Global);
    const tool = await eventually('the published tool', async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
      return published();
    });
    const result = await vscode.lm.invokeTool(tool.name, { input: {}, toolInvocationToken: undefined });
    const text = result.content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
      .join('');
    assert.match(text, /jane@example\.com/);
    const file = join(folder, 'wire.jsonl');
    await vscode.commands.executeCommand('mcpAgent.exportWire', file);
    const wire = await eventually('the wire record', () => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return undefined;
      }
    });
    assert.match(wire, /"method":"tools\/call"|tools\/call/);
    assert.match(wire, /getUsers/);
  });
});
