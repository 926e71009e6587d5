import type { JsonObject } from '../../base/json.ts';
import { JsonExtent } from './jsonExtent.ts';
import type { CallPiece } from './wireTypes.ts';

/** What a piece is to a call that it may belong to. */
export type Verdict = 'continues' | 'new' | 'repetition' | 'after-repeated-name';

/** A tool call of which pieces are still arriving. */
export class OpenCall {
  readonly index: number | undefined;
  readonly pieces: string[] = [];
  readonly #extent = new JsonExtent();
  #id = '';
  #name = '';
  #extra: JsonObject | undefined;
  #spoiled = false;
  #namedAgain = false;

  constructor(index: number | undefined) {
    this.index = index;
  }

  get id(): string {
    return this.#id;
  }

  get name(): string {
    return this.#name.trim();
  }

  get extra(): JsonObject | undefined {
    return this.#extra;
  }

  /** All argument text so far. */
  get text(): string {
    return this.pieces.join('');
  }

  /** Of the arguments' JSON. */
  get state(): 'blank' | 'open' | 'complete' {
    return this.#extent.state;
  }

  get isSpoiled(): boolean {
    return this.#spoiled;
  }

  /** True where only an id or nothing came: no call was meant. */
  get isNothing(): boolean {
    return this.name === '' && this.state === 'blank';
  }

  /** Marks the call as mixed up with others. */
  spoil(): void {
    this.#spoiled = true;
  }

  /** Takes a piece that belongs to this call. The first id stays; a name may come whole, again, or in pieces. */
  append(piece: CallPiece, isOffered: (name: string) => boolean): void {
    if (this.#id === '') this.#id = piece.id;
    if (piece.name !== '') this.#takeName(piece.name, isOffered);
    if (piece.extra !== undefined) this.#extra = { ...this.#extra, ...piece.extra };
    if (piece.arguments === '') return;
    this.pieces.push(piece.arguments);
    this.#extent.push(piece.arguments);
  }

  /** Decides whether a piece that points here continues this call or begins another. */
  judge(piece: CallPiece, isOffered: (name: string) => boolean): Verdict {
    if (this.state === 'complete') return this.#judgeAfterEnd(piece);
    if (piece.name === '' || this.name === '') return 'continues';
    if (this.#isOtherIndex(piece)) return this.state === 'open' && isTail(piece) ? 'continues' : 'new';
    return this.state === 'blank' ? this.#judgeBeforeArguments(piece, isOffered) : this.#judgeWithin(piece, isOffered);
  }

  /** The arguments are complete: a name, or another id with arguments, begins a new call. */
  #judgeAfterEnd(piece: CallPiece): Verdict {
    const hasArguments = piece.arguments.trim() !== '';
    const isOtherId = this.#isOtherId(piece);
    if (piece.name === '') {
      if (!hasArguments) return 'continues';
      if (this.#namedAgain && !isOtherId) return 'after-repeated-name';
      if (isOtherId) return piece.arguments === this.text ? 'repetition' : 'new';
      return 'continues';
    }
    if (isOtherId || this.#isOtherIndex(piece) || piece.name !== this.name) return 'new';
    if (!hasArguments) return 'continues';
    return piece.id !== '' && piece.arguments === this.text ? 'repetition' : 'new';
  }

  /** A second name before any arguments: a repetition, the rest of the name, or a call after one without arguments. */
  #judgeBeforeArguments(piece: CallPiece, isOffered: (name: string) => boolean): Verdict {
    const isRepeated = piece.name === this.name;
    if (this.#isOtherId(piece)) return isRepeated && piece.arguments.trim() !== '' ? 'continues' : 'new';
    if (isRepeated || isOffered(this.name + piece.name)) return 'continues';
    if (isOffered(this.name)) return 'new';
    return isOffered(piece.name) && !piece.name.startsWith(this.name) ? 'new' : 'continues';
  }

  /** A second name within the arguments: some endpoints repeat it with every piece. */
  #judgeWithin(piece: CallPiece, isOffered: (name: string) => boolean): Verdict {
    if (piece.name === this.name) return 'continues';
    return this.#isOtherId(piece) || isOffered(piece.name) ? 'new' : 'continues';
  }

  #takeName(name: string, isOffered: (name: string) => boolean): void {
    if (this.state === 'complete' && this.#name !== '') this.#namedAgain = true;
    else if (this.state === 'blank' || this.#name === '') this.#name = joinNames(this.#name, name, isOffered);
  }

  #isOtherId(piece: CallPiece): boolean {
    return piece.id !== '' && this.#id !== '' && piece.id !== this.#id;
  }

  #isOtherIndex(piece: CallPiece): boolean {
    return piece.index !== undefined && this.index !== undefined && piece.index !== this.index;
  }
}

/** True for argument text that cannot be the beginning of an object. */
function isTail(piece: CallPiece): boolean {
  const text = piece.arguments.trimStart();
  return text !== '' && !text.startsWith('{');
}

function joinNames(former: string, next: string, isOffered: (name: string) => boolean): string {
  if (former === '' || next === former) return next;
  if (isOffered(former + next)) return former + next;
  return next.startsWith(former) ? next : former + next;
}
