import assert from 'node:assert/strict';
import { oauthAuthorization } from '../../../../src/mcp/oauth/authorization.ts';
import { oauthOnDemand } from '../../../../src/mcp/signIn.ts';
import { startAuthorizationServer, type AuthorizationScript } from '../../../support/authorizationServer.ts';
import { isTransportError, Opened } from '../../../support/connected.ts';
import {
  MemoryStore,
  personSigningIn,
  SSE_METADATA_PATH,
  startProtectedServer,
  startProtectedSseServer,
  type Protection,
} from '../../../support/protectedServer.ts';

describe('a sign-in by OAuth', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function start(protection: Partial<Protection> = {}, script: AuthorizationScript = {}) {
    const signIns = await opened.server(startAuthorizationServer(script));
    const server = await opened.server(startProtectedServer({ by: () => signIns, ...protection }));
    return { signIns, server };
  }

  it('asks with everything that the specification wants, and then works', async () => {
    const { signIns, server } = await start({ metadata: { scopes_supported: ['r', 'w'] } });
    const person = personSigningIn(server.url);
    const client = await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
    assert.equal((await client.listTools()).length, 2);
    const [asked] = signIns.authorizations;
    assert.equal(asked?.get('resource'), server.url);
    assert.equal(asked.get('code_challenge_method'), 'S256');
    assert.equal(asked.get('scope'), 'r w');
    assert.ok((asked.get('state') ?? '').length >= 20);
    assert.match(asked.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(signIns.tokenRequests[0]?.get('resource'), server.url);
    assert.deepEqual(
      [signIns.registrations[0]?.['application_type'], signIns.registrations[0]?.['grant_types']],
      ['native', ['authorization_code', 'refresh_token']],
    );
    const last = server.requests.at(-1);
    assert.match(String(last?.headers['authorization']), /^Bearer token-/);
    assert.ok(server.requests.every(({ url }) => !url.includes('token-')));
  });

  it('is kept: the next connection asks nobody', async () => {
    const { signIns, server } = await start();
    const person = personSigningIn(server.url);
    for (let round = 0; round < 2; round++) {
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
    }
    assert.equal(signIns.authorizations.length, 1);
  });

  for (const [where, protection] of [
    ['at the path-aware address', { challenge: () => undefined }],
    ['at the root', { challenge: () => undefined, metadataPath: '/.well-known/oauth-protected-resource' }],
    ['where the header says', { metadataPath: '/.well-known/somewhere/else' }],
    [
      'at the well-known address, where the header misleads',
      { challenge: (at: string) => `Bearer resource_metadata="${at}/none"` },
    ],
  ] as const) {
    it(`finds the metadata ${where}`, async () => {
      const { signIns, server } = await start(protection);
      const authorization = await oauthOnDemand(personSigningIn(server.url));
      assert.ok(await opened.connect('http', server.url, { authorization }));
      assert.equal(signIns.authorizations.length, 1);
    });
  }

  it('of a server that says nothing ends with a word about headers, and opens no browser', async () => {
    const { server } = await start({ metadata: null, challenge: () => undefined });
    for (const interactive of [false, true]) {
      const person = personSigningIn(server.url, { interactive });
      await assert.rejects(
        opened.connect('auto', server.url, { authorization: await oauthOnDemand(person) }),
        isTransportError('unauthorized', /does not say where to get them.*"headers"/),
      );
      assert.deepEqual(person.opened, []);
    }
  });

  describe('checks whose resource it is', () => {
    for (const [what, resource, accepted] of [
      ['the very address', (origin: string) => `${origin}/mcp`, true],
      ['a slash at the end', (origin: string) => `${origin}/mcp/`, true],
      ['the whole origin', (origin: string) => origin, true],
      ['another path', (origin: string) => `${origin}/other`, false],
      ['a longer path', (origin: string) => `${origin}/mcp/more`, false],
      ['another origin', () => 'https://evil.example.com/mcp', false],
      ['no address', () => 'users', false],
    ] as const) {
      it(`${what}: ${accepted ? 'accepted' : 'refused, and both values are shown'}`, async () => {
        const signIns = await opened.server(startAuthorizationServer());
        const holder = { resource: '' };
        const server = await opened.server(startProtectedServer({ by: () => signIns, metadata: holder }));
        holder.resource = resource(server.origin);
        const person = personSigningIn(server.url);
        const connecting = opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
        if (accepted) {
          assert.ok(await connecting);
          assert.equal(signIns.authorizations[0]?.get('resource'), holder.resource);
          return;
        }
        await assert.rejects(connecting, (error: Error) => {
          assert.ok(error.message.includes(holder.resource) && error.message.includes(server.url), error.message);
          return true;
        });
        assert.equal(signIns.authorizations.length, 0);
      });
    }

    it('and takes another one that the settings allow', async () => {
      const signIns = await opened.server(startAuthorizationServer());
      const metadata = { resource: 'https://gateway.example.com/users' };
      const server = await opened.server(startProtectedServer({ by: () => signIns, metadata }));
      const person = personSigningIn(server.url, { settings: metadata });
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
      assert.equal(signIns.authorizations[0]?.get('resource'), metadata.resource);
    });
  });

  for (const [what, script, text] of [
    [
      'another issuer in the answer',
      { answer: { iss: 'https://evil.example.com' } },
      /came from another authorization server/,
    ],
    [
      'an issuer that is equal only once it is normalized',
      { answer: { iss: 'http://127.0.0.1:1/' } },
      /another authorization server/,
    ],
    ['no issuer where one was announced', { answer: { iss: null } }, /does not say who gave it/],
    [
      'a refusal by somebody else',
      { answer: { iss: 'https://evil.example.com', error: 'SECRET', code: null } },
      /^(?!.*SECRET)/,
    ],
    [
      'a refusal',
      { answer: { error: 'access_denied', error_description: 'not you', code: null } },
      /access_denied \(not you\)/,
    ],
    ['no PKCE', { metadata: { code_challenge_methods_supported: null } }, /does not say that it checks PKCE/],
    ['plain PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /does not say that it checks PKCE/],
    [
      'metadata of another issuer',
      { metadata: { issuer: 'https://evil.example.com' } },
      /is that of another issuer: https:\/\/evil/,
    ],
    ['no registration', { metadata: { registration_endpoint: null } }, /registers no clients by itself.*"clientId"/],
    [
      'a page that is no page',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      /must be an https address/,
    ],
    [
      'a token endpoint elsewhere without TLS',
      { metadata: { token_endpoint: 'http://example.com/token' } },
      /must be an https address, not http:\/\/example\.com/,
    ],
  ] as const) {
    it(`is refused for ${what}, and no token is asked for`, async () => {
      const { signIns, server } = await start({}, script);
      const person = personSigningIn(server.url);
      await assert.rejects(
        opened.connect('http', server.url, { authorization: await oauthOnDemand(person) }),
        isTransportError('unauthorized', text, { mayHaveRun: false }),
      );
      assert.equal(signIns.tokenRequests.length, 0);
    });
  }

  it('without an issuer in the answer goes on where none was announced', async () => {
    const { server } = await start(
      {},
      {
        answer: { iss: null },
        metadata: { authorization_response_iss_parameter_supported: null },
      },
    );
    const authorization = await oauthOnDemand(personSigningIn(server.url));
    assert.ok(await opened.connect('http', server.url, { authorization }));
  });

  it('asks for the scope of the refusal rather than for all, and for offline_access only where it is known', async () => {
    for (const known of [[], ['offline_access']]) {
      const { signIns, server } = await start(
        {
          metadata: { scopes_supported: ['r', 'w', 'x'] },
          challenge: (at) => `Bearer scope="r", resource_metadata="${at}/.well-known/oauth-protected-resource/mcp"`,
        },
        { metadata: { scopes_supported: known } },
      );
      const authorization = await oauthOnDemand(personSigningIn(server.url));
      await opened.connect('http', server.url, { authorization });
      assert.equal(signIns.authorizations[0]?.get('scope'), ['r', ...known].join(' '));
      await opened.close();
    }
  });

  describe('chooses who we are', () => {
    it('the client of the settings first', async () => {
      const { signIns, server } = await start({}, { metadata: { client_id_metadata_document_supported: true } });
      const person = personSigningIn(server.url, {
        settings: { clientId: 'mine' },
        clientMetadataUrl: 'https://example.com/client.json',
      });
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
      assert.equal(signIns.authorizations[0]?.get('client_id'), 'mine');
      assert.equal(signIns.registrations.length, 0);
    });

    it('then the metadata document, where it is understood', async () => {
      const { signIns, server } = await start({}, { metadata: { client_id_metadata_document_supported: true } });
      const person = personSigningIn(server.url, { clientMetadataUrl: 'https://example.com/client.json' });
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
      assert.equal(signIns.authorizations[0]?.get('client_id'), 'https://example.com/client.json');
      assert.equal(signIns.registrations.length, 0);
    });

    it('a registration is used again as long as the browser comes back to the same address', async () => {
      const { signIns, server } = await start();
      const person = personSigningIn(server.url);
      await oauthAuthorization(person).signIn();
      await oauthAuthorization(person).signIn();
      assert.equal(signIns.authorizations.length, 2);
      assert.equal(signIns.registrations.length, 1);
    });

    it('never credentials of another authorization server', async () => {
      const first = await opened.server(startAuthorizationServer());
      const second = await opened.server(startAuthorizationServer());
      let current = first;
      const server = await opened.server(startProtectedServer({ by: () => current }));
      const person = personSigningIn(server.url);
      await (await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) })).close();
      current = second;
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
      assert.equal(second.registrations.length, 1);
      assert.equal(second.grants('refresh_token'), 0);
      assert.equal(first.tokenRequests.length, 1);
      const sent = [...second.requests.map(({ body, url }) => `${url} ${body}`)].join('\n');
      assert.ok(first.secrets.every((secret) => !sent.includes(secret)));
    });

    it('and settings for another authorization server are an error', async () => {
      const { signIns, server } = await start();
      const settings = { clientId: 'mine', clientSecret: 'hush-hush-hush', issuer: 'https://login.example.com' };
      const person = personSigningIn(server.url, { settings });
      await assert.rejects(
        opened.connect('http', server.url, { authorization: await oauthOnDemand(person) }),
        isTransportError(
          'unauthorized',
          /are for the authorization server https:\/\/login\.example\.com, but it names/,
        ),
      );
      assert.equal(signIns.tokenRequests.length, 0);
    });

    it('and a client of the settings stays with the authorization server that it was first used at', async () => {
      for (const settings of [
        { clientId: 'mine', clientSecret: 'hush-hush-hush' },
        { clientId: 'mine', clientSecret: 'hush-hush-hush', grant: 'client_credentials' },
      ]) {
        const first = await opened.server(startAuthorizationServer());
        const second = await opened.server(startAuthorizationServer());
        let current = first;
        const server = await opened.server(startProtectedServer({ by: () => current }));
        const person = personSigningIn(server.url, { settings });
        await (await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) })).close();
        current = second;
        await assert.rejects(
          opened.connect('http', server.url, { authorization: await oauthOnDemand(person) }),
          isTransportError('unauthorized', /was used at http.*but now it names.*Nothing was sent.*"issuer"/),
        );
        assert.equal(second.requests.filter(({ url }) => url !== '/.well-known/oauth-authorization-server').length, 0);
      }
    });

    it('a secret is sent as plain percent encoding', async () => {
      const { signIns, server } = await start(
        {},
        {
          metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] },
        },
      );
      const person = personSigningIn(server.url, { settings: { clientId: 'a-b_c.d', clientSecret: 's-e_c.r:t/' } });
      await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
      const request = signIns.requests.find(({ url }) => url === '/token');
      const basic = Buffer.from(String(request?.headers['authorization']).slice(6), 'base64').toString();
      assert.equal(basic, 'a-b_c.d:s-e_c.r%3At%2F');
      assert.equal(signIns.tokenRequests[0]?.get('client_secret'), null);
    });
  });

  it('waits until a person begins it, then asks for what was asked for', async () => {
    const { signIns, server } = await start({
      challenge: (at) => `Bearer scope="r", resource_metadata="${at}/.well-known/oauth-protected-resource/mcp"`,
    });
    const person = personSigningIn(server.url, { interactive: false, howToSignIn: 'Press the button' });
    for (const kind of ['auto', 'http'] as const) {
      await assert.rejects(
        opened.connect(kind, server.url, { authorization: await oauthOnDemand(person) }),
        isTransportError('unauthorized', /it asks you to sign in at 127\.0\.0\.1:\d+\. Press the button/),
      );
    }
    assert.deepEqual(person.opened, []);
    await oauthAuthorization({ ...person, interactive: true }).signIn();
    assert.equal(signIns.authorizations[0]?.get('scope'), 'r');
    assert.ok(await opened.connect('auto', server.url, { authorization: await oauthOnDemand(person) }));
  });

  it('goes on where it was refused: no other transport, one handshake', async () => {
    const signIns = await opened.server(startAuthorizationServer());
    const protection = {
      by: () => signIns,
      metadataPath: SSE_METADATA_PATH,
    };
    const server = await opened.server(startProtectedSseServer(protection));
    for (const kind of ['auto', 'sse'] as const) {
      const authorization = await oauthOnDemand(personSigningIn(server.url));
      const client = await opened.connect(kind, server.url, { authorization });
      assert.equal(client.transport, 'sse');
      signIns.tokens.clear();
      assert.equal((await client.callTool('x', {})).isError, false);
    }
    assert.equal(signIns.authorizations.length, 2);
    assert.equal(signIns.grants('refresh_token'), 2);
  });

  it('ends when it is cancelled, and when nobody comes', async () => {
    const { server } = await start();
    const controller = new AbortController();
    const person = personSigningIn(server.url, {
      signal: controller.signal,
      openBrowser: () => Promise.resolve(controller.abort()),
    });
    await assert.rejects(
      opened.connect('http', server.url, { authorization: await oauthOnDemand(person) }),
      isTransportError('unauthorized', /the sign-in was cancelled/),
    );
  });

  it('is forgotten by a sign-out, at the authorization server too', async () => {
    const { signIns, server } = await start();
    const store = new MemoryStore();
    const person = personSigningIn(server.url, { store });
    await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
    await oauthAuthorization(person).signOut();
    assert.equal(signIns.tokens.size, 0);
    assert.equal(signIns.refreshTokens.size, 0);
    assert.ok([...store.kept.values()].every((value) => !value.includes('token-')));
    const later = personSigningIn(server.url, { store, interactive: false });
    await assert.rejects(
      opened.connect('http', server.url, { authorization: await oauthOnDemand(later) }),
      isTransportError('unauthorized', /asks you to sign in/),
    );
  });

  it('sends its token to no other origin', async () => {
    const { server } = await start();
    const authorization = oauthAuthorization(personSigningIn(server.url));
    await authorization.signIn();
    assert.match(String((await authorization.headers({ method: 'GET', url: server.url }))['Authorization']), /^Bearer/);
    assert.deepEqual(await authorization.headers({ method: 'GET', url: 'https://example.com/mcp' }), {});
  });
});
