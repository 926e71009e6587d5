import { messageOf } from '../../base/caught.ts';
import { RpcError, TransportError, type ProtocolError } from '../errors.ts';
import { STATELESS_REVISION } from '../schema.ts';
import { eraOfError, foreignError } from './discovery.ts';
import { modernCode, rpcErrorIn } from './modernError.ts';

/** How the revision is looked at again, and who is told. */
export interface EraWatchOptions {
  readonly server: string;
  /** `server/discover`, once more. */
  discover(): Promise<unknown>;
  /** The server does not speak this revision any more. */
  onLost(error: TransportError | ProtocolError): void;
}

/**
 * Looks out for a server that was replaced by one of another revision: such a server refuses every request. A refusal that
 * may come from one makes us ask, once at a time, what it speaks now.
 */
export class EraWatch {
  readonly #options: EraWatchOptions;
  #isChecking = false;

  constructor(options: EraWatchOptions) {
    this.#options = options;
  }

  /** Told every failure of a request. */
  suspect(failure: unknown): void {
    if (rpcErrorIn(failure)?.code === modernCode.unsupportedProtocolVersion) return this.#lose(failure);
    if (!this.#isChecking && isSuspect(failure)) void this.#check();
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    try {
      await this.#options.discover();
    } catch (failure) {
      const isRefusal = failure instanceof RpcError || isHttpRefusal(failure);
      if (isRefusal && eraOfError(failure).kind === 'legacy') this.#lose(failure);
    } finally {
      this.#isChecking = false;
    }
  }

  #lose(failure: unknown): void {
    const { server } = this.#options;
    const era = eraOfError(failure);
    if (era.kind === 'foreign') return this.#options.onLost(foreignError(server, era.versions));
    const why = messageOf(failure);
    const text = `${server}: the server does not speak revision ${STATELESS_REVISION} any more: ${why}`;
    this.#options.onLost(new TransportError('closed', text, { cause: failure }));
  }
}

/** What servers of earlier revisions say to requests without a session, in HTTP and in JSON-RPC. */
function isSuspect(failure: unknown): boolean {
  return isHttpRefusal(failure) || (failure instanceof RpcError && /not initiali[sz]ed|session/i.test(failure.message));
}

function isHttpRefusal(failure: unknown): boolean {
  if (!(failure instanceof TransportError) || failure.code !== 'http-status') return false;
  return [400, 404, 405, 406].includes(failure.status ?? 0);
}
