import { messageOf } from '../base/caught.ts';
import { errorCode, type JsonRpcErrorObject, type JsonRpcMessage, type RequestId } from './jsonrpc.ts';
import { RpcError } from './errors.ts';

/** Answers one request of the server's. A rejection becomes a JSON-RPC error; an {@link RpcError} keeps its code and data. */
export type RequestAnswer = (params: unknown, signal: AbortSignal) => Promise<unknown>;

/** The server's own requests, from arrival to answer. Their ids are the server's and have nothing to do with ours. */
export class InboundRequests {
  readonly #answers: ReadonlyMap<string, RequestAnswer>;
  readonly #reply: (message: JsonRpcMessage) => void;
  readonly #onBusy: (isBusy: boolean) => void;
  readonly #running = new Map<RequestId, AbortController>();
  #isBusy = false;

  /** `onBusy` is told when the first answer is begun, and when the last one is over. */
  constructor(
    answers: ReadonlyMap<string, RequestAnswer>,
    reply: (message: JsonRpcMessage) => void,
    onBusy: (isBusy: boolean) => void = () => undefined,
  ) {
    this.#answers = answers;
    this.#reply = reply;
    this.#onBusy = onBusy;
  }

  /** Answers now or later; what nobody answers is refused at once. */
  serve(id: RequestId, method: unknown, params: unknown): void {
    if (method === 'ping') return this.#reply({ jsonrpc: '2.0', id, result: {} });
    const answer = typeof method === 'string' ? this.#answers.get(method) : undefined;
    if (answer) void this.#run(id, answer, params);
    else this.#reply({ jsonrpc: '2.0', id, error: refusal(method) });
  }

  /** `notifications/cancelled` of the server: the answer is no longer wanted, and none is sent. */
  cancel(id: unknown, reason: unknown): void {
    if (typeof id !== 'number' && typeof id !== 'string') return;
    const controller = this.#running.get(id);
    this.#running.delete(id);
    controller?.abort(new Error(typeof reason === 'string' ? reason : 'the server cancelled its request'));
    this.#tellBusy();
  }

  /** Aborts all that runs, without an answer. */
  close(): void {
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const controller of running) controller.abort(new Error('the connection is closed'));
    this.#tellBusy();
  }

  async #run(id: RequestId, answer: RequestAnswer, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    this.#tellBusy();
    const message = await outcome(id, answer, params, controller.signal);
    if (this.#running.get(id) !== controller) return;
    this.#running.delete(id);
    this.#tellBusy();
    this.#reply(message);
  }

  #tellBusy(): void {
    const isBusy = this.#running.size > 0;
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    this.#onBusy(isBusy);
  }
}

async function outcome(
  id: RequestId,
  answer: RequestAnswer,
  params: unknown,
  signal: AbortSignal,
): Promise<JsonRpcMessage> {
  try {
    return { jsonrpc: '2.0', id, result: (await answer(params, signal)) ?? {} };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: errorObject(error) };
  }
}

function errorObject(error: unknown): JsonRpcErrorObject {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return { code: errorCode.internalError, message: messageOf(error) };
}

function refusal(method: unknown): JsonRpcErrorObject {
  if (typeof method !== 'string') return { code: errorCode.invalidRequest, message: 'the method is not a string' };
  return { code: errorCode.methodNotFound, message: `Method not found: ${method}` };
}
