import { asError } from '../base/caught.ts';
import type { Client } from '../mcp/client.ts';
import { RpcError } from '../mcp/errors.ts';
import { STATELESS_REVISION } from '../mcp/schema.ts';

/**
 * Asks the server for a sign of life (MCP "Ping": no answer in time is a failed connection). Any answer will do, also a refusal.
 * The stateless revision has neither ping nor a connection to lose. Resolves with true, or with the error that stands against it.
 */
export async function isAlive(client: Client, timeoutMs: number | undefined): Promise<true | Error> {
  if (client.protocolVersion === STATELESS_REVISION) return true;
  try {
    await client.request('ping', undefined, { timeoutMs });
    return true;
  } catch (error) {
    if (error instanceof RpcError) return true;
    return asError(error);
  }
}
