import type { Client } from '../mcp/client.ts';
import { RpcError, TransportError } from '../mcp/errors.ts';
import { isAlive } from './isAlive.ts';

/** So many calls in a row that were not answered in time put a session in doubt that others still use. */
const doubtAfter = 3;

/**
 * Watches over one session while it is used. Whatever may mean that the session is gone without a word — calls that are not answered or fail with 5xx, a server
 * that does not know the address of the session — has it asked for a sign of life, and `onDead` is told when there is none.
 */
export class SessionWatch {
  readonly #client: Client;
  readonly #pingLimitMs: number | undefined;
  readonly #onDead: (error: Error) => void;
  /** Calls that use the session now. */
  #inUse = 0;
  /** Calls in a row that were not answered in time. */
  #timeouts = 0;
  /** Counts what was answered. */
  #answers = 0;
  #checking: Promise<boolean> | undefined;

  constructor(client: Client, pingLimitMs: number | undefined, onDead: (error: Error) => void) {
    this.#client = client;
    this.#pingLimitMs = pingLimitMs;
    this.#onDead = onDead;
  }

  /** Lets `work` use the session. Rejects as `work`, or with `session-lost` when a refusal turns out to mean that and nothing has run. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.#inUse++;
    try {
      const result = await work(this.#client);
      this.#onAnswer();
      return result;
    } catch (error) {
      if (error instanceof RpcError) this.#onAnswer();
      throw error instanceof TransportError ? await this.#lookInto(error) : error;
    } finally {
      this.#inUse--;
    }
  }

  /** Asks for a sign of life; one question serves all who ask. Resolves with whether there is one. */
  check(): Promise<boolean> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  #onAnswer(): void {
    this.#answers++;
    this.#timeouts = 0;
  }

  async #lookInto(error: TransportError): Promise<TransportError> {
    if (isUnknownAddress(error)) return (await this.check()) ? error : sessionLost(error);
    if (error.code === 'timeout') this.#timeouts++;
    const isDoubtful = ['timeout', 'unreachable', 'session-lost'].includes(error.code) || isServersFault(error);
    // Other calls in flight would break with the session, so only the last one asks, unless nothing comes any more.
    if (isDoubtful && (this.#inUse === 1 || this.#timeouts >= doubtAfter)) void this.check();
    return error;
  }

  async #ask(): Promise<boolean> {
    const answers = this.#answers;
    const verdict = await isAlive(this.#client, this.#pingLimitMs);
    if (verdict === true || this.#answers !== answers) return true;
    this.#onDead(verdict);
    return false;
  }
}

/** A server that has lost a session, or what stands in front of one that is gone, may say no more than that it failed. */
function isServersFault({ code, status }: TransportError): boolean {
  return code === 'http-status' && status !== undefined && status >= 500;
}

/** HTTP+SSE has no words for a session that is gone; servers answer a message for it with one of these. */
function isUnknownAddress({ code, status, mayHaveRun }: TransportError): boolean {
  return code === 'http-status' && !mayHaveRun && (status === 400 || status === 404 || status === 410);
}

function sessionLost(refusal: TransportError): TransportError {
  const { message, status, body } = refusal;
  return new TransportError('session-lost', `${message} (the session is lost)`, { status, body, cause: refusal });
}
