/** How long an endpoint may be silent, in milliseconds. Any byte counts as life, keep-alive comments too. */
export interface ModelLimits {
  /** Until the first piece of the answer; local models load slowly. Default 120,000. */
  readonly firstPieceMs?: number;
  /** From piece to piece. Default 60,000. */
  readonly nextPieceMs?: number;
  /** After the answer was complete, for figures and the end mark. Default 5,000. */
  readonly afterFinishMs?: number;
}

/** How long a model may be silent where nothing else is said, in milliseconds. */
export const usualLimits = { firstPieceMs: 120_000, nextPieceMs: 60_000, afterFinishMs: 5000 } as const;
