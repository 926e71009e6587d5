import { onAbort } from '../base/abort.ts';
import { asError, messageOf } from '../base/caught.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { ProtocolError, TransportError } from './errors.ts';
import { InboundRequests, type RequestAnswer } from './inboundRequests.ts';
import {
  notificationMessage,
  numericId,
  readIncoming,
  readRpcError,
  requestMessage,
  type JsonRpcMessage,
} from './jsonrpc.ts';
import { LONGEST_REQUEST_MS, PendingRequests, type PendingRequest } from './pendingRequests.ts';
import { readProgress, withProgressToken } from './progress.ts';
import type { RequestIds } from './requestIds.ts';
import type { Progress } from './schema.ts';
import { ACCEPTED, type Note, type Transport } from './transport.ts';

export interface PeerOptions {
  /** The configured name of the server, which every error text begins with. */
  readonly server: string;
  readonly note: Note;
  readonly ids: RequestIds;
  /** How long an answer may take, in milliseconds, counted anew at each progress. */
  readonly timeoutMs: number;
  readonly answers?: ReadonlyMap<string, RequestAnswer>;
  /** False where a server may ask nothing and cancel only what we asked for: such notices are told like any other. Default true. */
  readonly servesRequests?: boolean;
  /** Whether a request that is given up is told to the server by `notifications/cancelled`; default true. */
  readonly cancelByNotice?: boolean;
  readonly clock?: Clock;
  /** Takes out of an error what it must not repeat. */
  hide?(error: Error): Error;
  onNotification(method: string, params: unknown): void;
  /** The server has forgotten the session; what will not be answered any more has been rejected. */
  onSessionLost?(error: Error): void;
  /** A request of ours will get no answer any more. */
  onGivenUp?(id: number, outcome: 'cancelled' | 'timeout'): void;
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

/**
 * JSON-RPC over one transport: numbers our requests and matches the answers, serves the server's requests, keeps the time
 * limits. Knows no MCP method but the two notices that belong to this work: progress and cancelled.
 */
export class RpcPeer {
  readonly #transport: Transport;
  readonly #options: PeerOptions;
  readonly #inbound: InboundRequests;
  readonly #pending: PendingRequests;
  readonly #notedQuirks = new Set<string>();
  #holds = 0;
  #unknownId: string | undefined;
  #closed: Error | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#pending = new PendingRequests(options.clock ?? systemClock, (id, request, inSpiteOfProgress) =>
      this.#giveUp(id, this.#timeoutError(request, inSpiteOfProgress), 'timeout'),
    );
    const reply = (message: JsonRpcMessage): void => {
      transport
        .send(message)
        .catch((error: unknown) => this.#note('info', `an answer was not delivered: ${messageOf(error)}`));
    };
    this.#inbound = new InboundRequests(options.answers ?? new Map(), reply, (isBusy) => this.#hold(isBusy));
  }

  /** What was odd about the answers so far, to be added to an error, or ''. */
  get quirk(): string {
    return this.#unknownId === undefined ? '' : `; the server answered with the unknown id ${this.#unknownId}`;
  }

