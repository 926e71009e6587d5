import * as vscode from 'vscode';

import type { Tool } from '../tools/tool.ts';
import { type AllowedDefinition, definitionText } from './definitionBook.ts';
import { lineDiff, shortDiff } from './lineDiff.ts';

const scheme = 'mcp-agent-definition';

/** What changed in a tool since the person allowed it, as lines with `-` and `+`. Undefined where the former text was not kept. */
export function changeText(before: AllowedDefinition | undefined, tool: Tool): string | undefined {
  if (before === undefined || before.text === '') return undefined;
  return shortDiff(lineDiff(before.text, definitionText(tool)));
}

/** Opens both definitions beside each other in the editor's own comparison. The texts go with its tab. */
export async function compareDefinitions(before: AllowedDefinition, tool: Tool): Promise<void> {
  const uri = (side: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/${tool.name}.txt`, query: side });
  const texts = new Map([
    [uri('before').toString(), before.text],
    [uri('now').toString(), definitionText(tool)],
  ]);
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (asked) => texts.get(asked.toString()),
  });
  try {
    const title = vscode.l10n.t('{0}: as you allowed it ↔ now', tool.name);
    await vscode.commands.executeCommand('vscode.diff', uri('before'), uri('now'), title, { preview: true });
  } finally {
    registration.dispose();
  }
}
