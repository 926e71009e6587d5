import { isRecord, type JsonObject } from '../base/json.ts';
import type { Clock } from '../base/clock.ts';
import type { RequestOptions } from './client.ts';
import { ProtocolError, RpcError, TransportError } from './errors.ts';
import { pause } from './stateless/pause.ts';

/**
 * Tasks of 2025-11-25 ("Tasks"): a call that the server carries out in its own time. The request names a task, the answer
 * comes at once, the result is asked for later, so that a lost connection or a time limit does not lose it.
 */

/** How often a task is asked after, in milliseconds, where the server says nothing; and the bounds for what it says. */
const POLL_MS = 1000;
const SHORTEST_POLL_MS = 20;
const LONGEST_POLL_MS = 60_000;
/** A question after a task may fail so often in a row before the call has failed. */
const MOST_FAILURES = 5;
/** How long the answer to `tasks/result` may take while a person is asked something, in milliseconds. */
const RESULT_LIMIT_MS = 30 * 60 * 1000;
/** How long a server should keep a result, in milliseconds. */
const KEEP_MS = 60 * 60 * 1000;

/** The call that became a task, and who waits for it. */
export interface TaskCall {
  readonly server: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown>;
  /** Told what the task says of itself, each time that it says something else. */
  onStatus?(message: string): void;
}

/** Whether a call of this tool is to be a task: the server takes such calls, and the tool allows or wants it. */
export function wantsTask(capabilities: Readonly<Record<string, unknown>>, execution: unknown): boolean {
  const support = isRecord(execution) ? execution['taskSupport'] : undefined;
  if (support !== 'required' && support !== 'optional') return false;
  const { tasks } = capabilities;
  const requests = isRecord(tasks) ? tasks['requests'] : undefined;
  const tools = isRecord(requests) ? requests['tools'] : undefined;
  return isRecord(tools) && isRecord(tools['call']);
}

/** Makes a `tools/call` as a task and follows it to its result. Whoever gives up tells the server by `tasks/cancel`. */
export async function callAsTask(params: JsonObject, call: TaskCall, options: RequestOptions): Promise<unknown> {
  const created = await call.request('tools/call', { ...params, task: { ttl: KEEP_MS } }, options);
  const task = isRecord(created) ? created['task'] : undefined;
  // A server may answer at once all the same.
  if (!isRecord(created) || !isRecord(task)) return created;
  const { taskId } = task;
  if (typeof taskId !== 'string') throw new ProtocolError('result', `${call.server}: a task without an id was started`);
  const following = new Following(taskId, call);
  try {
    return await following.run(task);
  } catch (error) {
    if (call.signal?.aborted) {
      following.giveUp();
      throw new TransportError('cancelled', `${call.server}: tools/call was cancelled`, {
        mayHaveRun: true,
        cause: error,
      });
    }
    throw error;
  }
}

class Following {
  readonly #taskId: string;
  readonly #call: TaskCall;
  readonly #signal: AbortSignal;
  #status = '';
  #failures = 0;

  constructor(taskId: string, call: TaskCall) {
    this.#taskId = taskId;
    this.#call = call;
    this.#signal = call.signal ?? new AbortController().signal;
  }

  /** Asks after the task as often as the server wants, until it is over. What it wants to know it asks while `tasks/result` waits. */
  async run(created: JsonObject): Promise<unknown> {
    let task = created;
    for (;;) {
      this.#tell(task);
      const { status } = task;
      if (status === 'completed' || status === 'failed') return await this.#result();
      if (status === 'cancelled') throw this.#cancelled();
      if (status === 'input_required') return await this.#result();
      await pause(interval(task['pollInterval']), this.#call.clock, this.#signal);
      task = await this.#ask(task);
    }
  }

  /** Tells the server, which may have forgotten the task already; nobody waits for its answer. */
  giveUp(): void {
    this.#call.request('tasks/cancel', { taskId: this.#taskId }, {}).catch(() => undefined);
  }

  /** The answer is the one that the call would have had; a failed task answers with its error. */
  async #result(): Promise<unknown> {
    const options = { signal: this.#signal, timeoutMs: RESULT_LIMIT_MS };
    return await this.#call.request('tasks/result', { taskId: this.#taskId }, options);
  }

  /** The present state; the last one when the question was lost on the way, which changes nothing about the task. */
  async #ask(last: JsonObject): Promise<JsonObject> {
    try {
      const task = await this.#call.request('tasks/get', { taskId: this.#taskId }, { signal: this.#signal });
      this.#failures = 0;
      if (isRecord(task)) return task;
      throw new ProtocolError('result', `${this.#call.server}: the result of tasks/get is no object`);
    } catch (error) {
      if (!isPassing(error) || ++this.#failures >= MOST_FAILURES) throw error;
      return last;
    }
  }

  #tell({ statusMessage }: JsonObject): void {
    if (typeof statusMessage !== 'string' || statusMessage === '' || statusMessage === this.#status) return;
    this.#status = statusMessage;
    this.#call.onStatus?.(statusMessage);
  }

  #cancelled(): RpcError {
    const why = this.#status === '' ? '' : `: ${this.#status}`;
    return new RpcError(-32800, `${this.#call.server}: the server cancelled the task${why}`);
  }
}

function interval(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return POLL_MS;
  return Math.min(Math.max(value, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

/** A question that was lost, or came at a bad moment. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false;
  const { code, status = 0 } = error;
  if (code === 'http-status') return status === 408 || status === 429 || status >= 500;
  return code === 'timeout' || code === 'unreachable';
}
