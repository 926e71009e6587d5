import * as vscode from 'vscode';

import { isRecord } from '../base/json.ts';
import type { ChatMessage } from '../model/chatModel.ts';
import { readGrants, type Grant } from './approvalStore.ts';

/** What a turn leaves behind in its `ChatResult.metadata`, so that the next ones know it. Plain JSON. */
export interface TurnRecord {
  /** The messages of this turn alone. */
  readonly messages: readonly ChatMessage[];
  /** Everything that was allowed in this chat so far. */
  readonly grants: readonly Grant[];
  /** What this chat has been told about servers: each notice once. */
  readonly told: readonly string[];
  /** The turn ended at the step limit. */
  readonly unfinished: boolean;
}

/** A chat so far. */
export interface ChatPast {
  readonly messages: readonly ChatMessage[];
  readonly grants: readonly Grant[];
  readonly told: readonly string[];
  readonly unfinished: boolean;
}

/** Puts the earlier turns of a chat together. A turn without a record of ours is told by its words. */
export function readPast(history: vscode.ChatContext['history']): ChatPast {
  const messages: ChatMessage[] = [];
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
  return { messages, grants: last?.grants ?? [], told: last?.told ?? [], unfinished: last?.unfinished ?? false };
}

function readRecord(metadata: unknown): TurnRecord | undefined {
  const record = isRecord(metadata) ? metadata['mcpAgent'] : undefined;
  if (!isRecord(record) || !Array.isArray(record['messages']) || !record['messages'].every(isMessage)) return undefined;
  const told = Array.isArray(record['told']) ? record['told'].filter((text) => typeof text === 'string') : [];
  return {
    messages: record['messages'],
    grants: readGrants(record['grants']),
    told,
    unfinished: record['unfinished'] === true,
  };
}

/** As a turn's metadata. */
export function writeRecord(record: TurnRecord): { readonly mcpAgent: TurnRecord } {
  return { mcpAgent: record };
}

function isMessage(value: unknown): value is ChatMessage {
  if (!isRecord(value)) return false;
  switch (value['role']) {
    case 'system':
      return typeof value['text'] === 'string';
    case 'user':
      return isParts(value['content']);
    case 'assistant':
      return typeof value['text'] === 'string' && Array.isArray(value['toolCalls']) && value['toolCalls'].every(isCall);
    case 'tool':
      return typeof value['callId'] === 'string' && isParts(value['content']);
    default:
      return false;
  }
}

function isParts(value: unknown): boolean {
  return Array.isArray(value) && value.every((part) => isRecord(part) && typeof part['kind'] === 'string');
}

function isCall(value: unknown): boolean {
  return isRecord(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string' && isRecord(value['arguments']);
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

