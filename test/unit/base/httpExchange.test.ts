import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import zlib from 'node:zlib';
import { HttpConnections } from '../../../src/base/httpConnections.ts';
import { httpExchange, httpSendOn } from '../../../src/base/httpExchange.ts';
import type { TapFact } from '../../../src/base/tap.ts';
import { deferred } from '../../support/deferred.ts';
import { exchange, isHttpError } from '../../support/exchange.ts';
import { startServer, type TestServer } from '../../support/httpServer.ts';

describe('httpExchange', () => {
  let servers: { close(): Promise<void> }[] = [];
  let connections = new HttpConnections();

  async function serve(...args: Parameters<typeof startServer>): Promise<TestServer> {
    const server = await startServer(...args);
    servers.push(server);
    return server;
  }

  /** A server that speaks raw bytes; `converse` gets each connection. */
  async function serveRaw(converse: (socket: net.Socket, number: number) => void): Promise<string> {
    const sockets = new Set<net.Socket>();
    let number = 0;
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      converse(socket, ++number);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push({
      close: async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
        await once(server, 'close');
      },
    });
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  }

  beforeEach(() => {
    connections = new HttpConnections();
  });

  afterEach(async () => {
    connections.close();
    for (const server of servers) await server.close();
    servers = [];
  });

  it('sends method, headers and body with its length in bytes', async () => {
    const server = await serve((request, response) => response.end(`${request.method} ${request.body}`));
    const { head, body } = await exchange({
      method: 'POST',
      url: `${server.origin}/x`,
      headers: { 'X-A': '1' },
      body: 'café 🌍',
    });
    assert.equal(body, 'POST café 🌍');
    assert.equal(head.status, 200);
    assert.equal(server.requests[0]?.headers['content-length'], String(Buffer.byteLength('café 🌍')));
    assert.equal(server.requests[0]?.headers['x-a'], '1');
  });

  it('keeps the query byte for byte', async () => {
    const server = await serve((_request, response) => response.end());
    const query = "?token=ab%2Fc&e=&'quoted'=%2f&a+b&&";
    await exchange({ url: `${server.origin}/sse${query}#part` });
    assert.equal(server.requests[0]?.url, `/sse${query}`);
  });

  it('uses a kept connection again', async () => {
    const server = await serve((_request, response) => response.end('ok'));
    const send = httpSendOn(connections);
    for (let count = 0; count < 5; count++) await exchange({ url: server.origin }, {}, send);
    assert.equal(server.connectionCount(), 1);
  });

  it('closing the connections ends what runs on them', async () => {
    const server = await serve((_request, response) => response.write('begun'));
    const running = exchange({ url: server.origin }, {}, httpSendOn(connections));
    const failed = assert.rejects(running, isHttpError('broken', true, /broke/));
    await server.request(() => true);
    connections.close();
    await failed;
  });

  it('closing the connections lets nothing be sent any more, and nothing once more', async () => {
    const held = deferred();
    const server = await serve((request, response) => {
      if (request.body === 'held') held.resolve();
      else response.end('ok');
    });
    const send = httpSendOn(connections);
    await exchange({ url: server.origin }, {}, send);
    const post = { method: 'POST', url: server.origin, body: 'held', repeatable: true } as const;
    const failed = assert.rejects(exchange(post, {}, send), isHttpError('broken', true, /broke/));
    await held.promise;
    connections.close();
    await failed;
    await assert.rejects(exchange({ url: server.origin }, {}, send), isHttpError('unreachable', false, /this side/));
    assert.equal(server.connectionCount(), 1);
  });

  for (const [how, speak] of Object.entries<(response: ServerResponse) => void>({
    'does not end': () => undefined,
    'is endless': (response) => {
      const more = (): boolean => !response.destroyed && response.write('x'.repeat(65_536), more);
      more();
    },
  })) {
    it(`takes a refusal as it stands when its body ${how}, and ends the connection`, async () => {
      const server = await serve((_request, response) => {
        response.writeHead(503).write('maintenance');
        speak(response);
      });
      const { head, body } = await exchange({ url: server.origin }, {}, httpSendOn(connections));
      assert.equal(head.status, 503);
      assert.match(body, /^maintenance/);
      while (server.sockets.size > 0) await new Promise(setImmediate);
    });
  }

  it('says nothing after abort', async () => {
    const server = await serve((_request, response) => {
      response.write('one');
      response.socket?.on('close', () => aborted());
    });
    let aborted = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const heard: string[] = [];
    const running = httpExchange(
      { method: 'GET', url: server.origin, headers: {} },
      {
        onResponse: () => heard.push('response'),
        onChunk: () => {
          heard.push('chunk');
          running.abort();
        },
        onEnd: () => heard.push('end'),
        onError: () => heard.push('error'),
      },
      { source: { connection: 'c', server: 's', peer: 'mcp' } },
    );
    await closed;
    assert.deepEqual(heard, ['response', 'chunk']);
  });

  describe('errors', () => {
    it('names host, port and cause when nothing listens', async () => {
      const server = await startServer(() => undefined);
      await server.close();
      await assert.rejects(
        exchange({ url: server.origin }),
        isHttpError(
          'unreachable',
          false,
          new RegExp(`cannot reach 127.0.0.1:${server.port}: nothing listens there .*ECONNREFUSED`),
        ),
      );
    });

    it('names a host that does not exist', async () => {
      await assert.rejects(
        exchange({ url: 'http://no-such-host.invalid:81/' }),
        isHttpError('unreachable', false, /no-such-host\.invalid:81: .*(ENOTFOUND|EAI_AGAIN)/),
      );
    });

    it('names a connection that is cut before and within the answer', async () => {
      const before = await serve((_request, response) => response.socket?.destroy());
      await assert.rejects(exchange({ url: before.origin }), isHttpError('broken', true, /hung up/));
      const within = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('half', () => response.socket?.destroy());
      });
      await assert.rejects(exchange({ url: within.origin }), isHttpError('broken', true, /hung up/));
    });

    it('names an answer that is no HTTP', async () => {
      const origin = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'));
      await assert.rejects(exchange({ url: origin }), isHttpError('broken', true, /no valid HTTP/));
    });

    it('names a port without TLS', async () => {
      const server = await serve((_request, response) => response.end());
      await assert.rejects(
        exchange({ url: server.origin.replace('http:', 'https:') }),
        isHttpError('unreachable', false, /TLS|hung up/),
      );
    });

    it('tells a header that cannot be sent, by name and without its value', async () => {
      const server = await serve((_request, response) => response.end());
      await assert.rejects(exchange({ url: server.origin, headers: { 'X-Key': 's3cret\nx' } }), (error) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, /X-Key/i);
        assert.ok(!error.message.includes('s3cret'));
        return true;
      });
    });
  });

  describe('kept connections that turn out to be dead', () => {
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

    /** Answers the first request of a connection; on the second of the first connection it hangs up without a word. */
    function deadOnSecond(): { origin: Promise<string>; seen: () => number } {
      let requests = 0;
      const origin = serveRaw((socket, number) => {
        let here = 0;
        socket.on('data', () => {
          requests++;
          if (++here === 2 && number === 1) socket.resetAndDestroy();
          else socket.write(ok);
        });
      });
      return { origin, seen: () => requests };
    }

    it('a GET is sent once more on a new connection', async () => {
      const { origin, seen } = deadOnSecond();
      const send = httpSendOn(connections);
      await exchange({ url: await origin }, {}, send);
      assert.equal((await exchange({ url: await origin }, {}, send)).body, 'ok');
      assert.equal(seen(), 3);
    });

    it('a POST that may be repeated is sent once more', async () => {
      const { origin } = deadOnSecond();
      const send = httpSendOn(connections);
      const request = { method: 'POST', url: await origin, body: '{}', repeatable: true } as const;
      await exchange(request, {}, send);
      assert.equal((await exchange(request, {}, send)).body, 'ok');
    });

    it('a POST that reached the peer is never repeated: the peer may have acted on it', async () => {
      const { origin, seen } = deadOnSecond();
      const send = httpSendOn(connections);
      const request = { method: 'POST', url: await origin, body: '{}' } as const;
      await exchange(request, {}, send);
      await assert.rejects(exchange(request, {}, send), isHttpError('broken', true, /hung up/));
      assert.equal(seen(), 2);
    });

    it('nothing is repeated on a connection of its own', async () => {
      let requests = 0;
      const origin = await serveRaw((socket) => socket.on('data', () => (requests++, socket.resetAndDestroy())));
      await assert.rejects(exchange({ url: origin }, {}, httpSendOn(connections)), isHttpError('broken', true, /./));
      assert.equal(requests, 1);
    });

    it('nothing is repeated once an answer has begun', async () => {
      let requests = 0;
      const origin = await serveRaw((socket, number) => {
        let here = 0;
        socket.on('data', () => {
          requests++;
          if (++here === 2 && number === 1)
            socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha', () => socket.destroy());
          else socket.write(ok);
        });
      });
      const send = httpSendOn(connections);
      await exchange({ url: origin }, {}, send);
      await assert.rejects(exchange({ url: origin }, {}, send), isHttpError('broken', true, /./));
      assert.equal(requests, 2);
    });
  });

  describe('compressed bodies', () => {
    const text = Array.from({ length: 2000 }, (_, index) => `café 🌍 ${index * 7919}`).join(' ');
    const ways = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync };
    for (const [encoding, compress] of Object.entries(ways)) {
      it(`undoes ${encoding}`, async () => {
        const server = await serve((_request, response) => {
          response.writeHead(200, { 'Content-Encoding': encoding });
          response.end(compress(text));
        });
        assert.equal((await exchange({ url: server.origin })).body, text);
      });

      it(`tells of a body cut short in ${encoding}`, async () => {
        const server = await serve((_request, response) => {
          response.writeHead(200, { 'Content-Encoding': encoding });
          response.end(compress(text).subarray(0, 1000));
        });
        await assert.rejects(
          exchange({ url: server.origin }),
          isHttpError('broken', true, /cut short|unexpected end/i),
        );
      });
    }

    it('tells of a body that is not what it says', async () => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        response.end('plain text');
      });
      await assert.rejects(exchange({ url: server.origin }), isHttpError('broken', true, /incorrect header/));
    });

    it('passes each flushed piece on at once', async () => {
      const gzip = zlib.createGzip();
      const server = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' });
        gzip.pipe(response);
        gzip.write('first');
        gzip.flush();
      });
      const heard = await new Promise<string>((resolve, reject) => {
        const running = httpExchange(
          { method: 'GET', url: server.origin, headers: {} },
          {
            onResponse: () => undefined,
            onChunk: (chunk) => {
              resolve(Buffer.from(chunk).toString());
              running.abort();
            },
            onEnd: () => reject(new Error('ended')),
            onError: reject,
          },
          { source: { connection: 'c', server: 's', peer: 'mcp' } },
        );
      });
      assert.equal(heard, 'first');
    });
  });

  describe('certificates', () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../fixtures/certificates/${name}`, import.meta.url), 'utf8');

    async function serveTls(name: string): Promise<string> {
      const options = { key: read(`${name}.key.pem`), cert: read(`${name}.cert.pem`) };
      const server = await serve(
        (_request, response) => response.end('safe'),
        (listener) => https.createServer(options, listener),
      );
      return server.origin.replace('http:', 'https:');
    }

    it('names a self-signed certificate', async () => {
      const origin = await serveTls('localhost');
      await assert.rejects(
        exchange({ url: origin }),
        isHttpError('certificate', false, /127\.0\.0\.1:\d+ is not trusted: it is self-signed/),
      );
    });

    it('names a certificate for another host', async () => {
      const origin = await serveTls('other');
      const send = httpSendOn(new HttpConnections({ ca: read('other.cert.pem') }));
      await assert.rejects(
        exchange({ url: origin }, {}, send),
        isHttpError('certificate', false, /issued for other host names than 127\.0\.0\.1/),
      );
    });

    it('trusts what it is told to trust', async () => {
      const origin = await serveTls('localhost');
      connections = new HttpConnections({ ca: read('localhost.cert.pem') });
      assert.equal((await exchange({ url: origin }, {}, httpSendOn(connections))).body, 'safe');
    });

    it('refuses a redirect from https to http', async () => {
      const plain = await serve((_request, response) => response.end());
      const options = { key: read('localhost.key.pem'), cert: read('localhost.cert.pem') };
      const server = await serve(
        (_request, response) => response.writeHead(307, { Location: plain.origin }).end(),
        (listener) => https.createServer(options, listener),
      );
      connections = new HttpConnections({ ca: read('localhost.cert.pem') });
      const url = server.origin.replace('http:', 'https:');
      await assert.rejects(
        exchange({ url }, {}, httpSendOn(connections)),
        isHttpError('redirect', false, /from https to http/),
      );
      assert.equal(plain.requests.length, 0);
    });
  });

  describe('redirects', () => {
    const secret = {
      Authorization: 'Bearer s3cret',
      'X-Key': 'k3y',
      'Mcp-Session-Id': 'sess',
      Cookie: 'c=1',
      'X-Plain': 'p',
    };

    for (const status of [301, 302, 307, 308]) {
      it(`${status} keeps method, body and headers on the same origin`, async () => {
        const server = await serve((request, response) => {
          if (request.url === '/mcp') response.writeHead(status, { Location: '/mcp/' }).end('moved');
          else response.end(request.body);
        });
        const { head, body } = await exchange({
          method: 'POST',
          url: `${server.origin}/mcp`,
          headers: secret,
          body: '{"a":1}',
        });
        assert.equal(body, '{"a":1}');
        assert.equal(head.url, `${server.origin}/mcp/`);
        assert.equal(server.requests[1]?.method, 'POST');
        assert.equal(server.requests[1]?.headers['authorization'], 'Bearer s3cret');
        assert.equal(server.requests[1]?.headers['mcp-session-id'], 'sess');
      });
    }

    it('credentials do not cross an origin', async () => {
      const other = await serve((_request, response) => response.end('there'));
      const server = await serve((_request, response) =>
        response.writeHead(307, { Location: `${other.origin}/x` }).end(),
      );
      const request = { method: 'POST', url: server.origin, headers: secret, body: '{}' } as const;
      const { body } = await exchange(request, { credentialHeaders: ['x-key'] });
      assert.equal(body, 'there');
      const headers = other.requests[0]?.headers ?? {};
      for (const name of ['authorization', 'x-key', 'mcp-session-id', 'cookie'])
        assert.equal(headers[name], undefined, name);
      assert.equal(headers['x-plain'], 'p');
    });

    for (const [target, text] of [
      ['file:///etc/passwd', /redirects to the scheme "file:"/],
      ['unix:///var/run/docker.sock', /"unix:"/],
      ['http://[broken', /no address/],
    ] as const) {
      it(`refuses ${target}`, async () => {
        const server = await serve((_request, response) => response.writeHead(302, { Location: target }).end());
        await assert.rejects(exchange({ url: server.origin }), isHttpError('redirect', false, text));
      });
    }

    it('refuses to turn a POST into a GET', async () => {
      const server = await serve((_request, response) => response.writeHead(303, { Location: '/login' }).end());
      await assert.rejects(
        exchange({ method: 'POST', url: server.origin, body: '{}' }),
        isHttpError('redirect', false, /303/),
      );
      assert.equal(server.requests.length, 1);
    });

    it('ends a loop after five', async () => {
      const server = await serve((request, response) => response.writeHead(307, { Location: `${request.url}a` }).end());
      await assert.rejects(exchange({ url: `${server.origin}/` }), isHttpError('redirect', false, /more than 5 times/));
      assert.equal(server.requests.length, 6);
    });

    it('takes a 3xx without an address for an answer', async () => {
      const server = await serve((_request, response) => response.writeHead(304).end());
      assert.equal((await exchange({ url: server.origin })).head.status, 304);
    });
  });

  it('tells the tap request, response and end of each hop', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(307, { Location: '/b' }).end();
      else response.end('b');
    });
    const facts: TapFact[] = [];
    await exchange({ method: 'POST', url: `${server.origin}/a`, body: '{}' }, { tap: (fact) => facts.push(fact) });
    assert.deepEqual(
      facts.map(({ kind }) => kind),
      ['http-request', 'http-response', 'http-end', 'http-request', 'http-response', 'http-end'],
    );
    const [first, , , second] = facts;
    assert.ok(first?.kind === 'http-request' && second?.kind === 'http-request');
    assert.equal(second.redirectOf, first.exchange);
    assert.equal(first.body, '{}');
  });
});
