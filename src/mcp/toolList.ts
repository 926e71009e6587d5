import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { isRecord } from '../base/json.ts';
import { RpcError } from './errors.ts';
import { readToolPage } from './readResult.ts';
import type { Tool } from './schema.ts';
import type { Note } from './transport.ts';

/** Notices of change within this many milliseconds of each other cause one new listing. */
const QUIET_MS = 100;
/** The longest that a new listing waits for a burst of notices to end. */
const LONGEST_WAIT_MS = 1000;
/** After a listing that brought nothing new, the next one by itself waits this long, then twice as long … */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A walk over more pages than this ends with a warning. */
const MOST_PAGES = 10_000;

export interface ToolListOptions {
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  /** False when the server does not declare tools; then it is not asked. */
  readonly offered: () => boolean;
  fetchPage(params: { cursor?: string }, signal: AbortSignal | undefined): Promise<unknown>;
}

/**
 * The list of a server's tools: all pages, kept until the server says that it changed. After such a notice the list is
 * fetched anew by itself, once for a burst, and `onDidChange` tells when the new one is there. A server that gives notice of
 * every listing, with nothing changed, is asked ever more seldom.
 */
export class ToolList {
  readonly #options: ToolListOptions;
  readonly #onDidChange = new Emitter<void>();
  /** Grows with each notice; a listing belongs to the notice count that it started with. */
  #notices = 0;
  #known: { readonly tools: Tool[]; readonly notices: number } | undefined;
  #running: { readonly promise: Promise<Tool[]>; readonly notices: number } | undefined;
  #cancelTimer: (() => void) | undefined;
  #burstSince: number | undefined;
  #pauseMs = 0;
  #lastFetch = -Infinity;
  #closed = false;

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  /** The current list; asks the server only when there is none or it is known to be old. */
  get(signal: AbortSignal | undefined): Promise<Tool[]> {
    if (this.#known?.notices === this.#notices) return Promise.resolve([...this.#known.tools]);
    if (this.#running?.notices === this.#notices) return this.#running.promise.then((tools) => [...tools]);
    return this.#fetch(signal).then((tools) => [...tools]);
  }

  /** The server says that its list changed. */
  invalidate(): void {
    this.#notices++;
    this.#burstSince ??= this.#options.clock.now();
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#onDidChange.dispose();
  }

  #schedule(): void {
    if (this.#closed) return;
    const now = this.#options.clock.now();
    const burstEnd = Math.min(QUIET_MS, (this.#burstSince ?? now) + LONGEST_WAIT_MS - now);
    const wait = Math.max(burstEnd, this.#lastFetch + this.#pauseMs - now, 0);
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(wait, () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    this.#cancelTimer = undefined;
    this.#burstSince = undefined;
    try {
      if (this.#known || this.#running) await this.get(undefined);
    } catch (error) {
      this.#options.note(
        'info',
        `listing the tools anew failed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (!this.#closed) this.#onDidChange.fire();
  }

  #fetch(signal: AbortSignal | undefined): Promise<Tool[]> {
    const notices = this.#notices;
    this.#lastFetch = this.#options.clock.now();
    const running = { promise: this.#walkAndKeep(notices, signal), notices };
    this.#running = running;
    const done = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    running.promise.then(done, done);
    return running.promise;
  }

  async #walkAndKeep(notices: number, signal: AbortSignal | undefined): Promise<Tool[]> {
    const tools = this.#options.offered() ? await this.#walk(signal) : [];
    const known = this.#known;
    if (known && known.notices > notices) return known.tools;
    this.#pace(known?.tools, tools);
    this.#known = { tools, notices };
    return tools;
  }

  #pace(before: Tool[] | undefined, now: Tool[]): void {
    if (before === undefined || !isDeepStrictEqual(before, now)) {
      this.#pauseMs = 0;
      return;
    }
    if (this.#pauseMs === FIRST_PAUSE_MS * 4) {
      this.#options.note(
        'info',
        'the server keeps saying that its tools changed though they did not; it is asked less often',
      );
    }
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
  }

  async #walk(signal: AbortSignal | undefined): Promise<Tool[]> {
    const tools = new Map<string, Tool>();
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await this.#page(cursor, signal);
      if (page === undefined) return [...tools.values()];
      for (const tool of page.tools) if (!tools.has(tool.name)) tools.set(tool.name, tool);
      for (const skipped of page.skipped) this.#warn(`an entry of tools/list is no tool and was left out: ${skipped}`);
      cursor = page.nextCursor;
      if (cursor === undefined) return [...tools.values()];
      if (cursors.has(cursor)) {
        this.#warn(
          `tools/list repeats the page cursor ${JSON.stringify(cursor)}; the ${tools.size} tools listed so far are kept`,
        );
        return [...tools.values()];
      }
      cursors.add(cursor);
    }
    this.#warn(`tools/list has more than ${MOST_PAGES} pages; the ${tools.size} tools listed so far are kept`);
    return [...tools.values()];
  }

  /** Undefined where the server knows no `tools/list`: it has no tools. */
  async #page(cursor: string | undefined, signal: AbortSignal | undefined) {
    try {
      const result = await this.#options.fetchPage(cursor === undefined ? {} : { cursor }, signal);
      return readToolPage(result, this.#options.server);
    } catch (error) {
      if (error instanceof RpcError && error.code === -32601 && cursor === undefined) return undefined;
      throw error;
    }
  }

  #warn(text: string): void {
    this.#options.note('warning', text);
  }
}

/** Whether to ask for tools: when they are declared, or when nothing at all is, which careless servers do. */
export function offersTools(capabilities: Readonly<Record<string, unknown>>): boolean {
  return isRecord(capabilities['tools']) || Object.keys(capabilities).length === 0;
}
