import * as vscode from 'vscode';

import { errorOf } from '../servers/serverState.ts';
import type { EditorServers } from './editorServers.ts';
import { oneLine } from './plainText.ts';

/** What a chat should be told about its servers: a server that is down is mentioned once, until it fails in another way. */
export class ServerNotices {
  readonly #servers: EditorServers;
  readonly #told: Set<string>;

  constructor(servers: EditorServers, told: readonly string[]) {
    this.#servers = servers;
    this.#told = new Set(told);
  }

  /** Everything that was told in this chat so far; for the next turn. */
  get told(): readonly string[] {
    return [...this.#told];
  }

  /** What is new since the last call. */
  take(): readonly string[] {
    return this.#servers.connections().flatMap((server) => {
      const error = errorOf(server.state);
      if (error === undefined) return [];
      const text = vscode.l10n.t('The server {0} is not available: {1} The other servers go on.', oneLine(server.spec.name, 80), sentence(error.message));
      const key = `${server.spec.identity}: ${error.message}`;
      if (this.#told.has(key)) return [];
      this.#told.add(key);
      return [text];
    });
  }
}

function sentence(text: string): string {
  const line = oneLine(text, 600);
  return /[.!?。！？…]$/u.test(line) ? line : `${line}.`;
}
