import type { Client } from '../../src/mcp/client.ts';
import type { ServerSpec } from '../../src/servers/serverSpec.ts';
import type { OpenServer } from '../../src/servers/serverConnection.ts';

/** A spec whose config does not matter: {@link fakeOpen} goes by its name. */
export function fakeSpec(name: string, more: Partial<ServerSpec> = {}): ServerSpec {
  return {
    identity: `usrlocal/${name}`,
    name,
    source: 'usrlocal',
    fingerprint: '1',
    prefix: name,
    disabled: false,
    resolve: async () => ({ kind: 'sse', name, url: 'http://127.0.0.1/sse' }),
    ...more,
  };
}

/** Opens sessions by the server's name; each call of an entry is one attempt. */
export function fakeOpen(servers: Record<string, (signal: AbortSignal) => Client | Promise<Client>>): OpenServer {
  return async (config, { signal }) => {
    const open = servers[config.name];
    if (!open) throw new Error(`the test has no server ${config.name}`);
    return await open(signal);
  };
}

/** Resolves when `isTrue` holds, asked after each change. */
export function until(
  onDidChange: (listener: () => void) => { dispose(): void },
  isTrue: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    if (isTrue()) return resolve();
    const subscription = onDidChange(() => {
      if (!isTrue()) return;
      subscription.dispose();
      resolve();
    });
  });
}
