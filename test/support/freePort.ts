import { once } from 'node:events';
import net from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago, for programs that cannot choose one by themselves. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
