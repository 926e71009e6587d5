import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** The diagnostics of ours for a file, once some fit. */
async function diagnosticsOf(
  uri: vscode.Uri,
  isThere: (all: vscode.Diagnostic[]) => boolean,
): Promise<vscode.Diagnostic[]> {
  const ours = (): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'MCP Agent');
  if (isThere(ours())) return ours();
  return new Promise((resolve) => {
    const subscription = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isThere(ours())) return;
      subscription.dispose();
      resolve(ours());
    });
  });
}

/** Applies the quick fix of ours with this title at a diagnostic. */
async function fix(uri: vscode.Uri, { range }: vscode.Diagnostic, title: RegExp): Promise<void> {
  const actions: vscode.CodeAction[] = await vscode.commands.executeCommand(
    'vscode.executeCodeActionProvider',
    uri,
    range,
  );
  const action = actions.find((each) => title.test(each.title));
  assert(action?.edit, `${String(title)} is none of ${actions.map((each) => each.title).join(' | ')}`);
  assert(await vscode.workspace.applyEdit(action.edit));
}

describe('diagnostics in settings files', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const open = async (file: string, text: string): Promise<vscode.TextDocument> => {
    const uri = vscode.Uri.joinPath(folder, '.vscode', file);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    return document;
  };

  before(async () => {
    await vscode.extensions.getExtension('mcp-agent.mcp-agent')?.activate();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, '.vscode', 'settings.json'),
      new TextEncoder().encode('{}'),
    );
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '.vscode', 'mcp.json'));
  });

  it('stand at their place and are mended with comments kept', async () => {
    const document = await open(
      'settings.json',
      '{\n  // mine\n  "mcp.servers": {\n    "far": {\n      "serverUrl": "http://127.0.0.1:9/mcp",\n      "headers": { "Authorization": "Bearer abc12345" } // theirs\n    }\n  }\n}\n',
    );
    const all = await diagnosticsOf(document.uri, ({ length }) => length === 2);
    const [name, secret] = all;
    assert(name && secret);
    assert.equal(document.getText(name.range), '"serverUrl"');
    assert.equal(name.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(document.getText(secret.range), '"Bearer abc12345"');
    assert.equal(secret.severity, vscode.DiagnosticSeverity.Warning);
    await fix(document.uri, name, /Rename it to "url"/);
    await fix(document.uri, secret, /secret storage: \$\{input:far-authorization\}/);
    await diagnosticsOf(document.uri, ({ length }) => length === 0);
    assert.equal(
      document.getText(),
      '{\n  // mine\n  "mcp.servers": {\n    "far": {\n      "url": "http://127.0.0.1:9/mcp",\n      "headers": { "Authorization": "Bearer ${input:far-authorization}" } // theirs\n    }\n  },\n  "mcp.inputs": [\n    {\n      "id": "far-authorization",\n      "type": "promptString",\n      "description": "Authorization of far",\n      "password": true\n    }\n  ]\n}\n',
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('come in an mcp.json of the workspace too, and follow what is typed', async () => {
    const document = await open('mcp.json', '{ "servers": { "s": { "command": "x", "colour": 1 } } }');
    const [unknown] = await diagnosticsOf(document.uri, ({ length }) => length === 1);
    assert.match(unknown?.message ?? '', /"colour" is not known/);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(0, 0, 1, 0),
      '{ "servers": { "s": { "command": "x", "args": ["${input:a}"] } } }',
    );
    await vscode.workspace.applyEdit(edit);
    const [missing] = await diagnosticsOf(document.uri, ([first]) => first?.message.includes('input') === true);
    assert(missing);
    await fix(document.uri, missing, /Define the input "a"/);
    await diagnosticsOf(document.uri, ({ length }) => length === 0);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
