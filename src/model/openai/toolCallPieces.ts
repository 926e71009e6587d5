import type { ModelEvent } from '../chatModel.ts';
import { readArguments } from './callArguments.ts';
import { OpenCall } from './openCall.ts';
import type { CallPiece } from './wireTypes.ts';

/** How the answer ended: said so, was cut off at a limit or by a filter, or just stopped coming. */
export type Ending = 'complete' | 'length' | 'content-filter' | 'interrupted';

/** What helps to join the pieces of tool calls. */
export interface ToolCallPiecesOptions {
  /** The names that the model was offered; they tell pieces of one name from two names. */
  readonly toolNames?: ReadonlySet<string>;
  /** Told of each habit of the endpoint that had to be allowed for. */
  readonly onNote?: (text: string) => void;
  /** Makes an id for a call that has none of its own. */
  readonly makeId?: () => string;
}

/**
 * Joins the pieces of an answer's tool calls. An endpoint should number its calls and name each once, in its first piece;
 * many do not. What belongs together is decided by evidence, in this order: the index, the id, whether the former call's JSON
 * is complete, the names that were offered. Where the evidence allows two readings the calls concerned come out as invalid.
 */
export class ToolCallPieces {
  readonly #options: ToolCallPiecesOptions;
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  #latest: OpenCall | undefined;

  constructor(options: ToolCallPiecesOptions = {}) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Takes all pieces of one chunk. Where the chunk numbers none of several, their places number them. */
  add(pieces: readonly CallPiece[]): void {
    const numbered = pieces.length < 2 || pieces.some((piece) => piece.index !== undefined);
    const namedHere = new Set<OpenCall>();
    for (const [place, piece] of pieces.entries()) {
      const call = this.#place(numbered ? piece : { ...piece, index: place }, namedHere);
      if (call !== undefined && piece.name !== '') namedHere.add(call);
    }
  }

  /** Gives out every call, once the answer is over. */
  finish(ending: Ending): ModelEvent[] {
    const calls = this.#calls.filter((call) => !call.isNothing);
    const taken = new Set<string>();
    return inOrder(calls).map((call) => this.#toEvent(call, this.#uniqueId(call, taken), ending));
  }

  /** Joins the piece to the call that it belongs to, and returns that. */
  #place(piece: CallPiece, namedHere: ReadonlySet<OpenCall>): OpenCall | undefined {
    const call = this.#candidate(piece);
    if (call === undefined) return this.#placeStray(piece);
    if (namedHere.has(call) && piece.name !== '') return this.#open(piece);
    const verdict = call.judge(piece, (name) => this.#options.toolNames?.has(name) ?? false);
    if (verdict === 'new') return this.#open(piece);
    if (verdict === 'after-repeated-name') return this.#open({ ...piece, name: call.name });
    if (verdict === 'repetition') this.#note('a tool call was sent twice');
    else this.#append(call, piece);
    return call;
  }

  /** The call that the piece's index, its id or the order of arrival point to. */
  #candidate(piece: CallPiece): OpenCall | undefined {
    const sameId = piece.id === '' ? undefined : this.#calls.findLast((call) => call.id === piece.id);
    if (piece.index === undefined) return sameId ?? this.#latest;
    if (sameId?.index === piece.index) return sameId;
    return this.#byIndex.get(piece.index) ?? sameId;
  }

  /** A piece whose index and id are both unknown: the head of a call, or a tail whose number has run on. */
  #placeStray(piece: CallPiece): OpenCall | undefined {
    const unfinished = this.#calls.filter((call) => call.state !== 'complete');
    const only = unfinished.length === 1 ? unfinished[0] : undefined;
    const isTail = piece.arguments.trim() !== '' && !piece.arguments.trimStart().startsWith('{');
    if (piece.name !== '') {
      return only?.state === 'open' && only.name === piece.name && isTail
        ? this.#adopt(only, piece)
        : this.#open(piece);
    }
    if (piece.arguments.trim() === '') return piece.id === '' ? this.#placeEmpty(piece) : this.#open(piece);
    if (only !== undefined && (isTail || piece.id === '')) return this.#adopt(only, piece);
    if (unfinished.length < 2 || piece.id !== '') return this.#open(piece);
    for (const call of unfinished) call.spoil();
    this.#note('argument pieces under an unknown index, with several calls open');
    return undefined;
  }

  /** Nothing, or something attached to the call before. */
  #placeEmpty(piece: CallPiece): OpenCall | undefined {
    if (this.#latest !== undefined) this.#append(this.#latest, piece);
    return this.#latest;
  }

  #adopt(call: OpenCall, piece: CallPiece): OpenCall {
    this.#note(`argument pieces of the call "${call.name}" came under another index`);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    this.#append(call, piece);
    return call;
  }

  #open(piece: CallPiece): OpenCall {
    const call = new OpenCall(piece.index);
    this.#calls.push(call);
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call);
    this.#append(call, piece);
    return call;
  }

  #append(call: OpenCall, piece: CallPiece): void {
    call.append(piece, (name) => this.#options.toolNames?.has(name) ?? false);
    this.#latest = call;
  }

  #uniqueId(call: OpenCall, taken: Set<string>): string {
    let id = call.id;
    while (id === '' || taken.has(id)) id = (this.#options.makeId ?? randomId)();
    taken.add(id);
    return id;
  }

  #toEvent(call: OpenCall, id: string, ending: Ending): ModelEvent {
    const { name, text } = call;
    const extra = call.extra === undefined ? {} : { extra: call.extra };
    const reading = readArguments(call.pieces);
    const fault = faultOf(call, ending) ?? (reading.ok ? undefined : withEnding(reading.reason, ending));
    if (fault !== undefined || !reading.ok) return { kind: 'invalid-tool-call', id, name, text, reason: fault ?? '' };
    if (reading.note !== undefined) this.#note(`${reading.note} (call "${name}")`);
    return { kind: 'tool-call', id, name, arguments: reading.value, ...extra };
  }

  #note(text: string): void {
    this.#options.onNote?.(text);
  }
}

/** By their indices where these are distinct, else as they came. */
function inOrder(calls: readonly OpenCall[]): readonly OpenCall[] {
  const indices = new Set(calls.map((call) => call.index));
  if (indices.size < calls.length || indices.has(undefined)) return calls;
  return calls.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
}

/** What keeps a call from being run, whatever its arguments say. */
function faultOf(call: OpenCall, ending: Ending): string | undefined {
  if (ending === 'interrupted') return 'The answer broke off before it was complete, so this call was not run.';
  if (call.isSpoiled)
    return 'The pieces of the arguments of several calls could not be told apart: make the calls one by one.';
  if (call.name === '') return 'The call came without the name of a tool.';
  if (ending !== 'complete' && call.state === 'blank')
    return withEnding('The call came without its arguments.', ending);
  return undefined;
}

function withEnding(reason: string, ending: Ending): string {
  if (ending === 'length') return `The answer was cut off at the output limit. ${reason} Make a shorter call.`;
  if (ending === 'content-filter') return `The answer was cut off by the content filter. ${reason}`;
  return reason;
}

/** Nine letters and digits: the one form that every endpoint accepts as the id of a call. */
function randomId(): string {
  let id = 'c';
  while (id.length < 9) id += Math.floor(Math.random() * 36).toString(36);
  return id;
}
