import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import type { Client } from '../mcp/client.ts';
import type { ServerConnection } from '../servers/serverConnection.ts';
import type { EditorServers } from './editorServers.ts';
import { plain } from './plainText.ts';

/** What all ready servers with a capability offer, in the order of the servers. One that fails is told, and hides no other. */
export async function gather<T>(
  { servers, stream }: { readonly servers: EditorServers; readonly stream: vscode.ChatResponseStream },
  isOffered: (client: Client) => boolean,
  list: (client: Client, server: ServerConnection) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const lists = await Promise.all(
    servers.connections().map(async (server): Promise<readonly T[]> => {
      const { state } = server;
      if (state.kind !== 'ready' || !isOffered(state.client)) return [];
      try {
        return await list(state.client, server);
      } catch (error) {
        const reason = messageOf(error);
        const text = `$(warning) ${plain(server.spec.name, 80)}: ${plain(reason, 600)}\n\n`;
        stream.markdown(new vscode.MarkdownString(text, true));
        return [];
      }
    }),
  );
  return lists.flat();
}
