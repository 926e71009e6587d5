import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import type { Tool } from '../tools/tool.ts';
import type { EditorServers } from './editorServers.ts';
import { fence, inlineCode, plain, prettyJson } from './plainText.ts';
import { sourceText } from './serverTexts.ts';

const scheme = 'mcp-agent-tool';

/** Shows a tool as a read-only document: what its server says of it, its parameters, its claims. */
export class ToolDocuments implements Disposable {
  readonly #servers: EditorServers;
  readonly #registration: Disposable;

  constructor(servers: EditorServers) {
    this.#servers = servers;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => this.#content(uri),
    });
  }

  async show(tool: Tool): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${tool.name}.md` });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #content(uri: vscode.Uri): string {
    const name = uri.path.slice(1).replace(/\.md$/, '');
    const tool = this.#servers.listedTools().find((each) => each.name === name);
    if (tool === undefined) return vscode.l10n.t('The tool {0} is not offered now.', name);
    const server = this.#servers.connections().find(({ spec }) => spec.name === tool.server);
    return documentText(tool, server === undefined ? '' : sourceText(server.spec.source));
  }
}

/** The document's text. It is Markdown source, so that headings fold and JSON is coloured. */
function documentText(tool: Tool, source: string): string {
  const lines = [
    `# ${plain(tool.title ?? tool.tool)}`,
    '',
    `- ${vscode.l10n.t('Offered to models as')} ${inlineCode(tool.name)}`,
    `- ${vscode.l10n.t('Name on the server')} ${inlineCode(tool.tool)}`,
    `- ${vscode.l10n.t('Server')} ${inlineCode(tool.server)}${source === '' ? '' : ` (${plain(source)})`}`,
    '',
    `## ${vscode.l10n.t('Description')}`,
    '',
    tool.description === '' ? vscode.l10n.t('The server gives none.') : fence(tool.description, 'text', 20_000),
    '',
    `## ${vscode.l10n.t('Parameters')}`,
    '',
    fence(prettyJson(tool.inputSchema), 'json', 100_000),
  ];
  if (tool.outputSchema !== undefined) {
    lines.push('', `## ${vscode.l10n.t('Result')}`, '', fence(prettyJson(tool.outputSchema), 'json', 100_000));
  }
  lines.push('', `## ${vscode.l10n.t('What the server claims')}`, '', ...claims(tool), '');
  return lines.join('\n');
}

function claims({ annotations }: Tool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const lines = [
    readOnlyHint === true ? `- ${vscode.l10n.t('It only reads.')}` : '',
    destructiveHint === true ? `- ${vscode.l10n.t('It may delete or overwrite something.')}` : '',
    idempotentHint === true
      ? `- ${vscode.l10n.t('Running it again with the same arguments changes nothing more.')}`
      : '',
    openWorldHint === true
      ? `- ${vscode.l10n.t('It reaches outside of the server, for example to the Internet.')}`
      : '',
  ].filter((line) => line !== '');
  return lines.length === 0
    ? [vscode.l10n.t('Nothing.')]
    : [...lines, '', vscode.l10n.t('MCP Agent cannot check these claims and grants nothing because of them.')];
}
