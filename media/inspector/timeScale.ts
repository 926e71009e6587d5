import type { Row } from '../../src/wire/row.ts';

/** Nothing happens for longer than this: the gap is drawn as short as {@link GAP_SHOWN}, milliseconds both. */
const GAP_FROM = 1000;
const GAP_SHOWN = 250;

interface Stretch {
  readonly from: number;
  to: number;
  /** Where it begins in drawn milliseconds. */
  drawn: number;
}

/** True for rows that last as long as their session: they say nothing of when something happened. */
function isLong(row: Row): boolean {
  return row.kind === 'session' || (row.kind === 'http' && row.stream === true && row.method === 'GET');
}

/** Maps times to 0…1 with the times between turns, in which nobody does anything, cut short. */
export class TimeScale {
  readonly #stretches: readonly Stretch[];
  readonly #length: number;

  constructor(rows: readonly Row[], now: number) {
    const stretches: Stretch[] = [];
    for (const row of rows) {
      const to = isLong(row) ? row.at : (row.end ?? now);
      const last = stretches.at(-1);
      if (last && row.at - last.to < GAP_FROM) last.to = Math.max(last.to, to);
      else stretches.push({ from: row.at, to, drawn: 0 });
    }
    let drawn = 0;
    for (const stretch of stretches) {
      stretch.drawn = drawn;
      drawn += stretch.to - stretch.from + GAP_SHOWN;
    }
    this.#stretches = stretches;
    this.#length = Math.max(1, drawn - GAP_SHOWN);
  }

  /** Between 0 and 1. */
  place(at: number): number {
    const stretch = this.#before(at);
    if (!stretch) return 0;
    const within = Math.min(at, stretch.to) - stretch.from;
    const beyond = at > stretch.to ? Math.min(GAP_SHOWN, at - stretch.to) : 0;
    return Math.min(1, Math.max(0, (stretch.drawn + within + beyond) / this.#length));
  }

  /** The last stretch that began before `at`. */
  #before(at: number): Stretch | undefined {
    let low = 0;
    let high = this.#stretches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stretches[middle]?.from ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return this.#stretches[Math.max(0, low - 1)];
  }
}
