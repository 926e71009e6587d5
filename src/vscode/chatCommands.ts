import * as vscode from 'vscode';

import type { Tool } from '../tools/tool.ts';
import { errorOf } from '../servers/serverState.ts';
import type { EditorServers } from './editorServers.ts';
import type { TurnFunction } from './participant.ts';
import { inlineCode, oneLine, plain } from './plainText.ts';
import { sourceText, stateIcon, stateText } from './serverTexts.ts';

/** The slash commands of `@mcp`. They use no model. */
export function chatCommands(servers: EditorServers): Readonly<Record<string, TurnFunction>> {
  return {
    tools: async ({ stream }) => {
      await settled(servers, stream);
      stream.markdown(toolsText(servers));
      return {};
    },
    servers: async ({ stream }) => {
      await settled(servers, stream);
      stream.markdown(serversText(servers));
      stream.button({ command: 'mcpAgent.openSettings', title: vscode.l10n.t('Open Settings') });
      return {};
    },
  };
}

async function settled(servers: EditorServers, stream: vscode.ChatResponseStream): Promise<void> {
  const timer = setTimeout(() => stream.progress(vscode.l10n.t('Connecting to the MCP servers…')), 300);
  await servers.ready();
  clearTimeout(timer);
}

function toolsText(servers: EditorServers): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  for (const server of servers.connections()) {
    text.appendMarkdown(`\n\n**${plain(server.spec.name, 80)}** — ${plain(stateText(server))}\n\n`);
    const error = errorOf(server.state);
    if (error !== undefined) text.appendMarkdown(`$(error) ${plain(error.message, 500)}\n\n`);
    for (const tool of servers.toolsOf(server.spec.identity)) text.appendMarkdown(`- ${toolLine(tool)}\n`);
  }
  if (servers.connections().length === 0) text.appendMarkdown(noServers());
  return text;
}

function toolLine(tool: Tool): string {
  const words = tool.title ?? tool.annotations.title ?? oneLine(tool.description.split('\n', 1)[0] ?? '', 120);
  return `${inlineCode(tool.name, 64)} ${words === '' ? '' : `— ${plain(words, 120)}`}`;
}

function serversText(servers: EditorServers): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  for (const server of servers.connections()) {
    const icon = `$(${stateIcon(server)})`;
    text.appendMarkdown(`- ${icon} **${plain(server.spec.name, 80)}** — ${plain(stateText(server))} (${plain(sourceText(server.spec.source))})\n`);
    const error = errorOf(server.state);
    if (error !== undefined) text.appendMarkdown(`  \n  ${plain(error.message, 500)}\n`);
  }
  for (const { path, message } of servers.problems()) text.appendMarkdown(`- $(warning) ${inlineCode(path)}: ${plain(message, 500)}\n`);
  if (servers.connections().length === 0) text.appendMarkdown(noServers());
  return text;
}

function noServers(): string {
  return `\n\n${vscode.l10n.t('No MCP server is configured. Write one into settings.json, for example:')}\n\n\`\`\`json\n"mcp.servers": {\n  "my-server": { "type": "sse", "url": "http://localhost:8080/sse" }\n}\n\`\`\`\n`;
}
