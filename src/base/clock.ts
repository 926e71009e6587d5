/** Time as the code sees it; tests pass their own. */
export interface Clock {
  /** Milliseconds that never go backwards, from any start. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds; the result calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** The real clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
