import * as vscode from 'vscode';

import type { Conversation } from '../agent/conversation.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { ServerSpec } from '../servers/serverSpec.ts';
import { errorOf } from '../servers/serverState.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';
import { serverErrorText } from './serverErrorText.ts';

/** What a chat should be told about its servers now. Each thing once a chat: a server that is down is mentioned once, and the rest goes on. */
export function serverNotices(servers: EditorServers, conversation: Conversation): readonly string[] {
  const down = servers.connections().flatMap((server) => noticeOf(server, servers, conversation) ?? []);
  const leftOut = servers
    .leftOut()
    .map(({ server, tool, reason }) =>
      vscode.l10n.t(
        'The tool {0} of the server {1} is left out: {2}.',
        oneLine(tool, 80),
        oneLine(server, 80),
        oneLine(reason),
      ),
    );
  return [...down, ...[...servers.takeWarnings(), ...leftOut].filter((text) => conversation.isNews(text))];
}

function noticeOf(
  { state, spec }: ServerConnection,
  servers: EditorServers,
  conversation: Conversation,
): string | undefined {
  if (spec.held !== undefined && !spec.disabled) return heldNotice(spec, conversation);
  const error = errorOf(state);
  if (error === undefined && state.kind !== 'connecting') return undefined;
  if (!conversation.isNews(`${spec.identity} ${error?.message ?? state.kind}`)) return undefined;
  const name = oneLine(spec.name, 80);
  if (error === undefined) {
    return vscode.l10n.t('The server {0} is still connecting: its tools can be used as soon as it is ready.', name);
  }
  const text = `${name}: ${serverErrorText(error, spec.name)}`;
  const othersGoOn = servers.connections().some((other) => other.state.kind === 'ready');
  return othersGoOn ? `${text} ${vscode.l10n.t('The other servers go on.')}` : text;
}

function heldNotice({ name, identity, held = '' }: ServerSpec, conversation: Conversation): string | undefined {
  return conversation.isNews(`${identity} ${held}`) ? `${oneLine(name, 80)}: ${held}` : undefined;
}
