import * as vscode from 'vscode';

import { onAbort } from '../base/abort.ts';
import { asError } from '../base/caught.ts';
import type { Asking } from './asking.ts';
import { oneLine } from './plainText.ts';

/**
 * Asks by a modal dialog what a server wants to know, and stops waiting when the server withdraws its question: then the
 * answer is undefined at once, so that the next question has its turn. The editor lets no extension close a modal dialog;
 * whoever still answers it is told that it counts for nothing.
 */
export function untilWithdrawn<T>(
  { server, signal }: Asking,
  ask: () => Thenable<T | undefined>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const link = onAbort(signal, () => resolve(undefined));
    ask().then(
      (choice) => {
        link.dispose();
        if (signal.aborted && choice !== undefined) tellLate(server);
        resolve(choice);
      },
      (error: unknown) => {
        link.dispose();
        reject(asError(error));
      },
    );
  });
}

function tellLate(server: string): void {
  const text = vscode.l10n.t(
    'The MCP server “{0}” had withdrawn its question before you answered; nothing was done.',
    oneLine(server, 60),
  );
  void vscode.window.showInformationMessage(text);
}
