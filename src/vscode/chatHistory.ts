import * as vscode from 'vscode';

import { Conversation } from '../agent/conversation.ts';
import type { ResultKeeper } from '../agent/resultStore.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import type { ChatMessage } from '../model/chatModel.ts';
import { readGrants, type Grant } from './approvalStore.ts';

/** What a turn leaves behind in its `ChatResult.metadata`, so that the next ones know it. Plain JSON. */
interface TurnRecord {
  /** The messages of this turn alone: a chat of many turns must not hold its beginning many times. */
  readonly messages: readonly unknown[];
  /** The conversation's state without its messages. */
  readonly state: JsonObject;
  /** Everything that was allowed in this chat so far. */
  readonly grants: readonly Grant[];
  /** The turn paused at the step limit. */
  readonly isPaused: boolean;
}

/** A chat so far. */
export interface ChatPast {
  readonly conversation: Conversation;
  readonly grants: readonly Grant[];
  readonly isPaused: boolean;
}

/** Puts the earlier turns of a chat together. A turn without a record of ours is told by its words. `results` has the large results. */
export function readPast(history: vscode.ChatContext['history'], results?: ResultKeeper): ChatPast {
  const messages: unknown[] = [];
  let last: TurnRecord | undefined;
  let request: vscode.ChatRequestTurn | undefined;
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) request = turn;
    else if (turn instanceof vscode.ChatResponseTurn) {
      const record = readRecord(turn.result.metadata);
      messages.push(...(record?.messages ?? wordsOf(request, turn)));
      last = record ?? last;
      request = undefined;
    }
  }
  const conversation = Conversation.fromJSON({ ...last?.state, messages }, results);
  return { conversation, grants: last?.grants ?? [], isPaused: last?.isPaused ?? false };
}

/** The metadata of a turn. `from` is how many messages the conversation had before it. */
export function turnMetadata(
  conversation: Conversation,
  from: number,
  more: Pick<TurnRecord, 'grants' | 'isPaused'>,
): JsonObject {
  const { messages, ...state } = conversation.toJSON();
  return { mcpAgent: { messages: messages.slice(from), state, ...more } };
}

function readRecord(metadata: unknown): TurnRecord | undefined {
  const record = isRecord(metadata) ? metadata['mcpAgent'] : undefined;
  if (!isRecord(record) || !Array.isArray(record['messages'])) return undefined;
  const { messages, state, grants, isPaused } = record;
  return { messages, state: isRecord(state) ? state : {}, grants: readGrants(grants), isPaused: isPaused === true };
}

function wordsOf(request: vscode.ChatRequestTurn | undefined, response: vscode.ChatResponseTurn): ChatMessage[] {
  if (request === undefined || request.command !== undefined) return [];
  const text = response.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  return [
    { role: 'user', content: [{ kind: 'text', text: request.prompt }] },
    { role: 'assistant', text: text === '' ? '(The person stopped this answer.)' : text, toolCalls: [] },
  ];
}
