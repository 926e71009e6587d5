import { asError } from '../../base/caught.ts';
import { isRecord } from '../../base/json.ts';
import type { Tap } from '../../base/tap.ts';
import { TransportError } from '../../mcp/errors.ts';
import { nameOfServerInfo } from '../../settings/newServer/proposeName.ts';

/** What a look at an address has shown. */
export type Probed =
  | { readonly kind: 'found'; readonly transport: 'sse' | 'http'; readonly name?: string; readonly title?: string }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'failed'; readonly error: Error };

/** How long the look may take, in milliseconds. */
const limitMs = 15_000;

/** Connects to an address as any server, says what it found and leaves. Never rejects. */
export async function probe(
  url: string,
  options: { readonly tap: Tap; readonly signal: AbortSignal },
): Promise<Probed> {
  const { connect } = await import('../../mcp/connect.ts');
  try {
    const client = await connect({ kind: 'auto', name: new URL(url).host, url, timeoutMs: limitMs }, options);
    const { transport, serverInfo } = client;
    await client.close();
    const name = nameOfServerInfo(serverInfo);
    const title = isRecord(serverInfo) && typeof serverInfo.title === 'string' ? serverInfo.title : undefined;
    return {
      kind: 'found',
      transport: transport === 'sse' ? 'sse' : 'http',
      ...(name !== undefined && { name }),
      ...(title !== undefined && { title }),
    };
  } catch (error) {
    if (error instanceof TransportError && error.code === 'unauthorized') return { kind: 'sign-in' };
    return { kind: 'failed', error: asError(error) };
  }
}
