import * as vscode from 'vscode';

import { oneLine } from './plainText.ts';
import type { SourcedProblem } from './settingsSource.ts';

/** Tells the person what is wrong with the settings: one notification for all problems, none again for the same ones. */
export class ProblemReport {
  #reported = '';

  async show(problems: readonly SourcedProblem[]): Promise<void> {
    const key = JSON.stringify(problems);
    if (key === this.#reported) return;
    this.#reported = key;
    const [first] = problems;
    if (first === undefined) return;
    const open = vscode.l10n.t('Open Settings');
    const rest = problems.length > 1 ? ` ${vscode.l10n.t('({0} more in the log)', problems.length - 1)}` : '';
    const text = `${oneLine(first.path, 100)}: ${oneLine(first.message, 300)}${rest}`;
    if ((await vscode.window.showWarningMessage(text, open)) === open) {
      await vscode.commands.executeCommand('mcpAgent.openSettings');
    }
  }
}
