import assert from 'node:assert/strict';
import type { HttpServerConfig } from '../../../src/mcp/serverConfig.ts';
import { Opened } from '../../support/connected.ts';
import { everythingHandlers, everythingScript, useEverything } from '../../support/everythingPeer.ts';
import { installedFile } from '../../support/installedFile.ts';
import { startPeer, type PeerProcess } from '../../support/peerProcess.ts';

const stdioServer = [process.execPath, installedFile(everythingScript), 'stdio'];

const gateways: Readonly<Record<string, (...more: string[]) => Promise<PeerProcess>>> = {
  supergateway: (...more) =>
    startPeer(installedFile('supergateway/dist/index.js'), (port) => [
      '--stdio',
      stdioServer.join(' '),
      '--port',
      String(port),
      ...more,
    ]),
  'mcp-proxy': (...more) =>
    startPeer(installedFile('mcp-proxy/dist/bin/mcp-proxy.mjs'), (port) => [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      ...more,
      '--',
      ...stdioServer,
    ]),
};

/** Gateway, what it is told, the path, and how it is found. */
const cases: readonly [
  gateway: string,
  more: readonly string[],
  path: string,
  kind: HttpServerConfig['kind'],
  transport: string,
][] = [
  ['supergateway', [], '/sse', 'sse', 'sse'],
  ['supergateway', [], '/sse', 'auto', 'sse'],
  ['supergateway', ['--outputTransport', 'streamableHttp', '--stateful'], '/mcp', 'http', 'http'],
  ['mcp-proxy', [], '/sse', 'sse', 'sse'],
  ['mcp-proxy', [], '/sse', 'auto', 'sse'],
  ['mcp-proxy', [], '/mcp', 'http', 'http'],
];

describe('stdio servers behind a gateway', function () {
  this.timeout(120_000);
  const opened = new Opened();
  afterEach(() => opened.close());

  for (const [gateway, more, path, kind, transport] of cases) {
    it(`${gateway} ${more.join(' ')} at ${path} as type ${kind}: lists and uses one of each kind`, async () => {
      const start = gateways[gateway];
      assert.ok(start);
      const peer = await opened.server(start(...more));
      const options = { handlers: everythingHandlers, timeoutMs: 30_000, protocolVersion: undefined };
      const client = await opened.connect(kind, `http://127.0.0.1:${peer.port}${path}`, options);
      assert.equal(client.transport, transport);
      // It answers for its clients itself, and its notices take another way than its results.
      const isPlain = gateway === 'supergateway';
      await useEverything(client, { asksBack: isPlain, inOrder: isPlain });
    });
  }
});
