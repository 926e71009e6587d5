import { isRecord, type JsonObject } from '../../base/json.ts';
import { ProtocolError, RpcError, TransportError } from '../errors.ts';
import { readRpcError } from '../jsonrpc.ts';
import { answerInputRequests } from './inputRequests.ts';
import { pause } from './pause.ts';
import type { RoundTripContext } from './roundTrips.ts';

/** How often a task is asked after, in milliseconds, where the server says nothing; and the bounds for what it says. */
const POLL_MS = 1000;
const SHORTEST_POLL_MS = 20;
const LONGEST_POLL_MS = 60_000;
/** A question after a task may fail so often in a row before the call has failed. */
const MOST_FAILURES = 5;

/** How a task is asked after, and who is told of it. */
export interface TaskContext extends RoundTripContext {
  request(method: string, params: JsonObject): Promise<unknown>;
  /** Told what a task says of itself, each time that it says something else. */
  onStatus(message: string): void;
}

/**
 * Follows a task (extension io.modelcontextprotocol/tasks) from the result that named it to its end: asks after it as often
 * as the server wants, answers its questions once each, and resolves with the result of the request that it stands for.
 * Rejects with an RpcError when the task failed. Whoever gives up tells the server by `tasks/cancel`.
 */
export async function followTask(created: JsonObject, context: TaskContext): Promise<unknown> {
  const { taskId } = created;
  const { server, signal } = context;
  if (typeof taskId !== 'string') throw new ProtocolError('result', `${server}: a task without an id was started`);
  const following = new Following(taskId, context);
  try {
    return await following.run(created);
  } catch (error) {
    // The server may have forgotten the task already; nobody waits for its answer.
    if (signal.aborted) context.request('tasks/cancel', { taskId }).catch(() => undefined);
    throw error;
  }
}

class Following {
  readonly #taskId: string;
  readonly #context: TaskContext;
  readonly #answered = new Set<string>();
  #status = '';
  #failures = 0;

  constructor(taskId: string, context: TaskContext) {
    this.#taskId = taskId;
    this.#context = context;
  }

  /** What created the task does not carry its end: that has to be asked for, at once where it is there already. */
  async run(created: JsonObject): Promise<unknown> {
    let task = created;
    let pollMs = POLL_MS;
    for (;;) {
      this.#tell(task);
      const { status, inputRequests, pollIntervalMs } = task;
      if (status === 'input_required' && isRecord(inputRequests)) await this.#answer(inputRequests);
      pollMs = interval(pollIntervalMs) ?? pollMs;
      if (!isTerminal(status)) await pause(pollMs, this.#context.clock, this.#context.signal);
      task = await this.#ask(task);
      const outcome = this.#outcome(task);
      if (outcome) return outcome.result;
    }
  }

  /** The present state. A question that was lost on the way changes nothing about the task. */
  async #ask(last: JsonObject): Promise<JsonObject> {
    try {
      const task = await this.#context.request('tasks/get', { taskId: this.#taskId });
      this.#failures = 0;
      if (isRecord(task) && typeof task['status'] === 'string') return task;
      throw new ProtocolError('result', `${this.#context.server}: the result of tasks/get has no status`);
    } catch (error) {
      if (!isPassing(error) || ++this.#failures >= MOST_FAILURES) throw error;
      return { status: 'working', pollIntervalMs: last['pollIntervalMs'] };
    }
  }

  #outcome(task: JsonObject): { readonly result: unknown } | undefined {
    const { server } = this.#context;
    switch (task['status']) {
      case 'completed':
        if (isRecord(task['result'])) return { result: task['result'] };
        throw new ProtocolError('result', `${server}: task ${this.#taskId} is completed and has no result`);
      case 'failed':
        throw readRpcError(task['error'] ?? task['statusMessage']);
      case 'cancelled':
        throw new RpcError(-32800, `${server}: the server cancelled the task${this.#status && `: ${this.#status}`}`);
      default:
        return undefined;
    }
  }

  async #answer(requests: JsonObject): Promise<void> {
    const inputResponses = await answerInputRequests(requests, { ...this.#context, answered: this.#answered });
    const keys = Object.keys(inputResponses);
    if (keys.length === 0) return;
    await this.#context.request('tasks/update', { taskId: this.#taskId, inputResponses });
    for (const key of keys) this.#answered.add(key);
  }

  #tell({ statusMessage }: JsonObject): void {
    if (typeof statusMessage !== 'string' || statusMessage === '' || statusMessage === this.#status) return;
    this.#status = statusMessage;
    this.#context.onStatus(statusMessage);
  }
}

function isTerminal(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function interval(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.min(Math.max(value, SHORTEST_POLL_MS), LONGEST_POLL_MS);
}

/** A question that was lost, or came at a bad moment. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false;
  const { code, status = 0 } = error;
  if (code === 'http-status') return status === 408 || status === 429 || status >= 500;
  return code === 'closed' || code === 'unreachable' || code === 'timeout';
}
