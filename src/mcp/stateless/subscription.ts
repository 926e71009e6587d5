import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { RpcError, TransportError } from '../errors.ts';
import type { Note } from '../transport.ts';

/** Milliseconds before the first new attempt after a stream that ended, then twice as long … */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A stream that held so long, in milliseconds, has worked. */
const WORKED_MS = 10_000;
/** So many streams in a row that end before they are acknowledged mean that the server has none. */
const MOST_SILENT = 4;

/** How the stream of notices is asked for, and who is told what comes. */
export interface SubscriptionOptions {
  readonly clock: Clock;
  readonly note: Note;
  /** The request, which lasts as long as the stream; `onId` is told its id. Ended by `signal`. */
  listen(filter: JsonObject, onId: (id: number) => void, signal: AbortSignal): Promise<unknown>;
  /** It is acknowledged anew: anything may have changed since the last stream ended. */
  onGap(): void;
}

interface Running {
  readonly controller: AbortController;
  readonly since: number;
  id?: number;
}

/**
 * `subscriptions/listen` (2026-07-28, "Subscriptions"): one stream in the background that tells of changes, opened again
 * whenever it ends, less and less often. A server that will not have it is not asked again, and nothing else comes of it.
 */
export class Subscription {
  readonly #options: SubscriptionOptions;
  #filter: JsonObject = {};
  #running: Running | undefined;
  #covered: JsonObject = {};
  #cancelTimer: (() => void) | undefined;
  #failures = 0;
  #silent = 0;
  #hadGap = false;
  #over = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Listens to what `filter` names from now on; to nothing when it is empty. */
  update(filter: JsonObject): void {
    this.#filter = filter;
    if (this.#over) return;
    this.#end();
    this.#open();
  }

  /** Whether the server has agreed to tell of this. */
  covers(member: string): boolean {
    return this.#running !== undefined && this.#covered[member] === true;
  }

  /** The server has agreed to tell of these. */
  onAcknowledged(params: unknown): void {
    const agreed = isRecord(params) ? params['notifications'] : undefined;
    this.#covered = isRecord(agreed) ? agreed : {};
    this.#silent = 0;
    if (!this.#hadGap) return;
    this.#hadGap = false;
    this.#options.onGap();
  }

  /** The server has cancelled a request of ours: it ends a stream in this way, too. */
  onCancelled(params: unknown): void {
    const running = this.#running;
    if (!running || !isRecord(params) || params['requestId'] !== running.id) return;
    running.controller.abort();
    this.#onOver(running, undefined);
  }

  /** Ends it for good. */
  stop(): void {
    this.#over = true;
    this.#end();
  }

  #end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const running = this.#running;
    this.#running = undefined;
    this.#covered = {};
    running?.controller.abort();
  }

  #open(): void {
    this.#cancelTimer = undefined;
    if (Object.keys(this.#filter).length === 0) return;
    const { clock } = this.#options;
    const running: Running = { controller: new AbortController(), since: clock.now() };
    this.#running = running;
    const onId = (id: number): void => {
      running.id = id;
    };
    this.#options.listen(this.#filter, onId, running.controller.signal).then(
      () => this.#onOver(running, undefined),
      (error: unknown) => this.#onOver(running, error),
    );
  }

  #onOver(running: Running, error: unknown): void {
    if (this.#running !== running) return;
    const wasAcknowledged = Object.keys(this.#covered).length > 0;
    this.#running = undefined;
    this.#covered = {};
    if (this.#isRefused(error, wasAcknowledged)) return;
    this.#hadGap = true;
    const worked = wasAcknowledged && this.#options.clock.now() - running.since >= WORKED_MS;
    this.#failures = worked ? 0 : this.#failures + 1;
    const grown = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, this.#failures - 1), LONGEST_PAUSE_MS);
    this.#cancelTimer = this.#options.clock.after(grown * (0.8 + Math.random() * 0.4), () => this.#open());
  }

  /** A refusal is final; so are streams that end again and again before anything was agreed on. */
  #isRefused(error: unknown, wasAcknowledged: boolean): boolean {
    if (!wasAcknowledged && !isUnreachable(error)) this.#silent++;
    const refused = isRefusal(error) && !wasAcknowledged;
    if (!refused && this.#silent < MOST_SILENT) return false;
    const why = error instanceof Error ? `: ${error.message}` : '';
    this.#options.note('info', `the server does not tell of changes, which is allowed${why}`);
    return true;
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof TransportError && error.code === 'unreachable';
}

function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return true;
  if (!(error instanceof TransportError)) return false;
  const { code, status = 0 } = error;
  if (code === 'unauthorized' || code === 'forbidden') return true;
  return code === 'http-status' && status < 500 && status !== 408 && status !== 409 && status !== 429;
}
