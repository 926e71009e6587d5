import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../base/caught.ts';
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { isRecord } from '../base/json.ts';
import { SharedWork } from '../base/sharedWork.ts';
import type { RequestOptions } from './client.ts';
import { TransportError } from './errors.ts';
import { listAllTools } from './listTools.ts';
import type { Cursor } from './readResult.ts';
import type { Tool } from './schema.ts';
import type { Note } from './transport.ts';

/** Notices of change within this many milliseconds of each other cause one new listing. */
const QUIET_MS = 100;
/** The longest that a new listing waits for a burst of notices to end, in milliseconds. */
const LONGEST_WAIT_MS = 1000;
/** After a listing that brought nothing new, the next one by itself waits this many milliseconds, then twice as long … */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Where the list comes from, and who is told of it. */
export interface ToolListOptions {
  readonly server: string;
  readonly note: Note;
  readonly clock: Clock;
  /** False when the server does not offer tools; then it is not asked. */
  isOffered(): boolean;
  fetchPage(params: { readonly cursor?: Cursor }, options: RequestOptions): Promise<unknown>;
  /** Whether a list that was fetched so many milliseconds ago may still be given; absent: until the server gives notice. */
  isFresh?(ageMs: number): boolean;
}

interface Listing {
  readonly work: SharedWork<Tool[]>;
  /** The count of notices when it began. */
  readonly notices: number;
}

/**
 * The list of a server's tools: all pages, kept until the server says that it changed. After such a notice the list is
 * fetched anew by itself, once for a burst, and `onDidChange` tells when the new one is there. A server that gives notice at
 * every listing, with nothing changed, is asked ever more seldom.
 */
export class ToolList {
  readonly #options: ToolListOptions;
  readonly #onDidChange = new Emitter<void>();
  #notices = 0;
  #known: { readonly tools: readonly Tool[]; readonly notices: number; readonly at: number } | undefined;
  #running: Listing | undefined;
  #cancelTimer: (() => void) | undefined;
  #burstSince: number | undefined;
  #pauseMs = 0;
  #lastListing = -Infinity;
  #closed = false;

  readonly onDidChange = this.#onDidChange.event;

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  /** The current list; asks the server only when there is none or it is known to be old. */
  async get(options: RequestOptions = {}): Promise<Tool[]> {
    const known = this.#known;
    if (known?.notices === this.#notices && this.#isFresh(known.at)) return [...known.tools];
    const { server } = this.#options;
    const { signal } = options;
    const cancelled = (): Error =>
      new TransportError('cancelled', `${server}: tools/list was cancelled`, { cause: signal?.reason });
    return [...(await this.#listing(options).work.join(signal, cancelled))];
  }

  /** Asks the server whatever is known. */
  async reload(options: RequestOptions = {}): Promise<Tool[]> {
    const before = this.#known?.tools;
    this.#notices++;
    const tools = await this.get(options);
    if (before && !isDeepStrictEqual(before, tools)) this.#tell();
    return tools;
  }

  /** The server says that its list changed. */
  invalidate(): void {
    this.#notices++;
    this.#burstSince ??= this.#options.clock.now();
    if (this.#closed) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.after(this.#waitMs(), () => void this.#refresh());
  }

  /** There is a new session: what was listed in the old one is worth nothing. Fetches anew at once, if anybody ever asked. */
  renew(): void {
    this.#notices++;
    this.#pauseMs = 0;
    this.#cancelTimer?.();
    if (!this.#closed) void this.#refresh();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#onDidChange.dispose();
  }

  #isFresh(at: number): boolean {
    return this.#options.isFresh?.(this.#options.clock.now() - at) ?? true;
  }

  #waitMs(): number {
    const now = this.#options.clock.now();
    const burst = Math.min(QUIET_MS, (this.#burstSince ?? now) + LONGEST_WAIT_MS - now);
    return Math.max(burst, this.#lastListing + this.#pauseMs - now, 0);
  }

  /** Also after a failure the change is told: the next who asks learns what is the matter. */
  async #refresh(): Promise<void> {
    this.#cancelTimer = undefined;
    this.#burstSince = undefined;
    try {
      if (this.#known || this.#running) await this.get();
    } catch (error) {
      const text = messageOf(error);
      this.#options.note('info', `listing the tools anew failed: ${text}`);
    }
    this.#tell();
  }

  #tell(): void {
    try {
      if (!this.#closed) this.#onDidChange.fire();
    } catch (error) {
      this.#options.note('error', `a listener failed: ${messageOf(error)}`);
    }
  }

  /** One listing serves all who ask after the same notice. */
  #listing(options: RequestOptions): Listing {
    const running = this.#running;
    if (running && running.notices === this.#notices && !running.work.isAborted) return running;
    const notices = this.#notices;
    this.#lastListing = this.#options.clock.now();
    const listing = { notices, work: new SharedWork((signal) => this.#list(notices, signal, options.timeoutMs)) };
    this.#running = listing;
    return listing;
  }

  async #list(notices: number, signal: AbortSignal, timeoutMs: number | undefined): Promise<Tool[]> {
    try {
      const tools = this.#options.isOffered() ? await this.#walk(signal, timeoutMs) : [];
      return this.#keep(tools, notices);
    } finally {
      if (!signal.aborted && this.#running?.notices === notices) this.#running = undefined;
    }
  }

  #walk(signal: AbortSignal, timeoutMs: number | undefined): Promise<Tool[]> {
    const { server, note } = this.#options;
    return listAllTools({
      server,
      fetchPage: (params) => this.#options.fetchPage(params, { signal, timeoutMs }),
      warn: (text) => note('warning', text),
    });
  }

  /** A slow old listing never replaces a newer one. */
  #keep(tools: Tool[], notices: number): Tool[] {
    const known = this.#known;
    if (known && known.notices > notices) return [...known.tools];
    this.#known = { tools, notices, at: this.#options.clock.now() };
    if (!known) return tools;
    const unchanged = isDeepStrictEqual(known.tools, tools);
    if (known.notices !== notices) this.#pace(unchanged);
    else if (!unchanged && this.#isFresh(this.#known.at)) this.#tell();
    return tools;
  }

  #pace(unchanged: boolean): void {
    if (!unchanged) {
      this.#pauseMs = 0;
      return;
    }
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    if (this.#pauseMs !== FIRST_PAUSE_MS * 4) return;
    const text = 'the server keeps saying that its tools changed, and they did not; they are listed less often';
    this.#options.note('info', text);
  }
}

/** Whether to ask for tools: when they are declared, or when nothing at all is, as careless servers do. */
export function offersTools(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { tools } = capabilities;
  return isRecord(tools) || tools === true || Object.keys(capabilities).length === 0;
}
