import * as vscode from 'vscode';

import { tokensOf } from '../agent/tokensOf.ts';
import type { Tool } from '../tools/tool.ts';

/** What offering tools costs in each request to a model, in words: `1,204 tokens`. An estimate. */
export function costText(tools: readonly Tool[]): string {
  const tokens = tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
  return vscode.l10n.t('{0} tokens', numberText(tokens));
}

/** A number as the person's language writes it. */
export function numberText(value: number): string {
  return value.toLocaleString(vscode.env.language);
}
