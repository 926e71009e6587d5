import { isRecord } from '../base/json.ts';
import type { ChatMessage, ModelToolCall } from '../model/chatModel.ts';
import { isMessage } from './isMessage.ts';
import { ResultStore, type ResultKeeper } from './resultStore.ts';

/** A conversation as plain JSON. */
export interface ConversationState {
  readonly version: 1;
  readonly messages: readonly ChatMessage[];
  /** By call id: results that are no longer sent in full, and how many characters of them are. */
  readonly shortened: Readonly<Record<string, number>>;
  /** Places of messages that are no longer sent. */
  readonly leftOut: readonly number[];
  /** What the person was told and need not be told again. */
  readonly told: readonly string[];
  /** Names of tools that stay offered where not all can be, the latest last. */
  readonly active: readonly string[];
  /** By call id: the keys of large results that are kept outside. */
  readonly results?: Readonly<Record<string, string>>;
}

const idPattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** What was said so far, over all turns. It is fit for a next request whenever the agent does not run: every call is followed by its result. */
export class Conversation {
  readonly #messages: ChatMessage[] = [];
  readonly #callIds = new Set<string>();
  readonly #shortened = new Map<string, number>();
  readonly #leftOut = new Set<number>();
  readonly #told = new Set<string>();
  readonly #active = new Set<string>();
  /** Large results in full: as long as this object lives, or as its keeper keeps them. */
  readonly results: ResultStore;

  constructor(results = new ResultStore()) {
    this.results = results;
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** By call id: results that are sent shortened to so many characters, 0 for a sentence in their place. */
  get shortened(): ReadonlyMap<string, number> {
    return this.#shortened;
  }

  /** Places of messages that are kept and no longer sent. */
  get leftOut(): ReadonlySet<number> {
    return this.#leftOut;
  }

  append(message: ChatMessage): void {
    this.#messages.push(message);
    if (message.role !== 'assistant') return;
    for (const { id, name } of message.toolCalls) {
      this.#callIds.add(id);
      this.activate(name);
    }
  }

  /** Names of tools that stay offered where not all can be: used, found, named. The latest last. */
  get active(): ReadonlySet<string> {
    return this.#active;
  }

  activate(toolName: string): void {
    this.#active.delete(toolName);
    this.#active.add(toolName);
  }

  /** Has a result be sent with at most so many characters from now on. What was shortened stays so, that requests keep their beginning. */
  shorten(callId: string, characters: number): void {
    this.#shortened.set(callId, Math.min(characters, this.#shortened.get(callId) ?? Infinity));
  }

  /** Has the message at this place not be sent any more. Leave out calls only together with their results. */
  leaveOut(place: number): void {
    this.#leftOut.add(place);
  }

  /** True the first time that this text is to be told in this conversation. */
  isNews(text: string): boolean {
    const isNew = !this.#told.has(text);
    this.#told.add(text);
    return isNew;
  }

  /** An id for a new call that no other call of this conversation has: `wanted` where that is one, else a new one of nine characters. */
  claimCallId(wanted: string): string {
    let id = wanted;
    for (let next = this.#callIds.size + 1; !idPattern.test(id) || this.#callIds.has(id); next++) {
      id = `c${String(next).padStart(8, '0')}`;
    }
    this.#callIds.add(id);
    return id;
  }

  toJSON(): ConversationState {
    const shortened = Object.fromEntries(this.#shortened);
    const { keys } = this.results;
    return {
      version: 1,
      messages: this.#messages,
      shortened,
      leftOut: [...this.#leftOut],
      told: [...this.#told],
      active: [...this.#active],
      ...(Object.keys(keys).length > 0 && { results: keys }),
    };
  }

  /**
   * Restores what `toJSON` gave. What is not a message of ours is left out; a call without a result gets one that says so, and a result
   * without a call goes. Any value will do. `keeper` has the large results.
   */
  static fromJSON(value: unknown, keeper?: ResultKeeper): Conversation {
    const state = isRecord(value) ? value : {};
    const conversation = new Conversation(new ResultStore(keeper, textsByKey(state.results)));
    const given = Array.isArray(state.messages) ? state.messages : [];
    const messages = [...withResults(given.filter(isMessage))];
    for (const message of messages) conversation.append(message);
    for (const [id, characters] of Object.entries(isRecord(state.shortened) ? state.shortened : {})) {
      if (typeof characters === 'number') conversation.shorten(id, characters);
    }
    // Places only mean something where no message was mended.
    const places = messages.length === given.length && Array.isArray(state.leftOut) ? state.leftOut : [];
    for (const place of places) if (typeof place === 'number') conversation.leaveOut(place);
    for (const text of texts(state.told)) conversation.isNews(text);
    for (const name of texts(state.active)) conversation.activate(name);
    return conversation;
  }
}

/** The messages, with exactly one result behind each call, in the order of the calls. */
function* withResults(messages: readonly ChatMessage[]): Generator<ChatMessage> {
  let open: readonly ModelToolCall[] = [];
  const results = new Map<string, ChatMessage>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.callId, message);
    else {
      yield* open.map((call) => results.get(call.id) ?? lostResult(call));
      results.clear();
      open = message.role === 'assistant' ? message.toolCalls : [];
      yield message;
    }
  }
  yield* open.map((call) => results.get(call.id) ?? lostResult(call));
}

function lostResult({ id, name }: ModelToolCall): ChatMessage {
  const text = 'The result of this call is not known any more.';
  return { role: 'tool', callId: id, name, content: [{ kind: 'text', text }], isError: true };
}

function textsByKey(value: unknown): Readonly<Record<string, string>> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
