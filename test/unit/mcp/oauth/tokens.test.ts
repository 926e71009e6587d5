import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { oauthAuthorization } from '../../../../src/mcp/oauth/authorization.ts';
import { oauthOnDemand } from '../../../../src/mcp/signIn.ts';
import { WireLog } from '../../../../src/wire/wireLog.ts';
import { startAuthorizationServer, type AuthorizationScript } from '../../../support/authorizationServer.ts';
import { isTransportError, Opened } from '../../../support/connected.ts';
import {
  MemoryStore,
  personSigningIn,
  startProtectedServer,
  type Protection,
} from '../../../support/protectedServer.ts';

describe('tokens', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function start(protection: Partial<Protection> = {}, script: AuthorizationScript = {}) {
    const signIns = await opened.server(startAuthorizationServer(script));
    const server = await opened.server(startProtectedServer({ by: () => signIns, ...protection }));
    const person = personSigningIn(server.url);
    const client = await opened.connect('http', server.url, { authorization: await oauthOnDemand(person) });
    return { signIns, server, person, client };
  }

  it('that are refused in mid-life are renewed once, whatever is under way', async () => {
    const { signIns, server, person, client } = await start();
    signIns.tokens.clear();
    const results = await Promise.all([1, 2, 3, 4, 5].map((n) => client.callTool('x', { n })));
    assert.ok(results.every(({ isError }) => !isError));
    assert.equal(signIns.grants('refresh_token'), 1);
    assert.equal(signIns.tokenRequests.at(-1)?.get('resource'), server.url);
    assert.equal(person.opened.length, 1);
  });

  it('are renewed by one of two windows, the other takes what it has stored', async () => {
    const { signIns, server, person, client } = await start();
    const other = personSigningIn(server.url, { store: person.store });
    const second = await opened.connect('http', server.url, { authorization: await oauthOnDemand(other) });
    for (let round = 1; round <= 3; round++) {
      signIns.tokens.clear();
      const calls = [client, second, client, second].map((one) => one.callTool('x', {}));
      assert.ok((await Promise.all(calls)).every(({ isError }) => !isError));
      assert.equal(signIns.grants('refresh_token'), round);
    }
    assert.equal(other.opened.length, 0);
  });

  it('whose refresh token another process has just spent are taken from the store', async () => {
    const { signIns, server, person, client } = await start();
    const { store } = person;
    assert.ok(store instanceof MemoryStore);
    // Another process renews at the same moment: its refresh is done, its token not stored yet.
    const key = [...store.kept.keys()].find((name) => name.startsWith('oauth.session')) ?? '';
    const before: Record<string, unknown> = JSON.parse((await person.store.get(key)) ?? '{}');
    signIns.tokens.clear();
    signIns.refreshTokens.clear();
    signIns.tokens.set('token-of-the-other-process', []);
    const call = client.callTool('x', {});
    await signIns.request(({ url, body }) => url === '/token' && body.includes('refresh_token'));
    await person.store.set(key, JSON.stringify({ ...before, accessToken: 'token-of-the-other-process' }));
    assert.equal((await call).isError, false);
    assert.equal(person.opened.length, 1);
    assert.equal(server.requests.at(-1)?.headers['authorization'], 'Bearer token-of-the-other-process');
  });

  it('are renewed before they end', async () => {
    const { signIns, client, person } = await start({}, { expiresIn: 10 });
    const before = signIns.grants('refresh_token');
    await client.callTool('x', {});
    assert.ok(signIns.grants('refresh_token') > before);
    assert.equal(person.opened.length, 1);
  });

  it('without a refresh token end in a sign-in that a person has to begin', async () => {
    const { signIns, server, person } = await start({}, { refreshes: false });
    signIns.tokens.clear();
    const later = personSigningIn(server.url, { store: person.store, interactive: false });
    await assert.rejects(
      opened.connect('http', server.url, { authorization: await oauthOnDemand(later) }),
      isTransportError('unauthorized', /asks you to sign in/),
    );
    assert.equal(later.opened.length, 0);
  });

  it('that are never accepted end: no refresh and no sign-in goes round in circles', async () => {
    const signIns = await opened.server(startAuthorizationServer());
    const everRefusing = await opened.server(
      startProtectedServer({ by: () => ({ ...signIns, tokens: new Map<string, readonly string[]>() }) }),
    );
    for (const interactive of [false, true]) {
      const endless = personSigningIn(everRefusing.url, { interactive });
      const before = signIns.tokenRequests.length;
      const authorization = await oauthOnDemand(endless);
      for (let round = 0; round < 3; round++) {
        const text = interactive
          ? /refuses the token that its authorization server has just given/
          : /asks you to sign in/;
        await assert.rejects(
          opened.connect('http', everRefusing.url, { authorization }),
          isTransportError('unauthorized', text),
        );
      }
      assert.equal(endless.opened.length, interactive ? 3 : 0);
      assert.equal(signIns.tokenRequests.length - before, interactive ? 3 : 0);
    }
  });

  describe('with too few permissions', () => {
    const scopeFor = (method: string): string | undefined => (method === 'tools/call' ? 'w' : undefined);
    const readOnly = (at: string): string =>
      `Bearer scope="r", resource_metadata="${at}/.well-known/oauth-protected-resource/mcp"`;

    it('are replaced by one more sign-in, which asks for both', async () => {
      const { signIns, client } = await start({ scopeFor, challenge: readOnly });
      assert.equal((await client.callTool('x', {})).isError, false);
      assert.deepEqual(
        signIns.authorizations.map((asked) => asked.get('scope')),
        ['r', 'r w'],
      );
    });

    it('and no better afterwards leave the refusal as it is', async () => {
      let intercepting = false;
      const { signIns, client } = await start({
        challenge: readOnly,
        script: {
          intercept: (request, response) => {
            if (!intercepting || !request.body.includes('tools/call')) return false;
            const header = 'Bearer error="insufficient_scope", scope="w"';
            response.writeHead(403, { 'WWW-Authenticate': header }).end();
            return true;
          },
        },
      });
      intercepting = true;
      for (let round = 0; round < 3; round++) {
        await assert.rejects(client.callTool('x', {}), isTransportError('forbidden', /403/, { status: 403 }));
      }
      assert.equal(signIns.authorizations.length, 2);
    });

    it('wait for the person, and the sign-in then asks for both', async () => {
      const { signIns, server, person, client } = await start({ scopeFor, challenge: readOnly });
      await client.close();
      const background = { ...person, interactive: false };
      const second = await opened.connect('http', server.url, { authorization: await oauthOnDemand(background) });
      await assert.rejects(
        second.callTool('x', {}),
        isTransportError('unauthorized', /asks for more permissions \(w\)/),
      );
      assert.equal(signIns.authorizations.length, 1);
      await oauthAuthorization(person).signIn();
      assert.equal(signIns.authorizations[1]?.get('scope'), 'r w');
      assert.equal((await second.callTool('x', {})).isError, false);
    });

    it('but a plain 403 asks nobody', async () => {
      let intercepting = false;
      const { signIns, client } = await start({
        script: {
          intercept: (request, response) => {
            if (!intercepting || !request.body.includes('tools/call')) return false;
            response.writeHead(403, { 'WWW-Authenticate': 'Bearer error="forbidden"' }).end('no');
            return true;
          },
        },
      });
      intercepting = true;
      await assert.rejects(client.callTool('x', {}), isTransportError('forbidden', /403/));
      assert.equal(signIns.tokenRequests.length, 1);
    });
  });

  it('and what they are got with stand in no record and no error', async () => {
    const wire = new WireLog();
    const signIns = await opened.server(startAuthorizationServer());
    const server = await opened.server(startProtectedServer({ by: () => signIns }));
    const settings = { clientId: 'mine', clientSecret: 'secret-of-the-client' };
    const { tap } = wire;
    const person = personSigningIn(server.url, { settings, tap, onSecret: (value) => wire.addSecret(value) });
    const client = await opened.connect('http', server.url, { authorization: await oauthOnDemand(person), tap });
    signIns.tokens.clear();
    await client.callTool('x', {});
    signIns.tokens.clear();
    signIns.refreshTokens.clear();
    const background = await oauthOnDemand({ ...person, interactive: false });
    const failure: unknown = await opened.connect('http', server.url, { authorization: background, tap }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error);
    const text = inspect(failure, { depth: 20 }) + JSON.stringify(wire.entries());
    assert.ok(text.includes('/token'), 'the record shows the exchanges');
    const verifiers = signIns.tokenRequests.map((form) => form.get('code_verifier') ?? '').filter(Boolean);
    const given = signIns.secrets.map((secret) => secret.slice(secret.indexOf('-') + 1));
    for (const secret of [...given, ...verifiers, 'secret-of-the-client']) {
      assert.ok(!text.includes(secret), `${secret} is readable`);
    }
  });

  it('echoed by an authorization server that refuses are hidden in the error', async () => {
    const echoing = await opened.server(
      startAuthorizationServer({
        intercept: (request, response) => {
          if (request.url !== '/token') return false;
          const body = { error: 'invalid_request', error_description: `bad secret hush-hush-hush` };
          response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
          return true;
        },
      }),
    );
    const guarded = await opened.server(startProtectedServer({ by: () => echoing }));
    const settings = { clientId: 'mine', clientSecret: 'hush-hush-hush' };
    const failing = oauthAuthorization(personSigningIn(guarded.url, { settings }));
    await assert.rejects(failing.signIn(), (error: Error) => {
      assert.match(error.message, /invalid_request/);
      assert.ok(!inspect(error).includes('hush'), error.message);
      return true;
    });
  });
});
