import { textOf, type Peer, type Target } from '../target.ts';

/** `@modelcontextprotocol/client` 2.x, used as its documentation shows. */
export const peer: Peer = {
  async load() {
    const [{ Client, SSEClientTransport, StreamableHTTPClientTransport }, { StdioClientTransport }] = await Promise.all(
      [import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio')],
    );
    const info = { name: 'bench', version: '1' };
    const open = async (target: Target, sse: boolean): Promise<InstanceType<typeof Client>> => {
      const client = new Client(info);
      const transport =
        target.transport === 'stdio'
          ? new StdioClientTransport({ command: target.command, args: [...target.args] })
          : new (sse ? SSEClientTransport : StreamableHTTPClientTransport)(new URL(target.url));
      await client.connect(transport);
      return client;
    };
    return async (target) => {
      const unknown = target.transport === 'unknown';
      const client = await open(target, target.transport === 'sse').catch((error: unknown) => {
        if (unknown) return open(target, true);
        throw error;
      });
      return {
        // It follows the pages itself.
        listTools: async () => (await client.listTools()).tools,
        call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
        close: () => client.close(),
      };
    };
  },
};
