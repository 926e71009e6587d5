import * as vscode from 'vscode';

import { messageOf } from '../base/caught.ts';
import type { Disposable } from '../base/disposables.ts';
import { isCancellation } from './toolRows.ts';
import { oneLine, withoutMention } from './plainText.ts';

/** The participant's id in the manifest. */
const participantId = 'mcp-agent.mcp';

/** One request with everything that belongs to it. `prompt` is without a leading mention. */
export interface Turn {
  readonly request: vscode.ChatRequest;
  readonly prompt: string;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** Answers one message to `@mcp`. */
export type TurnFunction = (turn: Turn) => Promise<vscode.ChatResult>;

/** Registers `@mcp`. A turn that throws is an error in the chat, not a silent one. */
export function registerParticipant(options: {
  readonly icon: vscode.IconPath;
  readonly run: TurnFunction;
  readonly onError: (error: unknown) => void;
}): Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, async (request, context, stream, token) => {
    const prompt = withoutMention(request.prompt).trim();
    try {
      return await options.run({ request, prompt, context, stream, token });
    } catch (error) {
      if (token.isCancellationRequested || isCancellation(error)) return {};
      options.onError(error);
      return { errorDetails: { message: oneLine(messageOf(error), 1000) } };
    }
  });
  participant.iconPath = options.icon;
  return participant;
}
