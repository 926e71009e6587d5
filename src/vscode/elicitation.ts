import type { Event } from 'vscode';

import { isRecord, type JsonObject } from '../base/json.ts';
import { readForm, type ElicitationForm } from '../mcp/elicitationForm.ts';
import { readPage, type ElicitationPage } from '../mcp/elicitationUrl.ts';
import { RpcError } from '../mcp/errors.ts';
import { errorCode } from '../mcp/jsonrpc.ts';
import type { Asking } from './asking.ts';
import { askForm } from './elicitationForm.ts';
import { askPage } from './elicitationPage.ts';

/** What a server asks of the person (MCP "Elicitation"): values for a form, or a visit to a page. */
export type Elicitation =
  | { readonly kind: 'form'; readonly form: ElicitationForm }
  | { readonly kind: 'page'; readonly page: ElicitationPage; readonly isRetry: boolean };

/** Throws an RpcError −32602 for a mode that is not known, and for what cannot be asked. No mode means a form. */
export function readElicitation(params: unknown): Elicitation {
  const members: JsonObject = isRecord(params) ? params : {};
  const { mode } = members;
  if (mode === undefined || mode === 'form') return { kind: 'form', form: readForm(members) };
  if (mode === 'url') return { kind: 'page', page: readPage(members), isRetry: members['retry'] === true };
  throw new RpcError(errorCode.invalidParams, `elicitation/create: the mode ${JSON.stringify(mode)} is not declared`);
}

/** Asks the person. Resolves with the result of `elicitation/create`. */
export function askElicitation(
  elicitation: Elicitation,
  asking: Asking,
  onDidComplete: Event<string>,
): Promise<JsonObject> {
  return elicitation.kind === 'form'
    ? askForm(elicitation.form, asking)
    : askPage(elicitation.page, asking, { onDidComplete, isRetry: elicitation.isRetry });
}
