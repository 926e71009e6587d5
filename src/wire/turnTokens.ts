import type { WireEntry } from './wireEntry.ts';

/** What the endpoints said that a turn cost, in tokens. */
export interface TurnTokens {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}

/** Adds up the figures of a turn's answers; undefined where the endpoint gave none. Pure. */
export function turnTokens(entries: readonly WireEntry[], turn: string): TurnTokens | undefined {
  const answers = entries.flatMap((entry) => (entry.kind === 'model-answer' && entry.turn === turn ? [entry] : []));
  const told = answers.filter(
    ({ inputTokens, outputTokens }) => inputTokens !== undefined || outputTokens !== undefined,
  );
  if (told.length === 0) return undefined;
  return {
    requests: answers.length,
    input: told.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
    output: told.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
  };
}
