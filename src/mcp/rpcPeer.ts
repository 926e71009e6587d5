import { onAbort } from '../base/abort.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposables.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { SweepTimer } from '../base/sweepTimer.ts';
import { ProtocolError, TransportError } from './errors.ts';
import { InboundRequests, type RequestAnswer } from './inboundRequests.ts';
import { notificationMessage, numericId, readIncoming, readRpcError, requestMessage } from './jsonrpc.ts';
import type { RequestIds } from './requestIds.ts';
import type { Progress } from './schema.ts';
import type { Note, Transport } from './transport.ts';

/** No answer may take longer than this many milliseconds, whatever progress is told. */
const LONGEST_REQUEST_MS = 30 * 60 * 1000;
/** So many requests that were given up are remembered, to tell a late answer from a foreign one. */
const REMEMBERED_ABANDONED = 1000;

export interface PeerOptions {
  /** The configured name of the server, which every error text begins with. */
  readonly server: string;
  readonly note: Note;
  readonly ids: RequestIds;
  /** How long an answer may take, in milliseconds, counted anew at each progress. */
  readonly timeoutMs: number;
  readonly answers?: ReadonlyMap<string, RequestAnswer>;
  /** Whether a request that is given up is told to the server by `notifications/cancelled`. */
  readonly cancelByNotice?: boolean;
  readonly clock?: Clock;
  onNotification(method: string, params: unknown): void;
  /** The server has forgotten the session; what was pending has been rejected. */
  onSessionLost?(error: Error): void;
  /** Told once, when the wire ends by itself. */
  onClose(error: Error): void;
}

export interface PeerRequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Sends a progress token, so that progress extends the limit and reaches `onProgress`. */
  readonly progressToken?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly onRequestId?: (id: number) => void;
}

interface Pending {
  readonly method: string;
  readonly timeoutMs: number;
  readonly latest: number;
  deadline: number;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
  abortLink: Disposable | undefined;
}

/**
 * JSON-RPC over one transport: numbers our requests and matches the answers, serves the server's requests, keeps the time
 * limits with one timer. Knows no MCP method but the two notices that belong to this work: progress and cancelled.
 */