  /** Opens the transport. Rejects as the transport does. */
  start(): Promise<void> {
    return this.#transport.start({
      onMessage: (message) => this.#onMessage(message),
      onClose: (error) => this.#onClose(error),
      onSessionLost: (error, answersLost) => this.#onSessionLost(error, answersLost),
      onHold: (held) => this.#hold(held),
    });
  }

  /**
   * Sends a request and resolves with its result. Rejects with an RpcError (the server refused), a TransportError (the wire,
   * a time limit, `signal`) or a ProtocolError (no proper answer).
   */
  request(method: string, params: unknown, options: PeerRequestOptions = {}): Promise<unknown> {
    const { signal, onProgress, timeoutMs = this.#options.timeoutMs } = options;
    if (this.#closed) return Promise.reject(this.#closedError());
    if (signal?.aborted) return Promise.reject(this.#cancelledError(method, signal, false));
    return new Promise((resolve, rejectWith) => {
      const reject = (error: Error): void => rejectWith(this.#options.hide?.(error) ?? error);
      const id = this.#options.ids.next();
      const pending: PendingRequest = { method, timeoutMs, onProgress, resolve, reject, abortLink: undefined };
      this.#pending.add(id, pending);
      options.onRequestId?.(id);
      const token = options.progressToken === true || onProgress !== undefined;
      this.#send(id, method, token ? withProgressToken(params, id) : params);
      if (signal) pending.abortLink = onAbort(signal, () => this.#cancel(id, signal));
    });
  }

  /** Sends a notification; resolves when it was accepted. */
  notify(method: string, params?: unknown): Promise<void> {
    if (this.#closed) return Promise.reject(this.#closedError());
    return this.#transport.send(notificationMessage(method, params));
  }

  /** Rejects what is pending and closes the transport. */
  async close(): Promise<void> {
    if (!this.#closed) this.#end(this.#failure('closed', 'the connection was closed by this side'));
    await this.#transport.close();
  }

  /** While a person signs in, or is asked something by the server, nobody can expect an answer in time. */
  #hold(held: boolean): void {
    this.#holds += held ? 1 : -1;
    this.#pending.hold(this.#holds > 0);
  }

  #send(id: number, method: string, params: unknown): void {
    const refuse = (error: Error): void => this.#pending.take(id)?.reject(error);
    try {
      const sent = this.#transport.send(requestMessage(id, method, params));
      if (sent !== ACCEPTED) sent.then(undefined, (error: unknown) => refuse(asError(error)));
    } catch (error) {
      refuse(this.#protocolError(`${method} cannot be sent: what it is given is no JSON: ${messageOf(error)}`));
    }
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
        if (this.#options.servesRequests === false)
          return this.#noteOnce('the server asks in a way that its revision does not have');
        return this.#inbound.serve(incoming.id, incoming.method, incoming.params);
      case 'notification':
        return this.#onNotification(incoming.method, incoming.params);
      case 'other':
        return this.#note('debug', 'JSON that is no JSON-RPC message was dropped');
    }
  }

  #onAnswer(id: unknown, message: JsonObject): void {
    const number = numericId(id);
    const pending = number === undefined ? undefined : this.#pending.take(number);
    if (!pending) return this.#onUnknownAnswer(id, number);
    if (typeof id === 'string') this.#noteOnce('the server answers number ids as strings');
    const { error, result } = message;
    if (error !== undefined && error !== null) pending.reject(readRpcError(error));
    else if (result !== undefined) pending.resolve(result);
    else pending.reject(this.#protocolError(`the answer to ${pending.method} has neither a result nor an error`));
  }

  #onUnknownAnswer(id: unknown, number: number | undefined): void {
    if (number !== undefined && this.#pending.wasAbandoned(number))
      return this.#note('debug', `the answer to request ${number} came after it was given up`);
    this.#unknownId = JSON.stringify(id) ?? 'none';
    this.#note('debug', `an answer with the unknown id ${this.#unknownId} was dropped`);
    this.#noteOnce('the server sends answers that were never asked for here; ids are scattered from now on');
    this.#options.ids.scatter();
  }

  #onNotification(method: string, params: unknown): void {
    if (method === 'notifications/progress') return this.#onProgress(params);
    const ours = method !== 'notifications/cancelled' || this.#options.servesRequests === false;
    if (ours) return this.#guard(() => this.#options.onNotification(method, params));
    if (isRecord(params)) this.#inbound.cancel(params['requestId'], params['reason']);
  }

  #onProgress(params: unknown): void {
    if (!isRecord(params)) return;
    const id = numericId(params['progressToken']) ?? NaN;
    const pending = this.#pending.get(id);
    if (!pending) return this.#note('debug', 'progress of no running request was dropped');
    this.#pending.extend(id);
    this.#guard(() => pending.onProgress?.(readProgress(params)));
  }

  /** A listener's fault must not reach the wire. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#note('error', `a listener failed: ${messageOf(error)}`);
    }
  }

  #cancel(id: number, signal: AbortSignal): void {
    const pending = this.#pending.get(id);
    if (pending) this.#giveUp(id, this.#cancelledError(pending.method, signal, true), 'cancelled');
  }

  /** MCP "Cancellation": only requests in flight, never `initialize`; the id has the type that it was sent with. */
  #giveUp(id: number, error: TransportError, reason: 'cancelled' | 'timeout'): void {
    const pending = this.#pending.abandon(id);
    if (!pending) return;
    this.#options.onGivenUp?.(id, reason);
    if (this.#options.cancelByNotice !== false && pending.method !== 'initialize') {
      this.notify('notifications/cancelled', { requestId: id, reason }).catch((failure: unknown) =>
        this.#note('debug', `the cancellation of request ${id} was not delivered: ${messageOf(failure)}`),
      );
    }
    this.#transport.abandon(id);
    pending.reject(error);
  }

  #onSessionLost(error: Error, answersLost: boolean): void {
    if (this.#closed) return;
    if (answersLost) this.#rejectAll(error);
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
    this.#inbound.close();
    this.#rejectAll(error);
  }

  /** What has left may have run: the server may have acted on it before the wire broke. */
  #rejectAll(cause: Error): void {
    const code = cause instanceof TransportError ? cause.code : 'closed';
    const prefix = `${this.#options.server}: `;
    const why = cause.message.startsWith(prefix) ? cause.message.slice(prefix.length) : cause.message;
    for (const request of this.#pending.takeAll()) {
      const { method } = request;
      const lost = method === 'initialize' ? 'was not answered' : 'was not answered and may have run';
      request.reject(this.#failure(code, `${method} ${lost}: ${why}`, { mayHaveRun: true, cause }));
    }
  }

  #timeoutError({ method, timeoutMs }: PendingRequest, inSpiteOfProgress: boolean): TransportError {
    const ms = inSpiteOfProgress ? LONGEST_REQUEST_MS : timeoutMs;
    const how = inSpiteOfProgress ? ', in spite of its progress' : '';
    const message = `${method} was not answered within ${Math.round(ms / 100) / 10} s${how}${this.quirk}`;
    return this.#failure('timeout', message, { mayHaveRun: true });
  }

  #closedError(): TransportError {
    return this.#failure('closed', 'the connection is closed', { cause: this.#closed });
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

  /** Names a quirk of the server's, once. */
  #noteOnce(message: string): void {
    if (this.#notedQuirks.has(message)) return;
    this.#notedQuirks.add(message);
    this.#note('info', message);
  }
}
