import { asError } from '../../base/caught.ts';
import type { JsonObject } from '../../base/json.ts';
import { TransportError } from '../errors.ts';
import { isSameId, readIncoming, readRpcError, requestMessage } from '../jsonrpc.ts';
import type { Transport } from '../transport.ts';
import { eraOfError, eraOfResult, type Era } from './discovery.ts';

/** What is known after `server/discover`; `error` is the refusal that says so. */
export type Discovered = Era & { readonly error?: Error };

/**
 * Asks a server of unknown revision by `server/discover`, on a transport that nobody else listens to meanwhile. The ids are
 * strings, so that they meet no number of a handshake that runs beside. Never rejects.
 */
export async function discover(transport: Transport, meta: JsonObject): Promise<Discovered> {
  const waiting = new Map<string, (answer: JsonObject | Error) => void>();
  const settle = (id: unknown, answer: JsonObject | Error): void => {
    for (const [own, resolve] of waiting) if (id === undefined || isSameId(id, own)) resolve(answer);
  };
  const ask = async (id: string): Promise<Discovered> => {
    const answered = new Promise<JsonObject | Error>((resolve) => waiting.set(id, resolve));
    transport
      .send(requestMessage(id, 'server/discover', { _meta: meta }))
      .catch((error: unknown) => settle(id, asError(error)));
    return judge(await answered);
  };
  try {
    await transport.start({
      onMessage: (message) => {
        for (const one of Array.isArray(message) ? message : [message]) {
          const incoming = readIncoming(one);
          if (incoming.kind === 'response') settle(incoming.id, incoming.message);
        }
      },
      onClose: (error) => settle(undefined, error),
    });
    const first = await ask('discover-1');
    return first.kind === 'again' ? await ask('discover-2') : first;
  } catch (error) {
    return judge(asError(error));
  }
}

function judge(answer: JsonObject | Error): Discovered {
  const { error, result } = answer instanceof Error ? { error: answer, result: undefined } : answer;
  if (error === undefined || error === null) return eraOfResult(result);
  const failure = error instanceof Error ? error : readRpcError(error);
  return { ...eraOfError(failure), error: failure };
}

/**
 * Whether a failure leaves the revision open: the person has to sign in first, the server is overloaded or out of order, or
 * is not there at all (2026-07-28, "Backward Compatibility": never evidence of a revision).
 */
export function saysNothing(error: Error | undefined): boolean {
  if (!(error instanceof TransportError)) return false;
  const { code, status = 0 } = error;
  if (code === 'http-status')
    return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
  return !['closed', 'process', 'too-large'].includes(code);
}
