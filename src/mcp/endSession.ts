import type { Clock } from '../base/clock.ts';
import type { HttpWire } from './httpWire.ts';

/** How long a server may take to note the end of a session, in milliseconds. */
const DELETE_LIMIT_MS = 1000;

/** "Session Management": DELETE says that the session is over. Any answer will do, and none for long. */
export function endSession(
  wire: HttpWire,
  clock: Clock,
  session: string,
  more: { readonly url?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const { url = wire.url } = more;
  const headers = wire.headersFor(url, { ...more.headers, 'Mcp-Session-Id': session });
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      resolve();
    };
    const cancel = clock.after(DELETE_LIMIT_MS, () => {
      exchange.abort();
      resolve();
    });
    const listener = { onResponse: () => undefined, onChunk: () => undefined, onEnd: done, onError: done };
    const exchange = wire.exchange({ method: 'DELETE', url, headers }, listener);
  });
}
