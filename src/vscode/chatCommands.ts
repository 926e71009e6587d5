import * as vscode from 'vscode';

import type { ServerConnection } from '../servers/serverConnection.ts';
import { errorOf } from '../servers/serverState.ts';
import type { Tool } from '../tools/tool.ts';
import { untilServersAreUsable } from './agentTurn.ts';
import { toAbortSignal } from './cancellation.ts';
import type { EditorServers } from './editorServers.ts';
import type { Turn } from './participant.ts';
import { inlineCode, plain } from './plainText.ts';
import { serverErrorText } from './serverErrorText.ts';
import { sourceText, stateIcon, stateText } from './serverTexts.ts';

/** The slash commands of `@mcp` by name. They use no model. */
export const chatCommands: Readonly<
  Record<string, (turn: Turn, servers: EditorServers) => Promise<vscode.ChatResult>>
> = {
  tools: async (turn, servers) => {
    await settled(servers, turn);
    turn.stream.markdown(toolsText(servers));
    return {};
  },
  servers: async (turn, servers) => {
    await settled(servers, turn);
    turn.stream.markdown(serversText(servers));
    turn.stream.button({ command: 'mcpAgent.openSettings', title: vscode.l10n.t('Open Settings') });
    return {};
  },
};

async function settled(servers: EditorServers, { stream, token }: Turn): Promise<void> {
  const link = toAbortSignal(token);
  await untilServersAreUsable(servers, stream, link.signal);
  link.dispose();
}

function toolsText(servers: EditorServers): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  for (const server of servers.connections()) {
    text.appendMarkdown(`\n\n**${plain(server.spec.name, 80)}** — ${plain(stateText(server))}\n\n`);
    const tools = servers.toolsOf(server.spec.identity);
    if (tools.length === 0) text.appendMarkdown(failureText(server));
    for (const tool of tools) text.appendMarkdown(`- ${toolLine(tool)}\n`);
  }
  if (servers.connections().length === 0) text.appendMarkdown(noServers());
  return text;
}

function toolLine(tool: Tool): string {
  const words = tool.title ?? tool.description.split('\n', 1)[0] ?? '';
  return `${inlineCode(tool.name, 64)} ${words === '' ? '' : `— ${plain(words, 120)}`}`;
}

function serversText(servers: EditorServers): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  for (const server of servers.connections()) {
    const { name, source } = server.spec;
    text.appendMarkdown(
      `$(${stateIcon(server)}) **${plain(name, 80)}** — ${plain(stateText(server))} (${plain(sourceText(source))})\n\n${failureText(server)}`,
    );
  }
  for (const { path, message } of servers.problems()) {
    text.appendMarkdown(`$(warning) ${inlineCode(path)}: ${plain(message, 500)}\n\n`);
  }
  if (servers.connections().length === 0) text.appendMarkdown(noServers());
  return text;
}

function failureText(server: ServerConnection): string {
  const error = errorOf(server.state);
  return error === undefined ? '' : `${plain(serverErrorText(error, server.spec.name), 800)}\n\n`;
}

function noServers(): string {
  const words = vscode.l10n.t('No MCP server is configured. Write one into settings.json, for example:');
  return `\n\n${words}\n\n\`\`\`json\n"mcp.servers": {\n  "my-server": { "type": "sse", "url": "http://localhost:8080/sse" }\n}\n\`\`\`\n`;
}
