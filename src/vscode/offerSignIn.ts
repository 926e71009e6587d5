import * as vscode from 'vscode';

import { oneLine } from './plainText.ts';
import { signInCommand, type SignIns } from './signIns.ts';

/** A button for each server that asks the person to sign in. */
export function offerSignIn(stream: vscode.ChatResponseStream, { needed }: Pick<SignIns, 'needed'>): void {
  for (const name of needed) {
    const title = vscode.l10n.t('Sign in to {0}', oneLine(name, 60));
    stream.button({ command: signInCommand, title, arguments: [name] });
  }
}
