import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { inputsFor, readServerSettings } from '../../src/vscode/settingsSource.ts';

/** Writes the folder's settings.json and waits until the editor has read it. */
async function writeSettings(text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder, 'the tests need a folder');
  const changed = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('mcp')) return;
      subscription.dispose();
      resolve();
    });
  });
  await vscode.workspace.fs.writeFile(
    vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json'),
    new TextEncoder().encode(text),
  );
  await changed;
}

describe('server settings in the editor', () => {
  it('the dotted key of a folder is read, and a bad entry is told with its place', async () => {
    await writeSettings(
      '{ "mcp.servers": { "good": { "type": "sse", "url": "http://127.0.0.1:9/sse" }, "bad": { "type": "sse" } } }',
    );
    const { entries, problems } = readServerSettings();
    assert.deepEqual(
      entries.map(({ name, source }) => ({ name, source })),
      [{ name: 'good', source: 'wf0' }],
    );
    assert(
      problems.some(
        ({ path, severity, source }) => path.startsWith('mcp.servers.bad') && severity === 'error' && source === 'wf0',
      ),
    );
  });

  it('the nested key is read as well', async () => {
    await writeSettings(
      '{ "mcp": { "servers": { "nested": { "url": "http://127.0.0.1:9/sse" } }, "inputs": [{ "id": "token", "type": "promptString", "password": true }] } }',
    );
    const { entries, inputs } = readServerSettings();
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['nested'],
    );
    assert.deepEqual(
      inputs.map(({ id, source }) => ({ id, source })),
      [{ id: 'token', source: 'wf0' }],
    );
  });

  it('a workspace answers no input of the user settings', () => {
    const input = { kind: 'promptString', id: 'token', password: true } as const;
    const inputs = [
      { ...input, source: 'wf0', description: 'of the workspace' },
      { ...input, source: 'usrlocal', description: 'of the user' },
    ];
    assert.deepEqual(
      inputsFor('usrlocal', inputs).map(({ description }) => description),
      ['of the user'],
    );
    assert.deepEqual(
      inputsFor('wf0', inputs).map(({ description }) => description),
      ['of the workspace'],
    );
  });

  after(() => writeSettings('{}'));
});
