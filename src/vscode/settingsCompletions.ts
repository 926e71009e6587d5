import * as vscode from 'vscode';

import { serverIdentity } from '../servers/serverIdentity.ts';
import { settingsCursor, type SettingsCursor } from '../settings/settingsCursor.ts';
import type { TextSpan } from '../settings/serverPlaces.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { settingsDocument } from './settingsDocuments.ts';
import { inputsFor } from './settingsSource.ts';

/** Proposals that the schema of the settings cannot give: whole servers with their names, variables, the tools that a server has. */
export function settingsCompletions(
  document: vscode.TextDocument,
  position: vscode.Position,
  servers: EditorServers,
): vscode.CompletionItem[] {
  const about = settingsDocument(document);
  if (about === undefined) return [];
  const text = document.getText();
  const cursor = settingsCursor(text, about.kind, document.offsetAt(position));
  if (cursor === undefined) return [];
  const range = rangeOf(document, cursor.span);
  switch (cursor.kind) {
    case 'server-name':
      return cursor.hasValue ? [] : serverSnippets(range, needsComma(text, cursor));
    case 'variable':
      return variables(servers, about.source).map((variable) => complete(variable, range, 'variable'));
    case 'tool-name':
      return toolNames(servers, serverIdentity(about.source, cursor.server)).map((tool) =>
        complete(tool, range, 'tool'),
      );
  }
}

interface Proposal {
  readonly text: string;
  readonly detail?: string;
  /** A snippet in place of the text. */
  readonly snippet?: string;
}

function complete(
  { text, detail, snippet }: Proposal,
  range: vscode.Range,
  kind: 'variable' | 'tool',
): vscode.CompletionItem {
  const { Variable, Function: tool } = vscode.CompletionItemKind;
  const item = new vscode.CompletionItem(text, kind === 'variable' ? Variable : tool);
  item.range = range;
  item.filterText = kind === 'tool' ? JSON.stringify(text) : text;
  item.insertText = snippet === undefined ? item.filterText : new vscode.SnippetString(snippet);
  if (detail !== undefined) item.detail = detail;
  return item;
}

/** A snippet for each way to reach a server, with the name to fill in first. */
function serverSnippets(range: vscode.Range, comma: string): vscode.CompletionItem[] {
  const http = (type: string, url: string): readonly string[] => [`"type": "${type}",`, `"url": "\${2:${url}}"`];
  const run = (command: string, ...args: readonly string[]): readonly string[] => [
    '"type": "stdio",',
    `"command": "${command}",`,
    `"args": [${args.map((each) => `"${each}"`).join(', ')}]`,
  ];
  const snippets: readonly (readonly [string, string, readonly string[]])[] = [
    ['sse', vscode.l10n.t('MCP server behind an HTTP+SSE address'), http('sse', 'http://127.0.0.1:3000/sse')],
    ['http', vscode.l10n.t('MCP server behind a Streamable HTTP address'), http('http', 'http://127.0.0.1:3000/mcp')],
    ['npx', vscode.l10n.t('MCP server from an npm package'), run('npx', '-y', '${2:package}')],
    ['uvx', vscode.l10n.t('MCP server from a Python package'), run('uvx', '${2:package}')],
    ['docker', vscode.l10n.t('MCP server in a Docker image'), run('docker', 'run', '-i', '--rm', '${2:image}')],
  ];
  return snippets.map(([name, detail, lines], place) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Snippet);
    item.detail = detail;
    item.range = range;
    item.filterText = `"${name}"`;
    item.sortText = `0${place}`;
    item.insertText = new vscode.SnippetString(`"\${1:${name}-server}": {\n\t${lines.join('\n\t')}\n}${comma}`);
    return item;
  });
}

/** A comma where another member follows. */
function needsComma(text: string, { span }: SettingsCursor): string {
  return /^\s*"/.test(text.slice(span.offset + span.length)) ? ',' : '';
}

function variables(servers: EditorServers, source: string): readonly Proposal[] {
  const inputs = inputsFor(source, servers.settings().inputs);
  return [
    { text: '${workspaceFolder}', detail: vscode.l10n.t('The folder that this entry belongs to, or the first one') },
    { text: '${userHome}', detail: vscode.l10n.t('Your home folder') },
    { text: '${env:NAME}', snippet: '\\${env:${1:NAME}\\}', detail: vscode.l10n.t('A variable of the environment') },
    { text: '${input:id}', snippet: '\\${input:${1:id}\\}', detail: vscode.l10n.t('Asked for when the server starts') },
    ...inputs.map(({ id, description }) => ({
      text: `\${input:${id}}`,
      ...(description !== undefined && { detail: oneLine(description, 100) }),
    })),
  ];
}

/** All that the server lists, also what the settings leave out. */
function toolNames(servers: EditorServers, identity: string): readonly Proposal[] {
  const tools = servers.find(identity)?.tools ?? [];
  return tools.map(({ name, title }) => ({
    text: name,
    ...(typeof title === 'string' && { detail: oneLine(title, 80) }),
  }));
}

function rangeOf(document: vscode.TextDocument, { offset, length }: TextSpan): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
