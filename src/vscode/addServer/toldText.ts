import * as vscode from 'vscode';

import { pasteTexts, type Told } from '../../settings/newServer/told.ts';
import { oneLine } from '../plainText.ts';

/** What is told, in the person's language. What stands in its places is foreign text. */
export function toldText({ text, args }: Told): string {
  return vscode.l10n.t(pasteTexts[text], ...args.map((each) => oneLine(each, 300)));
}
