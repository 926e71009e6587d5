import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Authorization, AuthorizationChallenge } from '../../../src/mcp/authorization.ts';
import { SignInError } from '../../../src/mcp/signInError.ts';
import { isTransportError, Opened } from '../../support/connected.ts';
import { deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import type { RecordedRequest } from '../../support/httpServer.ts';
import { methodOf, startSseServer } from '../../support/sseServer.ts';
import { startStreamableServer } from '../../support/streamableServer.ts';

/** A sign-in that gives the token `good` when it is asked. */
class SignIn implements Authorization {
  readonly challenges: AuthorizationChallenge[] = [];
  token: string | undefined;
  answer: () => Promise<boolean> = () => {
    this.token = 'good';
    return Promise.resolve(true);
  };

  headers(): Promise<Record<string, string>> {
    const headers: Record<string, string> = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    return Promise.resolve(headers);
  }

  challenge(challenge: AuthorizationChallenge): Promise<boolean> {
    this.challenges.push(challenge);
    return this.answer();
  }
}

const refuseUnless =
  (good: () => string) =>
  (request: RecordedRequest, response: ServerResponse): boolean => {
    if (request.headers['authorization'] === `Bearer ${good()}`) return false;
    response
      .writeHead(401, { 'WWW-Authenticate': 'Bearer resource_metadata="https://x/meta"' })
      .end('{"error":"who are you"}');
    return true;
  };

describe('signing in', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  for (const kind of ['sse', 'auto', 'http'] as const) {
    it(`happens once for requests that are refused together, and each is repeated once (${kind})`, async () => {
      const authorization = new SignIn();
      const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => 'good') }));
      const client = await opened.connect(kind, server.url, { authorization });
      assert.equal((await client.listTools()).length, 2);
      assert.equal(authorization.challenges.length, 1);
      const [challenge] = authorization.challenges;
      assert.deepEqual(challenge, {
        status: 401,
        wwwAuthenticate: 'Bearer resource_metadata="https://x/meta"',
        url: server.url,
        attempt: 1,
        sent: {},
        nonce: undefined,
      });
    });
  }

  it('works over HTTP+SSE: the transport is not mistaken', async () => {
    const authorization = new SignIn();
    const server = await opened.server(startSseServer({ intercept: refuseUnless(() => 'good') }));
    const client = await opened.connect('auto', server.url, { authorization });
    assert.equal(client.transport, 'sse');
    assert.equal((await client.callTool('x', {})).isError, false);
    assert.equal(authorization.challenges.length, 1);
  });

  it('happens again when the token is no longer good, and calls run once each', async () => {
    const authorization = new SignIn();
    let good = 'good';
    const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => good) }));
    const client = await opened.connect('http', server.url, { authorization });
    good = 'better';
    authorization.answer = () => {
      authorization.token = 'better';
      return Promise.resolve(true);
    };
    const results = await Promise.all([1, 2, 3, 4, 5].map((n) => client.callTool('x', { n })));
    assert.equal(results.length, 5);
    assert.equal(authorization.challenges.length, 2);
    const ran = server.requests.filter(
      (request) => methodOf(request) === 'tools/call' && request.headers['authorization'] === 'Bearer better',
    );
    assert.equal(ran.length, 5);
  });

  it('that is declined leaves the refusal as it was', async () => {
    const authorization = new SignIn();
    authorization.answer = () => Promise.resolve(false);
    const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => 'good') }));
    await assert.rejects(
      opened.connect('http', server.url, { authorization }),
      isTransportError('unauthorized', /initialize was answered with HTTP 401.*who are you/, { status: 401 }),
    );
  });

  it('that did not help is tried three times at most', async () => {
    const authorization = new SignIn();
    authorization.answer = () => Promise.resolve(true);
    const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => 'good') }));
    await assert.rejects(
      opened.connect('http', server.url, { authorization }),
      isTransportError('unauthorized', /401/),
    );
    assert.deepEqual(
      authorization.challenges.map(({ attempt }) => attempt),
      [1, 2, 3],
    );
    assert.equal(server.requests.length, 4);
  });

  it('that fails is told', async () => {
    const authorization = new SignIn();
    authorization.answer = () => Promise.reject(new Error('the browser did not open'));
    const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => 'good') }));
    await assert.rejects(
      opened.connect('http', server.url, { authorization }),
      isTransportError('unreachable', /signing in failed: the browser did not open/, { mayHaveRun: false }),
    );
  });

  it('that a person has to begin is a refusal, and no other transport is tried', async () => {
    for (const kind of ['sse', 'auto', 'http'] as const) {
      const authorization = new SignIn();
      authorization.answer = () => Promise.reject(new SignInError('needed', 'sign in first'));
      const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => 'good') }));
      await assert.rejects(
        opened.connect(kind, server.url, { authorization }),
        isTransportError('unauthorized', /^users: sign in first$/, { mayHaveRun: false }),
      );
      assert.equal(authorization.challenges.length, 1);
      assert.ok(server.requests.every((request) => methodOf(request) !== 'notifications/initialized'));
    }
  });

  it('is asked for by a 403 that says what is missing, and not by another', async () => {
    for (const [header, challenges] of [
      [{ 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="w"' }, 1],
      [{}, 0],
    ] as const) {
      const authorization = new SignIn();
      let refuse = true;
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (!refuse || methodOf(request) !== 'tools/call') return false;
            refuse = false;
            response.writeHead(403, header).end();
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url, { authorization });
      const call = client.callTool('x', {});
      if (challenges === 1) assert.equal((await call).isError, false);
      else await assert.rejects(call, isTransportError('forbidden', /403/, { status: 403 }));
      assert.equal(authorization.challenges.length, challenges);
    }
  });

  it('lets the limits of connect and of requests stand still', async () => {
    const clock = new FakeClock();
    const authorization = new SignIn();
    let good = 'good';
    const server = await opened.server(startStreamableServer({ intercept: refuseUnless(() => good) }));

    /** A person takes ten minutes. */
    const signSlowly = async <T>(run: () => Promise<T>): Promise<T> => {
      const asked = deferred();
      const answered = deferred<boolean>();
      authorization.answer = () => {
        asked.resolve();
        return answered.promise;
      };
      const running = run();
      await asked.promise;
      clock.pass(600_000);
      authorization.token = good;
      answered.resolve(true);
      return running;
    };

    const client = await signSlowly(() =>
      opened.connect('http', server.url, { authorization, clock, timeoutMs: 1000 }),
    );
    good = 'next';
    const result = await signSlowly(() => client.callTool('x', {}));
    assert.equal(result.isError, false);
    assert.equal(authorization.challenges.length, 2);
  });

  it('has its own limit afterwards', async () => {
    const clock = new FakeClock();
    const authorization = new SignIn();
    const good = refuseUnless(() => 'good');
    const server = await opened.server(
      startStreamableServer({
        intercept: (request, response) => good(request, response) || methodOf(request) === 'initialize',
      }),
    );
    const connecting = opened.connect('http', server.url, { authorization, clock, timeoutMs: 1000 });
    const failed = assert.rejects(
      connecting,
      isTransportError('timeout', /users: no connection within 1 s: initialize was not answered/),
    );
    await server.request(({ headers }) => headers['authorization'] !== undefined);
    clock.pass(1000);
    await failed;
  });
});
