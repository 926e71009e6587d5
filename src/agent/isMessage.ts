import { isRecord } from '../base/json.ts';
import type { ChatMessage } from '../model/chatModel.ts';

/** True for a message as a conversation holds it. */
export function isMessage(value: unknown): value is ChatMessage {
  if (!isRecord(value)) return false;
  switch (value.role) {
    case 'system':
      return typeof value.text === 'string';
    case 'user':
      return isContent(value.content);
    case 'assistant':
      return typeof value.text === 'string' && Array.isArray(value.toolCalls) && value.toolCalls.every(isCall);
    case 'tool':
      return (
        typeof value.callId === 'string' &&
        typeof value.name === 'string' &&
        typeof value.isError === 'boolean' &&
        isContent(value.content)
      );
    default:
      return false;
  }
}

function isContent(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPart);
}

function isPart(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.kind === 'text') return typeof value.text === 'string';
  return value.kind === 'image' && typeof value.mimeType === 'string' && typeof value.data === 'string';
}

function isCall(value: unknown): boolean {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string' && isRecord(value.arguments);
}
