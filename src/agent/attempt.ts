import { isDeepStrictEqual } from 'node:util';
import type { ToolOutcome } from '../tools/tool.ts';

/** One call that really left, and how it ended. */
interface PastCall {
  readonly name: string;
  readonly args: unknown;
  readonly outcome: ToolOutcome;
}

/** What stands behind a result that is used again, for the model. */
const note =
  '[Note of the client: this call ran in an earlier attempt of this turn, and this is its result from then. It was not made again. Make the same call once more where it must run anew.]';

/**
 * The calls of one attempt at a turn. A turn that a person has repeated makes no call again that ran in its earlier attempt with the same
 * arguments: the first call gets the first result, the second the second, and only what goes beyond that runs. A failure that certainly did
 * nothing is no result. What only reads runs anew once this attempt has changed something.
 */
export class Attempt {
  readonly #earlier: PastCall[];
  readonly #calls: PastCall[] = [];
  #reused = 0;
  #hasActed = false;

  /** `earlier`: the attempt that this one repeats. */
  constructor(earlier?: Attempt) {
    this.#earlier = [...(earlier?.results() ?? [])];
  }

  /** How many results came from the earlier attempt. */
  get reused(): number {
    return this.#reused;
  }

  /** The result of a call that ran earlier, marked as such; undefined where it has to run. Each is given once. */
  reuse(name: string, args: unknown, isReadOnly: boolean): ToolOutcome | undefined {
    if (isReadOnly && this.#hasActed) return undefined;
    const place = this.#earlier.findIndex((call) => call.name === name && isDeepStrictEqual(call.args, args));
    const [past] = place < 0 ? [] : this.#earlier.splice(place, 1);
    if (past === undefined) return undefined;
    this.#reused++;
    this.#calls.push(past);
    return { ...past.outcome, parts: [...past.outcome.parts, { kind: 'text', text: note }] };
  }

  /** Notes a call that left for its server. */
  note(name: string, args: unknown, isReadOnly: boolean, outcome: ToolOutcome): void {
    if (!isReadOnly) this.#hasActed = true;
    this.#calls.push({ name, args, outcome });
  }

  /** What a repetition of this attempt need not do again: also what an earlier attempt did and this one had no need of. */
  results(): readonly PastCall[] {
    const done = this.#calls.filter(({ outcome }) => !outcome.isError || outcome.mayHaveRun === true);
    return [...done, ...this.#earlier];
  }

  /** Characters that the results hold, about. */
  get size(): number {
    return this.results().reduce((sum, { outcome }) => sum + sizeOf(outcome), 0);
  }
}

function sizeOf({ parts }: ToolOutcome): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text : part.data).length, 0);
}
