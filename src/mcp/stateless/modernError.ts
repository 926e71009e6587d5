import { isRecord, parseJson } from '../../base/json.ts';
import { RpcError, TransportError } from '../errors.ts';
import { readRpcError } from '../jsonrpc.ts';

/** Error codes of 2026-07-28 ("Error Codes"). */
export const modernCode = {
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** The JSON-RPC error in what a request was rejected with, also where it stands in the body of an HTTP refusal without our id. */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof TransportError) || error.body === undefined) return undefined;
  const parsed = parseJson(error.body);
  const body = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  return isRecord(body['error']) ? readRpcError(body['error']) : undefined;
}

/** Only servers of the stateless revision answer with these. */
export function isModernError(error: unknown): boolean {
  const code = rpcErrorIn(error)?.code;
  return code !== undefined && Object.values<number>(modernCode).includes(code);
}

/** The revisions that a refusal for the sake of the revision names; undefined for any other error. */
export function supportedIn(error: unknown): readonly string[] | undefined {
  const refusal = rpcErrorIn(error);
  if (!refusal) return undefined;
  const { code, data } = refusal;
  const supported = isRecord(data) && Array.isArray(data['supported']) ? data['supported'] : undefined;
  if (code !== modernCode.unsupportedProtocolVersion && supported === undefined) return undefined;
  return (supported ?? []).filter((version) => typeof version === 'string');
}
