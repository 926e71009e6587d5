import assert from 'node:assert/strict';
import http from 'node:http';
import { once } from 'node:events';
import * as vscode from 'vscode';

import { answerDialogs, type AnsweredDialogs } from '../support/host/dialogs.ts';

/** A proxy that answers every request itself and tells what it was asked for. */
async function startProxy(): Promise<{ url: string; asked: Promise<string>; close: () => Promise<void> }> {
  let tell: (url: string) => void = () => {};
  const asked = new Promise<string>((resolve) => (tell = resolve));
  const server = http.createServer((request, response) => {
    tell(`${request.method} ${request.url}`);
    response.writeHead(502).end('no way out');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe("the editor's proxy", () => {
  it('sees the requests to a server', async () => {
    const proxy = await startProxy();
    const settings = vscode.workspace.getConfiguration('http');
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const write = (text: string): Thenable<void> => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    let dialogs: AnsweredDialogs | undefined;
    try {
      await settings.update('proxy', proxy.url, vscode.ConfigurationTarget.Global);
      const changed = new Promise<void>((resolve) => {
        const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
          if (!event.affectsConfiguration('mcp.servers')) return;
          subscription.dispose();
          resolve();
        });
      });
      await write('{ "mcp.servers": { "far": { "type": "sse", "url": "http://mcp.invalid/sse" } } }');
      await changed;
      dialogs = answerDialogs(() => 'Start');
      await vscode.commands.executeCommand('mcpAgent.restartServer', 'far');
      assert.match(await proxy.asked, /^(GET|POST) http:\/\/mcp\.invalid\/sse$/);
    } finally {
      dialogs?.dispose();
      await write('{}');
      await settings.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await proxy.close();
    }
  });
});
