import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { replyTo, userTools } from '../../support/mcpScript.ts';
import { Opened } from '../../support/connected.ts';
import { methodOf } from '../../support/sseServer.ts';
import { messageOf, startStreamableServer, type StreamableServer } from '../../support/streamableServer.ts';

const text = '北京 – café 🌍';

describe('what comes over Streamable HTTP', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  /** A server that writes the answer to each request itself. */
  const answering = (write: (message: unknown, response: ServerResponse) => void): Promise<StreamableServer> =>
    opened.server(
      startStreamableServer({
        sessions: false,
        intercept: (request, response) => {
          if (request.method !== 'POST' || !/"id"/.test(request.body)) return false;
          const message = messageOf(request);
          void replyTo({ protocolVersion: '2025-06-18' }, message).then((reply) =>
            write({ jsonrpc: '2.0', id: message['id'], ...reply }, response),
          );
          return true;
        },
      }),
    );

  const useIt = async (server: StreamableServer): Promise<void> => {
    const client = await opened.connect('http', server.url);
    assert.equal((await client.listTools()).length, userTools.length);
    const { content } = await client.callTool('echo', { text });
    assert.deepEqual(content, [{ type: 'text', text: `echo ${JSON.stringify({ text })}` }]);
    assert.deepEqual(opened.notes('warning', 'error'), []);
  };

  const frames: Record<string, (json: string) => string> = {
    'CR LF': (json) => `event: message\r\ndata: ${json}\r\n\r\n`,
    CR: (json) => `data: ${json}\r\r`,
    'no blank after the colon': (json) => `event:message\ndata:${json}\n\n`,
    'data before the event name': (json) => `id: 4\ndata: ${json}\nretry: 50\nevent: message\n\n`,
    'a byte order mark': (json) => `\uFEFFdata: ${json}\n\n`,
    'an event with an id and empty data first': (json) => `id: 7\ndata:\n\nid: 8\n\ndata: ${json}\n\n`,
    'heartbeats first': (json) =>
      `data: {"type":"heartbeat"}\n\nevent: keepalive\ndata: {}\n\n: ping\n\ndata: ping\n\ndata: ${json}\n\n`,
    'unknown fields': (json) => `foo: bar\nfoo\ndata: ${json}\n: note\n\n`,
    'a message of somebody else first': (json) =>
      `data: {"jsonrpc":"2.0","id":"x-1","result":{"content":[]}}\n\ndata: ${json}\n\n`,
  };
  for (const [name, frame] of Object.entries(frames)) {
    it(`is read with ${name}`, async () => {
      const server = await answering((message, response) =>
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(frame(JSON.stringify(message))),
      );
      await useIt(server);
    });
  }

  for (const type of ['Text/Event-Stream; Charset=UTF-8', 'text/event-stream;charset=utf-8', 'TEXT/EVENT-STREAM ']) {
    it(`is read with the content type ${type}, on the answer and on the listening stream`, async () => {
      const server: StreamableServer = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (request.method === 'GET') {
              response.writeHead(200, { 'Content-Type': type });
              response.write('data: {"jsonrpc":"2.0","method":"notifications/one"}\n\n');
              return true;
            }
            if (methodOf(request) !== 'tools/call') return false;
            const answer = JSON.stringify({ jsonrpc: '2.0', id: messageOf(request)['id'], result: { content: [] } });
            response.writeHead(200, { 'Content-Type': type }).end(`data: ${answer}\n\n`);
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url);
      await new Promise<void>((resolve) => void client.onDidReceiveNotification(() => resolve()));
      assert.deepEqual((await client.callTool('x', {})).content, []);
    });
  }

  it('is whole however it is cut, as JSON and as events', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      let at = 0;
      const server = await answering((message, response) => {
        const json = JSON.stringify(message);
        const bytes = Buffer.from(type === 'application/json' ? json : `data: ${json}\n\n`);
        response.writeHead(200, { 'Content-Type': type });
        response.write(bytes.subarray(0, at));
        setImmediate(() => response.end(bytes.subarray(at)));
      });
      const client = await opened.connect('http', server.url);
      const whole = `echo ${JSON.stringify({ text })}`;
      for (at = 40; at < 110; at++) {
        const { content } = await client.callTool('echo', { text });
        assert.deepEqual(content, [{ type: 'text', text: whole }], `cut at ${at}`);
      }
    }
  });

  const acceptances: readonly [name: string, status: number, type: string | undefined, body: string][] = [
    ['202 and nothing', 202, undefined, ''],
    ['200 and nothing, typed as JSON', 200, 'application/json', ''],
    ['204', 204, undefined, ''],
    ['200 and null', 200, 'application/json', 'null'],
    ['200 and a word', 200, 'text/plain', 'ok'],
    ['200 and an empty object', 200, 'application/json', '{}'],
    ['200 and an answer with the id null', 200, 'application/json', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['200 and a page', 200, 'text/html', '<html>thanks</html>'],
    ['an empty event stream', 200, 'text/event-stream', ''],
    ['an event stream with a comment', 200, 'text/event-stream', ': accepted\n\n'],
  ];
  for (const [name, status, type, body] of acceptances) {
    it(`may accept a notification with ${name}`, async () => {
      const server = await opened.server(
        startStreamableServer({
          intercept: (request, response) => {
            if (!String(methodOf(request)).startsWith('notifications/')) return false;
            response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body || undefined);
            return true;
          },
        }),
      );
      const client = await opened.connect('http', server.url);
      assert.equal((await client.listTools()).length, userTools.length);
      await client.notify('notifications/roots/list_changed');
      assert.equal((await client.callTool('x', {})).isError, false);
      assert.deepEqual(opened.notes('warning', 'error'), []);
    });
  }

  it('may accept a notification with a stream that stays open', async () => {
    const server = await opened.server(
      startStreamableServer({
        intercept: (request, response) => {
          if (!String(methodOf(request)).startsWith('notifications/')) return false;
          response.writeHead(200, { 'Content-Type': 'text/event-stream' });
          response.write(': here\n\n');
          return true;
        },
      }),
    );
    const client = await opened.connect('http', server.url);
    assert.equal((await client.callTool('x', {})).isError, false);
    await client.close();
  });
});
