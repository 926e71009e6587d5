import { createHash } from 'node:crypto';
import type { ToolOutcome } from '../tools/tool.ts';

/** From this run of the same call with the same result on, the model is told. */
const wordAt = 3;
/** After so many runs the call is not made any more. */
const mostRuns = 6;
/** After so many refusals the run ends. */
const mostRefusals = 4;

/**
 * Notices a model that goes round in circles: the same call with the same result, while nothing new is learnt in between. A result that was not
 * seen before (a status that changed, another tool that did something) begins the count anew, so that waiting and checking again stay possible.
 */
export class Repetition {
  /** Every call with its result that there was. */
  readonly #known = new Set<string>();
  /** How often each was made since something new was learnt. */
  readonly #runs = new Map<string, number>();
  readonly #lastResult = new Map<string, string>();
  #refusals = 0;

  /** True when the run should end. */
  get isHopeless(): boolean {
    return this.#refusals >= mostRefusals;
  }

  /** Why a call should not be made again; undefined when it may. */
  refusal(name: string, args: unknown): string | undefined {
    const call = keyOf(name, args);
    const runs = this.#runs.get(`${call} ${this.#lastResult.get(call)}`) ?? 0;
    if (runs < mostRuns) return undefined;
    this.#refusals++;
    return `Not run: this call was made ${runs} times with the same arguments and the same result. Work with that result, try something else, or say what is in the way.`;
  }

  /** Notes how a call ended. Returns a word for the model where it is due. */
  note(name: string, args: unknown, outcome: ToolOutcome): string | undefined {
    const call = keyOf(name, args);
    const result = digest(JSON.stringify([outcome.isError, outcome.parts]));
    const key = `${call} ${result}`;
    this.#lastResult.set(call, result);
    if (!this.#known.has(key)) {
      this.#known.add(key);
      this.#runs.clear();
      this.#refusals = 0;
    }
    const runs = (this.#runs.get(key) ?? 0) + 1;
    this.#runs.set(key, runs);
    if (runs < wordAt) return undefined;
    return `[Note of the client: this is time ${runs} that this call was made with the same arguments and the same result. Making it again will not help.]`;
  }
}

function keyOf(name: string, args: unknown): string {
  return digest(JSON.stringify([name, args]));
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
