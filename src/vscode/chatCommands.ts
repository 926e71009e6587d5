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
import { costText, numberText } from './toolCost.ts';

/** More tools than this are only counted: a chat is no place for thousands of lines. */
const toolsToList = 300;

/** The slash commands of `@mcp` by name. They use no model. */
export const chatCommands: Readonly<
  Record<string, (turn: Turn, servers: EditorServers) => Promise<vscode.ChatResult>>
> = {
  tools: async (turn, servers) => {
    await settled(servers, turn);
    turn.stream.markdown(toolsText(servers));
    turn.stream.button({ command: 'mcpAgent.chooseTools', title: vscode.l10n.t('Choose Tools') });
    turn.stream.button({ command: 'mcpAgent.switchToolSet', title: vscode.l10n.t('Switch Tool Set') });
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
  const byServer = servers.toolsByServer();
  let room = toolsToList;
  for (const server of servers.connections()) {
    const tools = byServer.get(server.spec.identity) ?? [];
    text.appendMarkdown(`\n\n**${plain(server.spec.name, 80)}** — ${plain(serverLine(server, tools, servers))}\n\n`);
    if (tools.length === 0) text.appendMarkdown(failureText(server));
    for (const tool of tools.slice(0, room)) text.appendMarkdown(`- ${toolLine(tool, servers)}\n`);
    if (tools.length > room) text.appendMarkdown(`- ${vscode.l10n.t('{0} more', numberText(tools.length - room))}\n`);
    room = Math.max(0, room - tools.length);
  }
  if (servers.connections().length > 1) text.appendMarkdown(`\n\n${plain(totalLine(servers))}\n`);
  if (servers.connections().length === 0) text.appendMarkdown(noServers());
  text.appendMarkdown(restrictedText());
  return text;
}

/** The state of a server; of its tools how many are on, and what those cost. */
function serverLine(server: ServerConnection, tools: readonly Tool[], { switches }: EditorServers): string {
  if (tools.length === 0) return stateText(server);
  const on = tools.filter(({ serverIdentity, tool }) => switches.isOn(serverIdentity, tool));
  const count =
    on.length === tools.length
      ? costText(on)
      : vscode.l10n.t('{0} of {1} on, {2}', numberText(on.length), numberText(tools.length), costText(on));
  return `${stateText(server)} · ${count}`;
}

function totalLine(servers: EditorServers): string {
  const [on, all] = [servers.tools(), servers.listedTools()];
  return vscode.l10n.t('{0} of {1} tools are on ({2}).', numberText(on.length), numberText(all.length), costText(on));
}

function toolLine(tool: Tool, { switches }: EditorServers): string {
  const words = tool.title ?? tool.description.split('\n', 1)[0] ?? '';
  const cost = switches.isOn(tool.serverIdentity, tool.tool)
    ? costText([tool])
    : vscode.l10n.t('off, {0}', costText([tool]));
  return `${inlineCode(tool.name, 64)} (${plain(cost)}) ${words === '' ? '' : `— ${plain(words, 120)}`}`;
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
  text.appendMarkdown(restrictedText());
  return text;
}

/** Nothing of the workspace is even read in Restricted Mode; who misses its servers should learn why. */
function restrictedText(): string {
  if (vscode.workspace.isTrusted) return '';
  return `\n\n$(shield) ${vscode.l10n.t('Restricted Mode')}: ${vscode.l10n.t('Servers of this workspace are left out until you trust it.')}\n`;
}

function failureText(server: ServerConnection): string {
  if (server.spec.held !== undefined) return `${plain(server.spec.held, 800)}\n\n`;
  const error = errorOf(server.state);
  return error === undefined ? '' : `${plain(serverErrorText(error, server.spec.name), 800)}\n\n`;
}

function noServers(): string {
  const words = vscode.l10n.t('No MCP server is configured. Write one into settings.json, for example:');
  return `\n\n${words}\n\n\`\`\`json\n"mcp.servers": {\n  "my-server": { "type": "sse", "url": "http://localhost:8080/sse" }\n}\n\`\`\`\n`;
}
