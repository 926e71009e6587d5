import { matchesFilter, parseFilter, type FilterTerm } from '../../src/wire/filter.ts';
import type { SessionInfo, Toggle } from '../../src/wire/inspectorProtocol.ts';
import { isFault, type Row } from '../../src/wire/row.ts';
import { turnsOf } from '../../src/wire/sequence.ts';

/** Beyond so many changes at once everything is filtered anew. */
const BULK = 500;

/** What of the store has changed. */
export interface StoreChange {
  /** What is shown changed: rows came, went or passed the filter. */
  readonly rows: boolean;
  readonly selection: boolean;
  readonly session: boolean;
}

/** What the page knows: all rows, those that pass the filter, and the one that is selected. */
export class Store {
  readonly #all = new Map<string, Row>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #shown: Row[] = [];
  #terms: FilterTerm[] = [];
  #filter = '';
  #toggles: Partial<Record<Toggle, boolean>> = {};
  #turn = '';
  #selected: string | undefined;
  #turns = new Map<string, { readonly number: number; readonly title: string }>();
  #session: SessionInfo = { file: '', recording: true, bytes: 0, live: true };
  #start = Number.POSITIVE_INFINITY;

  onDidChange(listener: (change: StoreChange) => void): void {
    this.#listeners.add(listener);
  }

  /** The rows that pass the filter, in order. */
  get shown(): readonly Row[] {
    return this.#shown;
  }

  get total(): number {
    return this.#all.size;
  }

  get session(): SessionInfo {
    return this.#session;
  }

  get filter(): string {
    return this.#filter;
  }

  get turn(): string {
    return this.#turn;
  }

  get turns(): ReadonlyMap<string, { readonly number: number; readonly title: string }> {
    return this.#turns;
  }

  /** When the first row began. */
  get start(): number {
    return this.#start;
  }

  get selected(): Row | undefined {
    return this.row(this.#selected);
  }

  row(key: string | undefined): Row | undefined {
    return key === undefined ? undefined : this.#all.get(key);
  }

  rows(): Row[] {
    return [...this.#all.values()].sort((a, b) => a.number - b.number);
  }

  toggle(name: Toggle): boolean {
    return this.#toggles[name] === true;
  }

  get toggles(): Partial<Record<Toggle, boolean>> {
    return this.#toggles;
  }

  setToggle(name: Toggle, on: boolean): void {
    this.#toggles = { ...this.#toggles, [name]: on };
    this.#refilter();
  }

  setToggles(toggles: Partial<Record<Toggle, boolean>>): void {
    this.#toggles = toggles;
    this.#refilter();
  }

  setFilter(filter: string): void {
    this.#filter = filter;
    this.#terms = parseFilter(filter);
    this.#refilter();
  }

  setTurn(turn: string): void {
    this.#turn = turn;
    this.#refilter();
  }

  setSession(session: SessionInfo): void {
    this.#session = session;
    this.#tell({ rows: false, selection: false, session: true });
  }

  select(key: string | undefined): void {
    if (key === this.#selected) return;
    this.#selected = key;
    this.#tell({ rows: false, selection: true, session: false });
  }

  clear(): void {
    this.#all.clear();
    this.#turns.clear();
    this.#selected = undefined;
    this.#start = Number.POSITIVE_INFINITY;
    this.#refilter();
  }

  change(changed: readonly Row[], removed: readonly string[]): void {
    const bulk = changed.length + removed.length > BULK || this.#shown.length === 0;
    for (const key of removed) this.#remove(key, bulk);
    for (const row of changed) {
      this.#all.set(row.key, row);
      this.#start = Math.min(this.#start, row.at);
    }
    if (changed.some((row) => row.kind === 'model' && row.turn !== undefined && !this.#turns.has(row.turn)))
      this.#turns = turnsOf(this.rows());
    if (bulk || this.#isLatestTurnOnly()) return this.#refilter();
    for (const row of changed) this.#place(row);
    this.#tell({ rows: true, selection: true, session: false });
  }

  #isLatestTurnOnly(): boolean {
    return this.toggle('latest-turn');
  }

  #remove(key: string, bulk: boolean): void {
    const row = this.#all.get(key);
    if (!row) return;
    this.#all.delete(key);
    if (bulk) return;
    const at = this.#indexOf(row.number);
    if (this.#shown[at]?.key === key) this.#shown.splice(at, 1);
  }

  /** Puts a new or changed row where it belongs among those that are shown. */
  #place(row: Row): void {
    const at = this.#indexOf(row.number);
    const isThere = this.#shown[at]?.number === row.number;
    if (this.#isShown(row)) this.#shown.splice(at, isThere ? 1 : 0, row);
    else if (isThere) this.#shown.splice(at, 1);
  }

  /** Where the row of that number is, or would be. */
  #indexOf(number: number): number {
    let low = 0;
    let high = this.#shown.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#shown[middle]?.number ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The place of a row among those that are shown, or −1. */
  shownIndex(row: Row | undefined): number {
    if (!row) return -1;
    const at = this.#indexOf(row.number);
    return this.#shown[at]?.number === row.number ? at : -1;
  }

  #refilter(): void {
    this.#shown = this.rows().filter((row) => this.#isShown(row));
    this.#tell({ rows: true, selection: true, session: false });
  }

  #isShown(row: Row): boolean {
    if (isPlainFrame(row) && !this.toggle('frames') && !this.#asksForFrames()) return false;
    if (this.toggle('faults') && !isFault(row)) return false;
    if (this.toggle('hide-ping') && row.method === 'ping') return false;
    if (this.#turn !== '' && row.turn !== this.#turn) return false;
    if (this.toggle('latest-turn') && row.turn !== [...this.#turns.keys()].at(-1)) return false;
    return (
      this.#terms.length === 0 ||
      matchesFilter(row, this.#terms, { now: Date.now(), turnNumber: (turn) => this.#turns.get(turn)?.number })
    );
  }

  /** A filter for events shows them without the toggle. */
  #asksForFrames(): boolean {
    return this.#terms.some(({ key, values, exclude }) => key === 'kind' && !exclude && values.includes('sse'));
  }

  #tell(change: StoreChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** An event that says nothing that another row does not say: it carries a message or a piece of an answer. */
function isPlainFrame(row: Row): boolean {
  return row.kind === 'sse' && row.state === 'info' && row.what !== 'endpoint';
}
