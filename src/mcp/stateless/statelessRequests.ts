import { linkedController } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { CallToolOptions } from '../client.ts';
import { TransportError } from '../errors.ts';
import type { RequestAnswer } from '../inboundRequests.ts';
import { LONGEST_REQUEST_MS } from '../pendingRequests.ts';
import type { PeerRequestOptions, RpcPeer } from '../rpcPeer.ts';
import { metaKey, withMeta } from './requestMeta.ts';
import { askInRounds, resultType, type RoundTripContext } from './roundTrips.ts';
import { followTask } from './tasks.ts';

/** What requests are sent with. */
export interface StatelessRequestsOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly peer: RpcPeer;
  /** What stands in `_meta` of every request. */
  readonly meta: JsonObject;
  readonly answers: ReadonlyMap<string, RequestAnswer>;
}

/** A request that has been sent once. */
interface AskedRequest {
  readonly method: string;
  readonly params: unknown;
  readonly options: CallToolOptions & PeerRequestOptions;
  readonly sendOnce: StatelessRequests['send'];
}

/** Requests that carry all that the server has to know, and what may follow from one: questions of the server, a task. */
export class StatelessRequests {
  readonly #options: StatelessRequestsOptions;
  readonly #closing = new AbortController();
  #meta: JsonObject;

  constructor(options: StatelessRequestsOptions) {
    this.#options = options;
    this.#meta = options.meta;
  }

  /** Asks the server for log messages of this level or above, with every request from now on. */
  setLogLevel(level: string): void {
    this.#meta = { ...this.#meta, [metaKey.logLevel]: level };
  }

  /** Ends what waits for a person or a task. */
  close(): void {
    this.#closing.abort(new TransportError('closed', `${this.#options.server}: the connection is closed`));
  }

  /** One request and its answer, of whatever type. */
  send(method: string, params: unknown, options: PeerRequestOptions): Promise<unknown> {
    return this.#options.peer.request(method, withMeta(params, this.#meta), options);
  }

  /** A request to its end. `sendOnce` stands in for {@link send}, for requests that may have to be sent in another way. */
  async ask(
    method: string,
    params: unknown,
    options: CallToolOptions & PeerRequestOptions,
    sendOnce: StatelessRequests['send'] = (...request) => this.send(...request),
  ): Promise<unknown> {
    const result = await sendOnce(method, params, options);
    if (resultType(result, this.#options.server) === 'complete') return result;
    return this.#goOn({ method, params, options, sendOnce }, result);
  }

  async #goOn(asked: AskedRequest, first: unknown): Promise<unknown> {
    const { method, params, options, sendOnce } = asked;
    const { server, clock, answers } = this.#options;
    const { controller, release } = linkedController(options.signal, this.#closing.signal);
    const { signal } = controller;
    const context = { server, clock, answers, signal };
    const members = isRecord(params) ? params : {};
    let mayHaveRun = false;
    try {
      const send = (more: JsonObject): Promise<unknown> => sendOnce(method, { ...members, ...more }, options);
      const result = await askInRounds({ method, first, send }, context);
      if (!isRecord(result) || resultType(result, server) !== 'task') return result;
      mayHaveRun = true;
      return await this.#follow(asked, result, { ...context, controller });
    } catch (error) {
      throw options.signal?.aborted === true ? this.#cancelled(method, options.signal, mayHaveRun) : error;
    } finally {
      release();
    }
  }

  async #follow(
    { method, options }: AskedRequest,
    created: JsonObject,
    context: RoundTripContext & { readonly controller: AbortController },
  ): Promise<unknown> {
    const { server, clock, controller } = context;
    const minutes = LONGEST_REQUEST_MS / 60_000;
    const text = `${server}: the task of ${method} did not end within ${minutes} minutes`;
    const giveUp = (): void => controller.abort(new TransportError('timeout', text, { mayHaveRun: true }));
    const cancel = clock.after(LONGEST_REQUEST_MS, giveUp);
    let told = 0;
    const { timeoutMs } = options;
    try {
      return await followTask(created, {
        ...context,
        request: (name, params) => this.send(name, params, { timeoutMs }),
        onStatus: (message) => options.onProgress?.({ progress: ++told, message }),
      });
    } finally {
      cancel();
    }
  }

  #cancelled(method: string, signal: AbortSignal, mayHaveRun: boolean): TransportError {
    const text = `${this.#options.server}: ${method} was cancelled`;
    return new TransportError('cancelled', text, { mayHaveRun, cause: signal.reason });
  }
}
