/** Time as the code sees it; tests pass their own. */
export interface Clock {
  /** Milliseconds that never go backwards, from any start. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds; the result calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** The longest that a timer of Node's waits, in milliseconds; a longer one would run at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real clock. Its timers do not keep the process alive; the longest waits 24 days. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
