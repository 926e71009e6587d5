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

  it('are added to those that are trusted anyway', () => {
    const all = trustedCertificates(['ADDED']);
    assert.ok(all.endsWith('\nADDED'));
    assert.ok(all.split('BEGIN CERTIFICATE').length > 50);
  });
});
