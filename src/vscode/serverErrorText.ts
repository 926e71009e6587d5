import * as vscode from 'vscode';

import { ProtocolError, TransportError } from '../mcp/errors.ts';
import { SignInError } from '../mcp/signInError.ts';
import { oneLine } from './plainText.ts';

/** Hides secrets in a text; set once, by whoever knows them. */
let hide = (text: string): string => text;

/** From now on the texts of errors are shown without the secrets that `redact` knows: a server may say back what it was sent. */
export function hideSecretsBy(redact: (text: string) => string): void {
  hide = redact;
}

/**
 * An error of a server for a person, in one line: what happened, as the protocol core says it, then what to do.
 * `server` is left out at its beginning, where it stands beside the text already.
 */
export function serverErrorText(error: Error, server?: string): string {
  const message = hide(error.message);
  const isNamed = server !== undefined && message.startsWith(`${server}: `);
  const cause = oneLine(isNamed ? message.slice(server.length + 2) : message, 600);
  const sentence = /[.!?。！？…]$/u.test(cause) ? cause : `${cause}.`;
  const advice = adviceFor(error);
  return advice === undefined ? sentence : `${sentence} ${advice}`;
}

/** Undefined where the message itself says what to do, as those about settings do. */
function adviceFor(error: Error): string | undefined {
  if (error instanceof ProtocolError) {
    return vscode.l10n.t('Check that the address is that of an MCP server; the log shows what it answered.');
  }
  if (!(error instanceof TransportError) || error.cause instanceof SignInError) return undefined;
  switch (error.code) {
    case 'unreachable':
      return vscode.l10n.t('Start the server, or correct its address in the settings; it is tried again by itself.');
    case 'unauthorized':
    case 'forbidden':
      return vscode.l10n.t('Check the credentials in its "headers".');
    case 'http-status':
    case 'redirect':
      return vscode.l10n.t('Check its "url" and "type" in the settings.');
    case 'timeout':
      return vscode.l10n.t('Raise its "timeout" in the settings if it is slow; it is tried again by itself.');
    case 'closed':
    case 'session-lost':
      return vscode.l10n.t('It is connected again by itself.');
    case 'certificate':
    case 'process':
    case 'cancelled':
    case 'too-large':
      return undefined;
  }
}
