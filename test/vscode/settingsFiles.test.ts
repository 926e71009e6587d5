import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { answerDialogs, type AnsweredDialogs } from '../support/host/dialogs.ts';
import { startSseServer, type SseServer } from '../support/sseServer.ts';

const noArguments = { type: 'object', properties: {} };

function settingsFile(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder, 'the tests need a folder');
  return vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
}

/** Writes the folder's settings file and opens it as it then is. */
async function write(text: string): Promise<vscode.TextDocument> {
  const uri = settingsFile();
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(uri);
  while (document.getText() !== text) await nextChange();
  return document;
}

function nextChange(): Promise<void> {
  return new Promise((resolve) => {
    const subscription = vscode.workspace.onDidChangeTextDocument(() => {
      subscription.dispose();
      resolve();
    });
  });
}

/** The lenses of the file as `line: title`, once `isWanted` holds; the mocha limit ends the wait. */
async function lenses(isWanted: (lines: readonly string[]) => boolean = () => true): Promise<vscode.CodeLens[]> {
  for (;;) {
    const found: vscode.CodeLens[] = await vscode.commands.executeCommand(
      'vscode.executeCodeLensProvider',
      settingsFile(),
      100,
    );
    if (isWanted(lines(found))) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const lines = (found: readonly vscode.CodeLens[]): string[] =>
  found.map(({ range, command }) => `${range.start.line}: ${command?.title ?? ''}`);

/** Runs what a lens of this title does. */
async function click(found: readonly vscode.CodeLens[], title: string): Promise<void> {
  const command = found.find((lens) => lens.command?.title === title)?.command;
  assert(command, `no ${title} among ${lines(found).join(', ')}`);
  await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

describe('servers in a settings file', () => {
  let server: SseServer;
  let dialogs: AnsweredDialogs;
  let answer: string | undefined = 'Start';

  before(async () => {
    server = await startSseServer({
      instructions: 'Ask by name. [quit](command:workbench.action.quit) **loud**',
      tools: [
        { name: 'listUsers', title: 'All users', description: 'List', inputSchema: noArguments },
        { name: 'addUser', description: 'Add', inputSchema: noArguments },
      ],
    });
    dialogs = answerDialogs(() => answer);
  });

  after(async () => {
    await write('{}');
    dialogs.dispose();
    await server.close();
  });

  it('each entry has its state and what can be done with it above it, and that works', async () => {
    await write(`{
  // our servers
  "mcp.servers": {
    "good": { "type": "sse", "url": "${server.url}" },
    "off": { "url": "http://127.0.0.1:9/sse", "disabled": true },
    "bad": { "type": "sse" }
  }
}`);
    const first = await lenses((found) => found.some((line) => line.startsWith('3:')));
    if (lines(first).includes('3: Start')) await click(first, 'Start');
    const ready = await lenses((found) => found.includes('3: $(pass) 2 tools'));
    assert.deepEqual(
      lines(ready).filter((line) => line.startsWith('3:')),
      ['3: $(pass) 2 tools', '3: Stop', '3: Restart', '3: Log'],
    );
    assert.deepEqual(
      lines(ready).filter((line) => line.startsWith('4:')),
      ['4: $(circle-slash) disabled'],
    );
    assert.match(lines(ready).find((line) => line.startsWith('5:')) ?? '', /^5: \$\(error\) Not used: .*url/);
    await click(ready, 'Stop');
    const stopped = await lenses((found) => found.includes('3: Start'));
    assert(lines(stopped).includes('3: $(stop-circle) stopped'));
    await vscode.commands.executeCommand('mcpAgent.restartServer', 'off');
    assert(lines(await lenses()).includes('3: $(stop-circle) stopped'), 'it stays so while others are restarted');
    await click(stopped, 'Start');
    await lenses((found) => found.includes('3: $(pass) 2 tools'));
  });

  it('who points at a name reads what the server says of itself, as text', async () => {
    const document = await vscode.workspace.openTextDocument(settingsFile());
    const position = document.positionAt(document.getText().indexOf('"good"') + 2);
    const hovers: vscode.Hover[] = await vscode.commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const texts = hovers
      .flatMap(({ contents }) => contents)
      .map((part) => (typeof part === 'string' ? part : part.value));
    const card = texts.find((text) => text.includes('2 tools'));
    assert(card, texts.join('\n---\n'));
    assert.match(card, /scripted/);
    assert.match(card, /Ask by name/);
    assert.doesNotMatch(card, /\]\(command:/, 'a link of the server is no link');
    assert.doesNotMatch(card, /[^\\]\*\*loud/, 'nor is its emphasis one');
    const elsewhere = document.positionAt(document.getText().indexOf('our servers'));
    const others: vscode.Hover[] = await vscode.commands.executeCommand(
      'vscode.executeHoverProvider',
      document.uri,
      elsewhere,
    );
    assert(!JSON.stringify(others).includes('Ask by name'));
  });

  it('names, variables and tools are proposed where they fit', async () => {
    const text = `{
  "mcp.inputs": [{ "id": "token", "type": "promptString", "description": "The token" }],
  "mcp.servers": {
    "good": { "type": "sse", "url": "${server.url}", "headers": { "A": "$" }, "tools": ["*"] },
    
  }
}`;
    const document = await write(text);
    const first = await lenses((found) => found.some((line) => /^3: .*(?:2 tools|Start)$/.test(line)));
    if (lines(first).includes('3: Start')) await click(first, 'Start');
    await lenses((found) => found.includes('3: $(pass) 2 tools'));
    const at = async (offset: number): Promise<readonly string[]> => {
      const list: vscode.CompletionList = await vscode.commands.executeCommand(
        'vscode.executeCompletionItemProvider',
        document.uri,
        document.positionAt(offset),
      );
      return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    const names = await at(text.lastIndexOf('},\n') + 7);
    for (const name of ['sse', 'http', 'npx', 'uvx', 'docker']) assert(names.includes(name), names.join(', '));
    const variables = await at(text.indexOf('"$"') + 2);
    for (const name of ['${workspaceFolder}', '${env:NAME}', '${input:token}'])
      assert(variables.includes(name), variables.join(', '));
    const tools = await at(text.indexOf('["*"]') + 2);
    assert(tools.includes('listUsers') && tools.includes('addUser'), tools.join(', '));
  });

  it('a file that is not the settings of this window has no lenses', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'other', 'settings.json');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{ "mcp.servers": { "good": {} } }'));
    await vscode.workspace.openTextDocument(uri);
    const found: vscode.CodeLens[] = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 100);
    assert.deepEqual(lines(found), []);
  });

  it('Edit Settings goes to the entry', async () => {
    await write(
      '{ "mcp.servers": {\n  "one": { "url": "http://127.0.0.1:9/" },\n  "two": { "url": "http://127.0.0.1:9/" } } }',
    );
    await vscode.commands.executeCommand('mcpAgent.view.editSettings', { identity: 'wf0/two' });
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), settingsFile().toString());
    assert.equal(editor?.document.getText(editor.selection), '"two"');
    answer = undefined;
  });
});
