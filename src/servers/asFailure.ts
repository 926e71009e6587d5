import { asError } from '../base/caught.ts';
import { RpcError } from '../mcp/errors.ts';

/** The error that stands beside a server: the words that it refuses with in JSON-RPC do not say whose they are. */
export function asFailure(cause: unknown, server: string): Error {
  if (!(cause instanceof RpcError)) return asError(cause);
  const { code, message, data } = cause;
  return new RpcError(code, `${server}: the server refuses to be used: ${message} (code ${code})`, data);
}
