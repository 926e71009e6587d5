import type { Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Tap, TapFact } from '../base/tap.ts';
import { Capture } from './capture.ts';
import { Redactor } from './redactor.ts';
import { Ring } from './ring.ts';
import type { WireEntry, WireFact } from './wireEntry.ts';

export interface WireLogOptions {
  /** Rows that are kept; default 5,000. */
  readonly maxRows?: number;
  /** Bytes that are kept; default 20 MB. */
  readonly maxBytes?: number;
  /** Characters that are kept of one body; default 1 MB. */
  readonly maxBodyBytes?: number;
  /** Names the server of an offered tool, for the sizes of model requests. */
  readonly serverOfTool?: (tool: string) => string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What was recorded since the last batch. `cleared`: forget everything before it. */
export interface WireBatch {
  readonly appended: readonly WireEntry[];
  readonly cleared: boolean;
}

/** Facts wait this long to be redacted and kept together, off the path of the call that they tell of. */
const BATCH_MS = 50;
const PENDING_FACTS = 2000;
const PENDING_CHARACTERS = 2_000_000;

/**
 * The record of the wire, in memory. Its {@link tap} takes facts at the cost of a timestamp; a moment later they are redacted,
 * capped and kept, and only then can anybody see them.
 */
export class WireLog implements Disposable {
  readonly #redactor = new Redactor();
  readonly #capture: Capture;
  readonly #ring: Ring;
  readonly #now: () => number;
  readonly #didAppend = new Emitter<WireBatch>();
  #pending: { fact: TapFact; at: number }[] = [];
  #pendingCharacters = 0;
  #timer: NodeJS.Timeout | undefined;
  #seq = 0;
  #recording = true;
  #includeBodies = true;

  constructor(options: WireLogOptions = {}) {
    const cap = options.maxBodyBytes ?? 1_000_000;
    this.#now = options.now ?? preciseClock();
    this.#ring = new Ring(options.maxRows ?? 5000, options.maxBytes ?? 20_000_000);
    this.#capture = new Capture({
      redactor: this.#redactor,
      bodyCap: () => (this.#includeBodies ? cap : 0),
      serverOfTool: options.serverOfTool ?? (() => undefined),
    });
  }

  /** Where transports and model clients tell their facts. */
  readonly tap: Tap = (fact) => {
    if (!this.#recording) return;
    this.#pending.push({ fact, at: this.#now() });
    this.#pendingCharacters += charactersOf(fact);
    if (this.#pending.length >= PENDING_FACTS || this.#pendingCharacters >= PENDING_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  };

  /** New entries, some at a time. */
  get onDidAppend(): Event<WireBatch> {
    return this.#didAppend.event;
  }

  /** Registers a value that must not be kept anywhere, from now on: a key, a password, the answer to an input. */
  addSecret(value: string): void {
    this.#redactor.addSecret(value);
  }

  /** Hides secrets in a text by the same rules as in the record, for logs and errors. */
  redact(text: string): string {
    return this.#redactor.message(text);
  }

  get recording(): boolean {
    return this.#recording;
  }

  /** While false, facts are let pass unrecorded. */
  set recording(value: boolean) {
    this.flush();
    this.#recording = value;
  }

  /** False keeps the sizes of bodies only. */
  set includeBodies(value: boolean) {
    this.flush();
    this.#includeBodies = value;
  }

  /** Bytes that the record holds, roughly. */
  get bytes(): number {
    return this.#ring.bytes;
  }

  /** How many entries were dropped because there was no room. */
  get dropped(): number {
    return this.#ring.dropped;
  }

  /** Everything that is kept, oldest first. */
  entries(): readonly WireEntry[] {
    this.flush();
    return this.#ring.entries();
  }

  /** The entry of that number, while it is kept. */
  entry(seq: number): WireEntry | undefined {
    return this.#ring.get(seq);
  }

  /** Adds what a person noted about a row. */
  annotate(annotation: Extract<WireFact, { kind: 'annotation' }>): void {
    this.flush();
    this.#seq += 1;
    const { note, ...rest } = annotation;
    const text = note === undefined ? {} : { note: this.#redactor.message(note) };
    const entry = {
      seq: this.#seq,
      at: this.#now(),
      connection: '',
      server: '',
      peer: 'mcp',
      ...rest,
      ...text,
    } as const;
    this.#ring.add(entry);
    this.#didAppend.fire({ appended: [entry], cleared: false });
  }

  clear(): void {
    this.flush();
    this.#ring.clear();
    this.#didAppend.fire({ appended: [], cleared: true });
  }

  /** Keeps the facts that wait, now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingCharacters = 0;
    const appended = pending.map(({ fact, at }) => this.#keep(fact, at));
    if (this.#didAppend.hasListeners) this.#didAppend.fire({ appended, cleared: false });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#recording = false;
    this.#pending = [];
    this.#didAppend.dispose();
  }

  #keep(fact: TapFact, at: number): WireEntry {
    this.#seq += 1;
    const entry = this.#capture.entry(fact, this.#seq, at);
    this.#ring.add(entry);
    return entry;
  }
}

/** Milliseconds since 1970 with fractions. The precise clock stands still while a computer sleeps, so it is set anew when it lags. */
function preciseClock(): () => number {
  let origin = performance.timeOrigin;
  return () => {
    const now = origin + performance.now();
    const wall = Date.now();
    if (Math.abs(wall - now) < 1000) return now;
    origin += wall - now;
    return wall;
  };
}

function charactersOf(fact: TapFact): number {
  if (fact.kind === 'sse-event') return fact.data.length;
  if (fact.kind === 'http-request') return fact.body?.length ?? 0;
  return 'text' in fact ? fact.text.length : 0;
}
