import { pathToFileURL } from 'node:url';
import type { connect as Connect, ConnectOptions } from '../../../src/mcp/connect.ts';
import { textOf, type Peer, type Session, type Target } from '../target.ts';

/** This project: the file that `npm run build` writes. */
export const peer: Peer = {
  async load() {
    const connect = await loadConnect();
    return (target) => openWith(connect, target);
  },
};

export async function openWith(
  connect: typeof Connect,
  target: Target,
  options: ConnectOptions = {},
): Promise<Session> {
  const name = 'bench';
  const client = await (target.transport === 'stdio'
    ? connect({ kind: 'stdio', name, command: target.command, args: target.args }, options)
    : connect({ kind: target.transport === 'unknown' ? 'auto' : target.transport, name, url: target.url }, options));
  return {
    listTools: () => client.listTools(),
    call: async (tool, args) => textOf(await client.callTool(tool, args)),
    close: () => client.close(),
  };
}

export async function loadConnect(): Promise<typeof Connect> {
  const file = process.env['BENCH_CORE'] ?? 'dist/core.mjs';
  const { connect }: { connect: typeof Connect } = await import(pathToFileURL(file).href);
  return connect;
}
