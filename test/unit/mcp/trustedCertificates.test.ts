import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Client } from '../../../src/mcp/client.ts';
import { connect } from '../../../src/mcp/connect.ts';
import { trustedCertificates } from '../../../src/mcp/trustedCertificates.ts';

function pem(name: string): string {
  return readFileSync(new URL(`../../fixtures/certificates/${name}`, import.meta.url), 'utf8');
}

describe('certificates of an entry', () => {
  const server = https.createServer(
    { key: pem('localhost.key.pem'), cert: pem('localhost.cert.pem') },
    (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id } = JSON.parse(body);
        if (id === undefined) return response.writeHead(202).end();
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'tls', version: '1' } };
        return response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    },
  );
  let url = '';
  let client: Client | undefined;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
    url = `https://localhost:${port}/mcp`;
  });

  after(async () => {
    await client?.close();
    server.closeAllConnections();
    server.close();
  });

  it('are trusted for that server', async () => {
    client = await connect({ kind: 'http', name: 'tls', url, ca: [pem('other.cert.pem'), pem('localhost.cert.pem')] });
    assert.equal(client.serverInfo.name, 'tls');
  });

  it('leave another certificate as untrusted as before', async () => {
    await assert.rejects(connect({ kind: 'http', name: 'tls', url, ca: [pem('other.cert.pem')] }), {
      code: 'certificate',
    });
    await assert.rejects(connect({ kind: 'http', name: 'tls', url }), { code: 'certificate' });
  });

  it('that are not trusted are named with subject, issuer and validity, and how to trust them', async () => {
    const { message } = await connect({ kind: 'http', name: 'tls', url }).then(
      () => assert.fail('it is not trusted'),
      (error: unknown) => (error instanceof Error ? error : assert.fail('no Error')),
    );
    assert.match(message, /^tls: /);
    assert.match(message, /it is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
    assert.match(
      message,
      /that of CN=localhost \(for DNS:localhost, IP Address:127\.0\.0\.1\), issued by CN=localhost/,
    );
    assert.match(message, /valid from 20\d\d-\d\d-\d\d to \d{4}-\d\d-\d\d, SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}\./);
    assert.match(message, /as "ca" beside the "url"/);
    assert.doesNotMatch(message, /fetch failed|undefined|\.\./);
  });

  it('for another host are named too, and trusting them is not advised', async () => {
    const other = url.replace('localhost', '127.0.0.1');
    const certificate = pem('other.cert.pem');
    const stranger = https.createServer({ key: pem('other.key.pem'), cert: certificate });
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port }: AddressInfo = JSON.parse(JSON.stringify(stranger.address()));
    try {
      const address = other.replace(/:\d+/, `:${port}`);
      await assert.rejects(
        connect({ kind: 'http', name: 'tls', url: address, ca: [certificate] }),
        (error: unknown) => {
          assert(error instanceof Error);
          assert.match(error.message, /issued for other host names than 127\.0\.0\.1 .*issued by /);
          assert.match(error.message, /the "url" has to name the right host/);
          return true;
        },
      );
    } finally {
      stranger.closeAllConnections();
      stranger.close();
    }
  });

  it('are added to those that are trusted anyway', () => {
    const all = trustedCertificates(['ADDED']);
    assert.ok(all.endsWith('\nADDED'));
    assert.ok(all.split('BEGIN CERTIFICATE').length > 50);
  });
});
