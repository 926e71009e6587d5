import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../../../src/base/fileLock.ts';
import type { OauthStore } from '../../../../src/mcp/oauth/oauthOptions.ts';
import { oauthAuthorization } from '../../../../src/mcp/oauth/authorization.ts';
import { oauthOnDemand } from '../../../../src/mcp/signIn.ts';
import { isTransportError, Opened } from '../../../support/connected.ts';
import { startGuardedServer } from '../../../support/guardedServer.ts';
import { browseAndConsent, startOidcProvider } from '../../../support/oidcProvider.ts';
import { MemoryStore, personSigningIn } from '../../../support/protectedServer.ts';

describe('a real authorization server guards a real MCP server', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  it('consent, token, call with step-up, expiry, refresh with rotation, sign-out', async () => {
    const signIns = await opened.server(startOidcProvider({ scopes: 'read write' }));
    const server = await opened.server(startGuardedServer(signIns));
    const pages: string[] = [];
    const asked: string[] = [];
    const store = new MemoryStore();
    const person = personSigningIn(server.url, {
      store,
      openBrowser: async (url) => {
        asked.push(new URL(url).searchParams.get('scope') ?? '');
        pages.push(...(await browseAndConsent(url)));
      },
    });

    const client = await opened.connect('auto', server.url, { authorization: await oauthOnDemand(person) });
    assert.deepEqual(
      (await client.listTools()).map(({ name }) => name),
      ['hello'],
    );
    assert.deepEqual(asked, ['read offline_access']);
    assert.match(pages.at(-1) ?? '', /You are signed in/);

    assert.deepEqual((await client.callTool('hello', {})).content, [{ type: 'text', text: 'hello' }]);
    assert.deepEqual(asked, ['read offline_access', 'read offline_access write']);

    for (let round = 0; round < 2; round++) {
      const before = server.tokens.size;
      for (const token of server.tokens) await signIns.expire(token);
      assert.deepEqual((await client.callTool('hello', {})).content, [{ type: 'text', text: 'hello' }]);
      assert.equal(server.tokens.size, before + 1);
    }
    assert.equal(asked.length, 2, 'nobody was asked again');

    await oauthAuthorization(person).signOut();
    for (const token of server.tokens) assert.equal(await signIns.check(token), undefined);
    const background = await oauthOnDemand({ ...person, interactive: false });
    await assert.rejects(
      opened.connect('auto', server.url, { authorization: background }),
      isTransportError('unauthorized', /asks you to sign in/),
    );
  });

  it('two windows never spend a refresh token twice, for which this server would sign both out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
    try {
      const signIns = await opened.server(startOidcProvider({ scopes: 'read write' }));
      const server = await opened.server(startGuardedServer(signIns));
      const kept = new MemoryStore();
      // Each window has its own object in front of what all share; reading and writing take a moment.
      const windowStore = (): OauthStore => ({
        get: async (key) => delayed(() => kept.get(key)),
        set: async (key, value) => delayed(() => kept.set(key, value)),
        delete: async (key) => delayed(() => kept.delete(key)),
        lock: () => lockFile(join(folder, 'one.lock'), { lookMs: 5 }),
      });
      let asked = 0;
      const person = personSigningIn(server.url, {
        store: windowStore(),
        settings: { scopes: ['read', 'write', 'offline_access'] },
        openBrowser: async (url) => {
          asked += 1;
          await browseAndConsent(url);
        },
      });
      const first = await opened.connect('auto', server.url, { authorization: await oauthOnDemand(person) });
      const other = { ...person, store: windowStore(), interactive: false };
      const second = await opened.connect('auto', server.url, { authorization: await oauthOnDemand(other) });
      for (let round = 0; round < 3; round++) {
        for (const token of server.tokens) await signIns.expire(token);
        const before = server.tokens.size;
        const results = await Promise.all([first, second, first, second].map((one) => one.callTool('hello', {})));
        assert.ok(results.every(({ isError }) => isError !== true));
        assert.equal(server.tokens.size, before + 1, 'one new token for both');
      }
      assert.equal(asked, 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('binds tokens to a key where the settings say so', async () => {
    const signIns = await opened.server(startOidcProvider({ scopes: 'read write' }));
    const server = await opened.server(startGuardedServer(signIns));
    const store = new MemoryStore();
    const person = personSigningIn(server.url, {
      store,
      settings: { dpop: true, scopes: ['read'] },
      openBrowser: async (url) => void (await browseAndConsent(url)),
    });
    const authorization = oauthAuthorization(person);
    await authorization.signIn();
    const request = { method: 'POST', url: server.url };
    const [first, second] = [await authorization.headers(request), await authorization.headers(request)];
    assert.match(first['Authorization'] ?? '', /^DPoP /);
    assert.notEqual(first['DPoP'], second['DPoP']);
  });
});

async function delayed<T>(run: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 15));
  return run();
}
