import * as vscode from 'vscode';

import type { Disposable } from '../base/disposables.ts';
import type { AnswerOptions } from './answerTurn.ts';
import { registerParticipant } from './participant.ts';
import type { ServerLogs } from './serverLogs.ts';

/** Registers `@mcp` with what its turns need; their code is read at the first turn. */
export function registerChat(options: AnswerOptions & { readonly logs: ServerLogs }): Disposable {
  return registerParticipant({
    icon: new vscode.ThemeIcon('plug'),
    run: async (turn) => {
      const { answerTurn } = await import('./answerTurn.ts');
      const result = await answerTurn(turn, options);
      void vscode.commands.executeCommand('setContext', 'mcpAgent.answered', true);
      return result;
    },
    onError: (error) =>
      options.logs.note('error', error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
}
