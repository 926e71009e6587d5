import { capabilitiesOf, type SessionOptions } from '../openSession.ts';
import { RpcPeer, type PeerOptions } from '../rpcPeer.ts';
import type { Transport } from '../transport.ts';
import type { Discovery } from './discovery.ts';
import { MirroredHeaders } from './mirroredHeaders.ts';
import { requestMeta } from './requestMeta.ts';
import { StatelessClient } from './statelessClient.ts';
import { StatelessHttpTransport } from './statelessHttpTransport.ts';
import { StatelessRequests } from './statelessRequests.ts';

/** What a client of the stateless revision is opened with. */
export interface StatelessOptions extends SessionOptions {
  /** The server that was found to speak this revision does not any more. */
  onEraLost(): void;
}

/** Puts a client of the stateless revision on a transport whose server has just said that it speaks it. */
export async function openStateless(
  transport: Transport,
  discovery: Discovery,
  options: StatelessOptions,
): Promise<StatelessClient> {
  const { connection, server, note, clock, ids, answers } = options;
  let closedEarly: Error | undefined;
  let client: StatelessClient | undefined;
  ids.restart();
  const mirrored = mirrorOn(transport);
  const peer = peerOn(transport, options, {
    onNotification: (method, params) => client?.onNotification(method, params),
    onClose: (error) => {
      if (client) client.onClosed(error);
      else closedEarly = error;
    },
  });
  await peer.start();
  if (closedEarly) throw closedEarly;
  const meta = requestMeta(options.clientInfo, { ...capabilitiesOf(answers), ...options.capabilities });
  const requests = new StatelessRequests({ server, clock, peer, meta, answers });
  const onEnd = (error: Error | undefined, eraLost: boolean): void => {
    if (eraLost) options.onEraLost();
    options.onEnd(error);
  };
  const parts = { connection, server, note, clock, peer, transport, requests, discovery, mirrored, onEnd };
  client = new StatelessClient(parts);
  client.listen();
  return client;
}

/** A peer for requests alone: in this revision a server asks nothing by itself. */
function peerOn(
  transport: Transport,
  options: StatelessOptions,
  listener: Pick<PeerOptions, 'onNotification' | 'onClose'>,
): RpcPeer {
  const { server, note, clock, ids, timeoutMs } = options;
  return new RpcPeer(transport, {
    server,
    note,
    clock,
    ids,
    timeoutMs,
    servesRequests: false,
    cancelByNotice: transport.kind === 'stdio',
    hide: (error) => options.hide?.(error) ?? error,
    onGivenUp: (id, outcome) => options.onGivenUp?.(id, outcome),
    ...listener,
  });
}

/** Over HTTP, what stands between client and server is told in headers what a message is about. */
function mirrorOn(transport: Transport): MirroredHeaders | undefined {
  if (!(transport instanceof StatelessHttpTransport)) return undefined;
  const mirrored = new MirroredHeaders();
  transport.mirrorBy((message) => mirrored.of(message));
  return mirrored;
}
