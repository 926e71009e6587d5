import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oauthOnDemand } from '../../../../src/mcp/signIn.ts';
import { startAuthorizationServer, type AuthorizationScript } from '../../../support/authorizationServer.ts';
import { isTransportError, Opened } from '../../../support/connected.ts';
import { personSigningIn, startProtectedServer } from '../../../support/protectedServer.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

describe('a token without a person', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function connect(settings: Record<string, unknown>, script: AuthorizationScript = {}) {
    const signIns = await opened.server(startAuthorizationServer(script));
    const server = await opened.server(startProtectedServer({ by: () => signIns }));
    const person = personSigningIn(server.url, { interactive: false, settings });
    const connecting = oauthOnDemand(person).then((authorization) =>
      opened.connect('http', server.url, { authorization }),
    );
    return { signIns, server, connecting, person };
  }

  it('by the client secret', async () => {
    const settings = { grant: 'client_credentials', clientId: 'robot', clientSecret: 'hush', scopes: ['r'] };
    const { signIns, server, connecting, person } = await connect(settings, { refreshes: false });
    const client = await connecting;
    signIns.tokens.clear();
    assert.equal((await client.callTool('x', {})).isError, false);
    assert.equal(signIns.grants('client_credentials'), 2);
    const [form] = signIns.tokenRequests;
    assert.deepEqual([form?.get('scope'), form?.get('resource')], ['r', server.url]);
    assert.deepEqual(person.opened, []);
  });

  it('by a key: the assertion is signed, for this server, and used once', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const settings = { grant: 'client_credentials', clientId: 'robot', privateKey: pem, keyId: 'k1' };
    const { signIns, connecting } = await connect(settings);
    await connecting;
    const [head = '', body = '', signature = ''] = signIns.tokenRequests[0]?.get('client_assertion')?.split('.') ?? [];
    const isGood = verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    assert.ok(isGood);
    const header: Record<string, unknown> = JSON.parse(Buffer.from(head, 'base64url').toString());
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString());
    assert.deepEqual(
      [header['alg'], header['kid'], claims['iss'], claims['aud']],
      ['ES256', 'k1', 'robot', signIns.origin],
    );
  });

  it('by a key that is none is an error that names the setting and shows nothing of it', async () => {
    const settings = { grant: 'client_credentials', clientId: 'robot', privateKey: 'SECRETKEY' };
    const { connecting, signIns } = await connect(settings);
    await assert.rejects(connecting, isTransportError('unauthorized', /^(?!.*SECRETKEY).*"privateKey".*PEM/));
    assert.equal(signIns.tokenRequests.length, 0);
  });

  it('by the token of a workload, from a file that is read each time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-agent-'));
    const assertionFile = join(folder, 'token');
    try {
      writeFileSync(assertionFile, 'first\n');
      const { signIns, connecting } = await connect({ clientId: 'robot', assertionFile }, { refreshes: false });
      const client = await connecting;
      writeFileSync(assertionFile, 'second\n');
      signIns.tokens.clear();
      await client.callTool('x', {});
      assert.deepEqual(
        signIns.tokenRequests.map((form) => [form.get('grant_type'), form.get('assertion')]),
        [
          [JWT_BEARER, 'first'],
          [JWT_BEARER, 'second'],
        ],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('that is refused is not tried again, nor by another grant', async () => {
    const { signIns, connecting } = await connect(
      { clientId: 'robot', assertion: 'expired-assertion' },
      {
        intercept: (request, response) => {
          if (request.url !== '/token') return false;
          response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}');
          return true;
        },
      },
    );
    await assert.rejects(connecting, isTransportError('unauthorized', /was refused: invalid_grant/));
    assert.equal(signIns.requests.filter(({ url }) => url === '/token').length, 1);
    assert.equal(signIns.authorizations.length, 0);
  });

  it('by the company: its ID token becomes a grant, the grant a token', async () => {
    const exchanged: URLSearchParams[] = [];
    const provider = await opened.server(
      startAuthorizationServer({
        intercept: (request, response) => {
          if (request.url !== '/token') return false;
          exchanged.push(new URLSearchParams(request.body));
          const body = {
            access_token: 'the-grant',
            issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
            token_type: 'N_A',
          };
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
          return true;
        },
      }),
    );
    const identityProvider = { issuer: provider.origin, clientId: 'desk', idToken: 'who-i-am' };
    const { signIns, server, connecting } = await connect({ clientId: 'robot', identityProvider });
    await connecting;
    const [exchange] = exchanged;
    assert.deepEqual(
      ['subject_token', 'audience', 'resource', 'client_id'].map((name) => exchange?.get(name)),
      ['who-i-am', signIns.origin, server.url, 'desk'],
    );
    assert.equal(signIns.tokenRequests[0]?.get('assertion'), 'the-grant');
  });

  for (const [settings, text] of [
    [{ grant: 'magic', clientId: 'robot' }, /"grant".*authorization_code, client_credentials/],
    [{ grant: 'client_credentials' }, /"clientId" is missing/],
    [{ grant: 'jwt_bearer', clientId: 'robot' }, /"assertion" or "assertionFile" is missing/],
    [{ clientId: 'robot', assertionFile: '/nowhere/token' }, /\/nowhere\/token cannot be read \(ENOENT\)/],
    [{ identityProvider: { clientId: 'x' } }, /"identityProvider".*needs/],
    [{ callbackPort: 'eight' }, /"callbackPort".*port/],
  ] as const) {
    it(`with settings that are wrong says which: ${JSON.stringify(settings)}`, async () => {
      const { connecting } = await connect(settings);
      await assert.rejects(connecting, isTransportError('unauthorized', text));
    });
  }
});
