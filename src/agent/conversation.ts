import type { ChatMessage } from '../model/chatModel.ts';

/** A conversation as plain JSON. */
export interface ConversationState {
  readonly version: 1;
  readonly messages: readonly ChatMessage[];
}

/** What was said so far, over all turns. Every call in it is followed by its result. */
export class Conversation {
  #messages: ChatMessage[] = [];

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  append(message: ChatMessage): void {
    this.#messages.push(message);
  }

  toJSON(): ConversationState {
    return { version: 1, messages: this.#messages };
  }
}
