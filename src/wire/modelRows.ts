import { exchangeKey } from './httpRows.ts';
import type { RpcRows } from './rpcRows.ts';
import type { Draft, RowTable } from './rowTable.ts';
import type { EntryOf, RpcId } from './wireEntry.ts';

/** Characters of an answer that a row shows. */
const ANSWER_LENGTH = 300;

/** Rows of model requests, and which calls they asked for. */
export class ModelRows {
  readonly #table: RowTable;
  readonly #rpc: RpcRows;
  readonly #requests = new Map<string, Draft>();
  /** The model request that asked for a call, and the JSON-RPC request that carried it out. */
  readonly #askedBy = new Map<string, Draft>();
  readonly #carriedOutBy = new Map<string, Draft>();
  /** Calls that were told of before their request was sent. */
  readonly #early = new Map<string, EntryOf<'tool-call'>>();
  readonly #byExchange = new Map<number, Draft>();

  constructor(table: RowTable, rpc: RpcRows) {
    this.#table = table;
    this.#rpc = rpc;
  }

  request(entry: EntryOf<'model-request'>): void {
    const { turn, step, model, sizes } = entry;
    const row = this.#table.add(entry, {
      key: `m${entry.seq}`,
      kind: 'model',
      direction: 'both',
      what: `${sizes.messages} messages, ${sizes.tools.length} tools`,
      state: 'pending',
      up: entry.bytes,
      ...{ turn, step, model, sizes },
      ...(entry.prompt === undefined ? {} : { prompt: entry.prompt }),
      ...(entry.logical ? { logical: true } : {}),
      ...(entry.maxInputTokens === undefined ? {} : { maxInputTokens: entry.maxInputTokens }),
    });
    this.#requests.set(stepKey(entry), row);
    const exchange = this.#table.get(exchangeKey(entry.exchange));
    this.#table.link(row, 'carrier', exchange, 'message');
    if (entry.exchange !== undefined) this.#byExchange.set(entry.exchange, row);
  }

  answer(entry: EntryOf<'model-answer'>): void {
    const row = this.#requests.get(stepKey(entry));
    if (!row) return;
    const exchange = this.#table.get(row.links.find(({ role }) => role === 'carrier')?.key);
    const calls = entry.toolCalls.map(({ name }) => name);
    this.#table.change(
      row,
      {
        state: entry.finish === 'interrupted' ? 'incomplete' : 'ok',
        status: entry.finish,
        end: entry.at,
        down: exchange?.down ?? entry.text.bytes,
        ...(entry.text.text === '' ? {} : { answer: entry.text.text.slice(0, ANSWER_LENGTH) }),
        ...(calls.length > 0 ? { calls } : {}),
        ...(entry.inputTokens === undefined ? {} : { inputTokens: entry.inputTokens }),
        ...(entry.outputTokens === undefined ? {} : { outputTokens: entry.outputTokens }),
      },
      entry.seq,
    );
    for (const { id } of entry.toolCalls) {
      this.#askedBy.set(id, row);
      this.#join(id);
    }
  }

  call(entry: EntryOf<'tool-call'>): void {
    const row = this.#rpc.find(entry.connection, entry.requestId);
    if (!row || row.callId !== undefined) this.#early.set(callKey(entry.connection, entry.requestId), entry);
    else this.#carryOut(row, entry);
  }

  /** A request was sent: a call may have been told of before it. */
  requestSent(connection: string, id: RpcId): void {
    if (this.#early.size === 0) return;
    const key = callKey(connection, id);
    const entry = this.#early.get(key);
    const row = this.#rpc.find(connection, id);
    if (!entry || !row) return;
    this.#early.delete(key);
    this.#carryOut(row, entry);
  }

  /** A model request whose exchange failed gets no answer: it ends as the exchange did. */
  exchangeEnded(entry: EntryOf<'http-end'>): void {
    const row = this.#byExchange.get(entry.exchange);
    const exchange = this.#table.get(exchangeKey(entry.exchange));
    this.#byExchange.delete(entry.exchange);
    if (row?.state !== 'pending' || !exchange || exchange.state === 'ok') return;
    const { state, status, down } = exchange;
    this.#table.change(row, { state, status, down, end: entry.at }, entry.seq);
  }

  /** Lets go of rows that are gone. */
  prune(): void {
    for (const map of [this.#requests, this.#askedBy, this.#carriedOutBy])
      for (const [key, row] of map) if (!this.#table.get(row.key)) map.delete(key);
  }

  #carryOut(row: Draft, entry: EntryOf<'tool-call'>): void {
    this.#table.change(row, { callId: entry.callId, tool: entry.tool }, entry.seq);
    this.#carriedOutBy.set(entry.callId, row);
    this.#join(entry.callId);
  }

  #join(callId: string): void {
    this.#table.link(this.#carriedOutBy.get(callId), 'asked-by', this.#askedBy.get(callId), 'call');
  }
}

/** A turn's id is unique; who tells of the request and who of the answer may be two. */
/** A request may be told of by the model and its answer by the agent, so their connections differ; turns are unique. */
function stepKey({ turn, step }: EntryOf<'model-request' | 'model-answer'>): string {
  return `${turn}\n${step}`;
}

function callKey(connection: string, id: RpcId): string {
  return `${connection}\n${JSON.stringify(id)}`;
}
