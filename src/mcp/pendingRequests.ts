import { BriefMap } from '../base/briefMap.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposables.ts';
import { SweepTimer } from '../base/sweepTimer.ts';
import type { Progress } from './schema.ts';

/** No answer may take longer than this many milliseconds, whatever progress is told. */
export const LONGEST_REQUEST_MS = 30 * 60 * 1000;
/** So many requests that were given up are remembered, to tell a late answer from a foreign one. */
const REMEMBERED = 1000;

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly method: string;
  /** How long an answer may take, in milliseconds, counted anew at each progress. */
  readonly timeoutMs: number;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
  /** Ties the request to its caller's signal, as long as it is pending. */
  abortLink: Disposable | undefined;
}

interface Entry {
  readonly request: PendingRequest;
  readonly latest: number;
  deadline: number;
}

/** Our requests by number, with their time limits, which one timer watches over. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #onExpired: (id: number, request: PendingRequest, inSpiteOfProgress: boolean) => void;
  readonly #timer: SweepTimer;
  readonly #entries = new BriefMap<number, Entry>();
  readonly #abandoned = new Set<number>();
  #held = false;

  /** `onExpired` has to take the request out, by {@link abandon}. */
  constructor(clock: Clock, onExpired: (id: number, request: PendingRequest, inSpiteOfProgress: boolean) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.#timer = new SweepTimer(clock, (now) => this.#sweep(now));
  }

  add(id: number, request: PendingRequest): void {
    const now = this.#clock.now();
    const deadline = now + request.timeoutMs;
    this.#entries.set(id, { request, deadline, latest: now + Math.max(LONGEST_REQUEST_MS, request.timeoutMs) });
    this.#timer.expect(deadline);
  }

  get(id: number): PendingRequest | undefined {
    return this.#entries.get(id)?.request;
  }

  /** Takes a request out; undefined when there is none. */
  take(id: number): PendingRequest | undefined {
    const entry = this.#entries.take(id);
    entry?.request.abortLink?.dispose();
    return entry?.request;
  }

  /** Takes a request out whose answer may still come. */
  abandon(id: number): PendingRequest | undefined {
    const request = this.take(id);
    if (!request) return undefined;
    this.#abandoned.add(id);
    if (this.#abandoned.size > REMEMBERED) {
      const [oldest] = this.#abandoned;
      if (oldest !== undefined) this.#abandoned.delete(oldest);
    }
    return request;
  }

  /** True, once, for a request that was abandoned. */
  wasAbandoned(id: number): boolean {
    return this.#abandoned.delete(id);
  }

  /** Counts the limit of a request anew, within the longest that any may take. */
  extend(id: number): void {
    const entry = this.#entries.get(id);
    if (entry) entry.deadline = Math.min(this.#clock.now() + entry.request.timeoutMs, entry.latest);
  }

  /** Lets no limit run out while true; false counts all of them anew. */
  hold(held: boolean): void {
    this.#held = held;
    for (const id of this.#entries.keys()) this.extend(id);
  }

  /** Takes all out and stops the timer. */
  takeAll(): PendingRequest[] {
    this.#timer.stop();
    const all = this.#entries.takeAll();
    for (const { request } of all) request.abortLink?.dispose();
    return all.map(({ request }) => request);
  }

  #sweep(now: number): number {
    let next = Infinity;
    for (const id of this.#entries.keys()) {
      const entry = this.#entries.get(id);
      if (!entry) continue;
      if (this.#held && entry.deadline <= now) this.extend(id);
      if (entry.deadline > now) next = Math.min(next, entry.deadline);
      else this.#onExpired(id, entry.request, now >= entry.latest);
    }
    return next;
  }
}
