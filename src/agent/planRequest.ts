import type { ChatMessage, ModelPart, ModelTool } from '../model/chatModel.ts';
import { countTokens } from '../model/countTokens.ts';
import type { RoomMade } from './agentTexts.ts';
import type { Conversation } from './conversation.ts';
import { renderMessages, type RenderOptions } from './renderMessages.ts';
import { textOf } from './largeResult.ts';
import { messageTokens, toolTokens } from './tokens.ts';

/** Estimates are inexact: this share of the window is used. */
const usableShare = 0.9;
/** When room has to be made, it is made down to this share, so that the next requests keep their beginning. */
const targetShare = 0.6;
/** Results below so many characters are not worth shortening. */
const smallResult = 400;
/** What is left of a new result at the least, in characters. */
const leastNewResult = 1000;

/** What has to fit into one request. */
export interface RequestToPlan {
  readonly system: string;
  readonly conversation: Conversation;
  readonly tools: readonly ModelTool[];
  /** Tokens. */
  readonly maxInputTokens: number;
  readonly imageInput: boolean;
}

/** What fits. */
export interface PlannedRequest {
  readonly messages: readonly ChatMessage[];
  /** What a person should know was shortened or left out; undefined where nothing was. */
  readonly roomMade?: readonly RoomMade[];
}

/**
 * The messages of one request, fitted into the model's window. Room is made in this order: old results become shorter, the oldest first; then
 * whole earlier turns go; then the earliest steps of this turn; then the newest results shrink. A call never goes without its result, nor
 * does the request of the person. What was shortened once stays so: the conversation remembers.
 */
export function planRequest(request: RequestToPlan): PlannedRequest {
  const { conversation, system, tools, maxInputTokens, imageInput } = request;
  const options: RenderOptions = { imageInput };
  const fixed = countTokens(system) + sum(tools.map(toolTokens));
  const room = Math.floor(maxInputTokens * usableShare) - fixed;
  const size = (): number => sum(renderMessages(conversation, options).map(messageTokens));
  const made = size() > room ? makeRoom(conversation, size, room) : [];
  return {
    messages: [{ role: 'system', text: system }, ...renderMessages(conversation, options)],
    ...(made.length > 0 && { roomMade: made }),
  };
}

function makeRoom(conversation: Conversation, size: () => number, room: number): readonly RoomMade[] {
  const target = Math.floor(room * (targetShare / usableShare));
  const fits = (): boolean => size() <= target;
  const made: RoomMade[] = [];
  if (shortenOldResults(conversation, fits)) made.push('old-results');
  if (size() > room && leaveOutTurns(conversation, fits)) made.push('turns');
  if (size() > room && leaveOutSteps(conversation, fits)) made.push('steps');
  if (size() > room && shrinkNewResults(conversation, size, room)) made.push('new-results');
  if (size() > room) made.push('too-long');
  return made;
}

/** Replaces results before the last answer by a sentence, oldest first, until `fits`. */
function shortenOldResults(conversation: Conversation, fits: () => boolean): boolean {
  const { messages } = conversation;
  const last = lastIndex(messages, ({ role }) => role === 'assistant');
  let done = false;
  for (const message of messages.slice(0, Math.max(0, last))) {
    if (message.role !== 'tool' || conversation.shortened.get(message.callId) === 0) continue;
    if (weightOf(message.content) < smallResult) continue;
    keepWhole(conversation, message.callId, message.content);
    conversation.shorten(message.callId, 0);
    done = true;
    if (fits()) break;
  }
  return done;
}

/** Leaves out whole turns before the present one. */
function leaveOutTurns(conversation: Conversation, fits: () => boolean): boolean {
  const { messages, leftOut } = conversation;
  const present = lastIndex(messages, ({ role }) => role === 'user');
  let done = false;
  for (let place = 0; place < present; place++) {
    if (leftOut.has(place)) continue;
    conversation.leaveOut(place);
    done = true;
    if (messages[place + 1]?.role === 'user' && fits()) break;
  }
  return done;
}

/** Leaves out answers of the present turn with their results, but for the last one. */
function leaveOutSteps(conversation: Conversation, fits: () => boolean): boolean {
  const { messages, leftOut } = conversation;
  const start = lastIndex(messages, ({ role }) => role === 'user') + 1;
  const last = lastIndex(messages, ({ role }) => role === 'assistant');
  let done = false;
  for (let place = start; place < last; place++) {
    if (leftOut.has(place)) continue;
    conversation.leaveOut(place);
    done = true;
    if (messages[place + 1]?.role !== 'tool' && fits()) break;
  }
  return done;
}

/** Gives each result of the last answer an even share of the room that is left. */
function shrinkNewResults(conversation: Conversation, size: () => number, room: number): boolean {
  const { messages } = conversation;
  const results = messages
    .slice(lastIndex(messages, ({ role }) => role === 'assistant') + 1)
    .flatMap((message) => (message.role === 'tool' ? [message] : []));
  if (results.length === 0) return false;
  for (const { callId, content } of results) keepWhole(conversation, callId, content);
  for (let characters = 32_000; characters >= leastNewResult && size() > room; characters /= 2) {
    for (const { callId } of results) conversation.shorten(callId, characters);
  }
  return true;
}

/** A model may still ask for what is no longer sent. */
function keepWhole(conversation: Conversation, callId: string, content: readonly ModelPart[]): void {
  if (!conversation.results.has(callId)) conversation.results.keep(callId, textOf(content));
}

function weightOf(content: readonly ModelPart[]): number {
  return sum(content.map((part) => (part.kind === 'text' ? part.text.length : 4000)));
}

function lastIndex(messages: readonly ChatMessage[], is: (message: ChatMessage) => boolean): number {
  return messages.findLastIndex(is);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
