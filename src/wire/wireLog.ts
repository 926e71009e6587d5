import type { Disposable } from '../base/disposables.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Tap, TapFact } from '../base/tap.ts';
import { Capture } from './capture.ts';
import { Intake } from './intake.ts';
import { Redactor } from './redactor.ts';
import { Ring } from './ring.ts';
import type { WireEntry, WireFact } from './wireEntry.ts';

/** The bounds of a record. */
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

/** With somebody listening, facts wait this long to be kept together, off the path of the call that they tell of. */
const BATCH_MS = 50;
/** Without, they wait until nothing has happened for so long. */
const IDLE_MS = 300;
/** Facts that make one row, about. */
const FACTS_A_ROW = 2;

/**
 * The record of the wire, in memory. Its {@link tap} takes facts at the cost of a timestamp. They are redacted, capped and kept a
 * moment later, and before anybody reads; what would be dropped again by then is not even looked at.
 */
export class WireLog implements Disposable {
  readonly #redactor = new Redactor();
  readonly #capture: Capture;
  readonly #ring: Ring;
  readonly #clock = new PreciseClock();
  readonly #now: () => number;
  readonly #didAppend = new Emitter<WireBatch>();
  readonly #intake: Intake;
  #lastAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #seq = 0;
  #recording = true;
  #includeBodies = true;

  constructor(options: WireLogOptions = {}) {
    const cap = options.maxBodyBytes ?? 1_000_000;
    this.#now = options.now ?? this.#clock.now;
    const { maxRows = 5000, maxBytes = 20_000_000 } = options;
    this.#ring = new Ring(maxRows, maxBytes);
    this.#intake = new Intake(maxRows * FACTS_A_ROW, maxBytes);
    this.#capture = new Capture({
      redactor: this.#redactor,
      bodyCap: () => (this.#includeBodies ? cap : 0),
      serverOfTool: options.serverOfTool ?? (() => undefined),
    });
  }

  /** Where transports and model clients tell their facts. */
  readonly tap: Tap = (fact) => {
    if (!this.#recording) return;
    if (this.#timer === undefined) this.#wait();
    this.#lastAt = this.#now();
    if (this.#intake.add(fact, this.#lastAt)) this.#makeRoom();
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
    // What was just sent may hold a secret that is not known yet.
    this.flush();
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
    if (this.#intake.size === 0) return;
    const appended = this.#intake.take().map(({ fact, at }) => this.#keep(fact, at));
    if (this.#didAppend.hasListeners) this.#didAppend.fire({ appended, cleared: false });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#recording = false;
    this.#intake.clear();
    this.#didAppend.dispose();
  }

  #wait(): void {
    this.#clock.adjust();
    const wait = this.#didAppend.hasListeners ? BATCH_MS : IDLE_MS;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#didAppend.hasListeners && this.#now() - this.#lastAt < IDLE_MS) this.#wait();
      else this.flush();
    }, wait).unref();
  }

  /** More came than the record could hold. Whoever listens is told everything; else the older half is let go. */
  #makeRoom(): void {
    if (this.#didAppend.hasListeners) return this.flush();
    const { kept, dropped } = this.#intake.makeRoom();
    for (const { fact, at } of kept) this.#keep(fact, at);
    this.#seq += dropped;
    this.#ring.skip(dropped);
  }

  #keep(fact: TapFact, at: number): WireEntry {
    this.#seq += 1;
    const entry = this.#capture.entry(fact, this.#seq, at);
    this.#ring.add(entry);
    return entry;
  }
}

/** Milliseconds since 1970 with fractions. The precise clock stands still while a computer sleeps, so it is set anew now and then. */
class PreciseClock {
  #origin = performance.timeOrigin;

  readonly now = (): number => this.#origin + performance.now();

  /** Sets it by the computer's clock where the two are far apart. */
  adjust(): void {
    const behind = Date.now() - this.now();
    if (Math.abs(behind) > 1000) this.#origin += behind;
  }
}