export class RpcPeer {
  readonly #transport: Transport;
  readonly #options: PeerOptions;
  readonly #clock: Clock;
  readonly #timer: SweepTimer;
  readonly #inbound: InboundRequests;
  readonly #pending = new Map<number, Pending>();
  readonly #abandoned = new Set<number>();
  readonly #notedQuirks = new Set<string>();
  #unknownId: string | undefined;
  #held = false;
  #closed: Error | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#timer = new SweepTimer(this.#clock, (now) => this.#sweep(now));
    this.#inbound = new InboundRequests(options.answers ?? new Map(), (message) => {
      transport
        .send(message)
        .catch((error: unknown) => this.#note('info', `an answer could not be sent: ${text(error)}`));
    });
  }

  /** Opens the transport. Rejects as the transport does. */
  start(): Promise<void> {
    return this.#transport.start({
      onMessage: (message) => this.#onMessage(message),
      onClose: (error) => this.#onClose(error),
      onSessionLost: (error) => this.#onSessionLost(error),
      onHold: (held) => this.#hold(held),
    });
  }

  /**
   * Sends a request and resolves with its result. Rejects with an RpcError (the server refused), a TransportError (the wire,
   * a time limit, `signal`) or a ProtocolError (no proper answer).
   */
  request(method: string, params: unknown, options: PeerRequestOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(this.#closedError());
    if (options.signal?.aborted) return Promise.reject(this.#cancelledError(method, options.signal, false));
    return new Promise((resolve, reject) => this.#send(method, params, options, resolve, reject));
  }

  /** Sends a notification; resolves when it was accepted. */
  async notify(method: string, params?: unknown): Promise<void> {
    if (this.#closed) throw this.#closedError();
    await this.#transport.send(notificationMessage(method, params));
  }

  /** Rejects what is pending and closes the transport. */
  async close(): Promise<void> {
    if (!this.#closed) this.#end(this.#failure('closed', 'the connection was closed by this side'));
    await this.#transport.close();
  }

  #send(
    method: string,
    params: unknown,
    options: PeerRequestOptions,
    resolve: (result: unknown) => void,
    reject: (error: Error) => void,
  ): void {
    const { signal, onProgress } = options;
    const id = this.#options.ids.next();
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs;
    const now = this.#clock.now();
    const latest = now + Math.max(LONGEST_REQUEST_MS, timeoutMs);
    const deadline = now + timeoutMs;
    const pending: Pending = { method, timeoutMs, latest, deadline, onProgress, resolve, reject, abortLink: undefined };
    this.#pending.set(id, pending);
    this.#timer.expect(deadline);
    options.onRequestId?.(id);
    const token = options.progressToken === true || onProgress !== undefined;
    this.#transport
      .send(requestMessage(id, method, token ? withToken(params, id) : params))
      .then(undefined, (error) => {
        this.#settle(id)?.reject(error instanceof Error ? error : this.#failure('closed', text(error)));
      });
    if (signal) pending.abortLink = onAbort(signal, () => this.#cancel(id, signal));
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    pending.abortLink?.dispose();
    return pending;
  }

  #onMessage(message: unknown): void {
    if (this.#closed) return;
    if (!Array.isArray(message)) return this.#onSingle(message);
    if (message.length === 0) this.#note('debug', 'an empty batch was dropped');
    for (const single of message) this.#onSingle(single);
  }

  #onSingle(message: unknown): void {
    const incoming = readIncoming(message);
    switch (incoming.kind) {
      case 'response':
        return this.#onAnswer(incoming.id, incoming.message);
      case 'request':
        return this.#inbound.serve(incoming.id, incoming.method, incoming.params);
      case 'notification':
        return this.#onNotification(incoming.method, incoming.params);
      case 'other':
        return this.#note('debug', 'JSON that is no JSON-RPC message was dropped');
    }
  }

  #onAnswer(id: unknown, message: JsonObject): void {
    const number = numericId(id);
    const pending = number === undefined ? undefined : this.#settle(number);
    if (!pending) return this.#onUnknownAnswer(id, number);
    if (typeof id === 'string') this.#noteOnce('info', 'the server answers number ids as strings');
    const { error, result } = message;
    if (error !== undefined && error !== null) pending.reject(readRpcError(error));
    else if (result !== undefined) pending.resolve(result);
    else pending.reject(this.#protocolError(`the answer to ${pending.method} has neither a result nor an error`));
  }

  #onUnknownAnswer(id: unknown, number: number | undefined): void {
    if (number !== undefined && this.#abandoned.delete(number)) {
      return this.#note('debug', `the answer to request ${number} came after it was given up`);
    }
    this.#unknownId = JSON.stringify(id) ?? 'none';
    this.#note('debug', `an answer with the unknown id ${this.#unknownId} was dropped`);
    this.#noteOnce(
      'info',
      'the server sends answers to requests that were never made here; ids are scattered from now on',
    );
    this.#options.ids.scatter();
  }

  #onNotification(method: string, params: unknown): void {
    if (method === 'notifications/progress') return this.#onProgress(params);
    if (method === 'notifications/cancelled') {
      if (isRecord(params)) this.#inbound.cancel(params['requestId'], params['reason']);
      return;
    }
    this.#guard(() => this.#options.onNotification(method, params));
  }

  #onProgress(params: unknown): void {
    if (!isRecord(params)) return;
    const pending = this.#pending.get(numericId(params['progressToken']) ?? NaN);
    if (!pending) return this.#note('debug', 'progress of no running request was dropped');
    pending.deadline = Math.min(this.#clock.now() + pending.timeoutMs, pending.latest);
    const { progress, total, message } = params;
    this.#guard(() =>
      pending.onProgress?.({
        progress: typeof progress === 'number' ? progress : 0,
        ...(typeof total === 'number' && { total }),
        ...(typeof message === 'string' && { message }),
      }),
    );
  }

  /** A listener's fault must not reach the wire. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#note('error', `a listener failed: ${text(error)}`);
    }
  }

  #sweep(now: number): number {
    let next = Infinity;
    for (const [id, pending] of this.#pending) {
      if (pending.deadline > now) next = Math.min(next, pending.deadline);
      else if (this.#held) next = Math.min(next, (pending.deadline = now + pending.timeoutMs));
      else this.#expire(id, pending, now);
    }
    return next;
  }

  #hold(held: boolean): void {
    this.#held = held;
    const now = this.#clock.now();
    for (const pending of this.#pending.values()) pending.deadline = now + pending.timeoutMs;
  }

  #expire(id: number, pending: Pending, now: number): void {
    const capped = now >= pending.latest;
    const seconds = Math.round(capped ? LONGEST_REQUEST_MS / 1000 : pending.timeoutMs / 100 / 10);
    const quirk = this.#unknownId === undefined ? '' : `; it answered with the unknown id ${this.#unknownId}`;
    const what = capped ? 'in all, in spite of its progress' : 'without a sign of progress';
    const limit = `${pending.method} was not answered within ${seconds} s ${pending.method === 'initialize' ? '' : what}`;
    this.#giveUp(id, this.#failure('timeout', `${limit.trimEnd()}${quirk}`, { mayHaveRun: true }), 'timeout');
  }

  #cancel(id: number, signal: AbortSignal): void {
    const pending = this.#pending.get(id);
    if (pending) this.#giveUp(id, this.#cancelledError(pending.method, signal, true), 'cancelled by the user');
  }

  /** MCP "Cancellation": only requests in flight, never `initialize`; the id has the type that it was sent with. */
  #giveUp(id: number, error: TransportError, reason: string): void {
    const pending = this.#settle(id);
    if (!pending) return;
    this.#rememberAbandoned(id);
    if (this.#options.cancelByNotice !== false && pending.method !== 'initialize') {
      this.notify('notifications/cancelled', { requestId: id, reason }).catch((failure: unknown) =>
        this.#note('debug', `the cancellation of request ${id} could not be sent: ${text(failure)}`),
      );
    }
    this.#transport.abandon(id);
    pending.reject(error);
  }

  #rememberAbandoned(id: number): void {
    this.#abandoned.add(id);
    if (this.#abandoned.size <= REMEMBERED_ABANDONED) return;
    const [oldest] = this.#abandoned;
    if (oldest !== undefined) this.#abandoned.delete(oldest);
  }

  #onSessionLost(error: Error): void {
    if (this.#closed) return;
    this.#rejectAll(error);
    this.#inbound.close();
    this.#options.onSessionLost?.(error);
  }

  #onClose(error: Error): void {
    if (this.#closed) return;
    this.#end(error);
    this.#options.onClose(error);
  }

  #end(error: Error): void {
    this.#closed = error;
    this.#timer.stop();
    this.#inbound.close();
    this.#rejectAll(error);
  }

  #rejectAll(error: Error): void {
    const all = [...this.#pending.keys()];
    const code = error instanceof TransportError ? error.code : 'closed';
    for (const id of all) {
      const pending = this.#settle(id);
      const message = `${error.message}; ${pending?.method} was not answered and may have run`;
      pending?.reject(new TransportError(code, message, { mayHaveRun: true, cause: error }));
    }
  }

  #closedError(): TransportError {
    const cause = this.#closed;
    return this.#failure('closed', 'the connection is closed', { cause });
  }

  #cancelledError(method: string, signal: AbortSignal, sent: boolean): TransportError {
    return this.#failure('cancelled', `${method} was cancelled`, { mayHaveRun: sent, cause: signal.reason });
  }

  #failure(
    code: TransportError['code'],
    message: string,
    options: { mayHaveRun?: boolean; cause?: unknown } = {},
  ): TransportError {
    return new TransportError(code, `${this.#options.server}: ${message}`, options);
  }

  #protocolError(message: string): ProtocolError {
    return new ProtocolError('message', `${this.#options.server}: ${message}`);
  }

  #note(level: Parameters<Note>[0], message: string): void {
    this.#options.note(level, message);
  }

  #noteOnce(level: Parameters<Note>[0], message: string): void {
    if (this.#notedQuirks.has(message)) return;
    this.#notedQuirks.add(message);
    this.#note(level, message);
  }
}

/** The request's own id serves as its progress token: it is unique among what runs. */
function withToken(params: unknown, token: number): unknown {
  if (params !== undefined && !isRecord(params)) return params;
  const meta = isRecord(params?.['_meta']) ? params['_meta'] : {};
  return { ...params, _meta: { ...meta, progressToken: token } };
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
