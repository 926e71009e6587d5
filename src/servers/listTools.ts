import type { Client } from '../mcp/client.ts';
import { RpcError } from '../mcp/errors.ts';
import { errorCode } from '../mcp/jsonrpc.ts';
import type { Tool } from '../mcp/schema.ts';

/** All tools of a session. A server that does not know the method has none, which is no failure. Rejects as `listTools` of the client. */
export async function listTools(client: Client, signal?: AbortSignal): Promise<readonly Tool[]> {
  try {
    return await client.listTools({ signal });
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCode.methodNotFound) return [];
    throw error;
  }
}
