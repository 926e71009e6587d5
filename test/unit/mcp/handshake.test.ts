import assert from 'node:assert/strict';
import { ProtocolError } from '../../../src/mcp/errors.ts';
import { isTransportError, Opened, settle } from '../../support/connected.ts';
import type { RecordedRequest } from '../../support/httpServer.ts';
import type { McpScript } from '../../support/mcpScript.ts';
import { methodOf, startSseServer } from '../../support/sseServer.ts';
import { answerWith, messageOf, startStreamableServer } from '../../support/streamableServer.ts';

describe('the handshake', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    it(`goes on with ${version}`, async () => {
      const sse = await opened.server(startSseServer({ protocolVersion: version }));
      assert.equal((await opened.connect('sse', sse.url)).protocolVersion, version);
      const http = await opened.server(startStreamableServer({ protocolVersion: version }));
      const client = await opened.connect('http', http.url);
      await client.listTools();
      assert.equal((await http.post('tools/list')).headers['mcp-protocol-version'], version);
    });
  }

  for (const version of ['1999-01-01', '2026-07-28', '', 7, null, undefined]) {
    it(`ends with ${JSON.stringify(version) ?? 'no version'}, naming it, and sends nothing more`, async () => {
      const result = { protocolVersion: version, capabilities: {}, serverInfo: { name: 's', version: '1' } };
      const script: McpScript = { reply: ({ method }) => (method === 'initialize' ? { result } : undefined) };
      for (const [kind, server] of [
        ['sse', await opened.server(startSseServer(script))],
        ['http', await opened.server(startStreamableServer(script))],
      ] as const) {
        await assert.rejects(opened.connect(kind, server.url), (error) => {
          assert.ok(error instanceof ProtocolError);
          assert.equal(error.code, 'version');
          assert.ok(
            error.message.includes(version === undefined ? 'no protocol version' : JSON.stringify(version)),
            error.message,
          );
          return true;
        });
        assert.ok(!server.requests.some((request) => methodOf(request) === 'notifications/initialized'));
      }
    });
  }

  it('offers the newest revision, or the one that is asked for', async () => {
    const server = await opened.server(startSseServer());
    await opened.connect('sse', server.url);
    await opened.connect('sse', server.url, { protocolVersion: '2025-03-26' });
    const offers = server.messages
      .filter(({ method }) => method === 'initialize')
      .map(({ params }) => Object(params).protocolVersion);
    assert.deepEqual(offers, ['2025-11-25', '2025-03-26']);
  });

  for (const [name, body, type] of [
    [
      'text',
      'Bad Request: Unsupported protocol version: 2025-11-25 - supported versions: 2024-11-05, 2025-03-26',
      'text/plain',
    ],
    [
      'a JSON-RPC error',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Unsupported protocol version (supported versions: 2025-03-26)"}}',
      'application/json',
    ],
    [
      'data',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"supported":["2025-03-26"],"requested":"2025-11-25"}}}',
      'application/json',
    ],
  ] as const) {
    it(`tries once more with the newest common revision when HTTP 400 names older ones in ${name}`, async () => {
      const server = await opened.server(
        startStreamableServer({
          protocolVersion: '2025-03-26',
          intercept: (request, response) => {
            if (!request.body.includes('"2025-11-25"')) return false;
            response.writeHead(400, { 'Content-Type': type }).end(body);
            return true;
          },
        }),
      );
      for (const kind of ['http', 'auto'] as const) {
        const client = await opened.connect(kind, server.url);
        assert.equal(client.protocolVersion, '2025-03-26');
        await client.listTools();
      }
    });
  }

  it('tries no more than once', async () => {
    const server = await opened.server(
      startStreamableServer({
        intercept: (request, response) => {
          if (methodOf(request) !== 'initialize') return false;
          response.writeHead(400).end('supported versions: 2024-11-05');
          return true;
        },
      }),
    );
    await assert.rejects(
      opened.connect('http', server.url),
      isTransportError('http-status', /supported versions/, { status: 400 }),
    );
    assert.equal(server.requests.filter((request) => methodOf(request) === 'initialize').length, 2);
  });

  it('declares what is answered, and nothing else', async () => {
    const server = await opened.server(startSseServer());
    const answer = (): Promise<unknown> => Promise.resolve({});
    await opened.connect('sse', server.url, {
      handlers: { 'sampling/createMessage': answer, 'elicitation/create': answer },
    });
    await opened.connect('sse', server.url, {
      handlers: { 'roots/list': answer },
      capabilities: { elicitation: { form: {}, url: {} } },
    });
    const declared = server.messages
      .filter(({ method }) => method === 'initialize')
      .map(({ params }) => Object(params).capabilities);
    assert.deepEqual(declared, [
      { roots: { listChanged: true }, sampling: {}, elicitation: {} },
      { roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
    ]);
  });

  it('reads a careless answer', async () => {
    const result = { protocolVersion: '2024-11-05', serverInfo: 'me', instructions: '' };
    const server = await opened.server(
      startSseServer({ reply: ({ method }) => (method === 'initialize' ? { result } : undefined) }),
    );
    const client = await opened.connect('sse', server.url);
    assert.deepEqual(client.serverInfo, { name: '', version: '' });
    assert.deepEqual(client.capabilities, {});
    assert.equal(client.instructions, undefined);
    assert.equal((await client.listTools()).length, 2);
  });

  it('hands on instructions and capabilities', async () => {
    const server = await opened.server(
      startSseServer({ instructions: 'Be nice.', capabilities: { tools: {}, prompts: { listChanged: true } } }),
    );
    const client = await opened.connect('sse', server.url);
    assert.equal(client.instructions, 'Be nice.');
    assert.deepEqual(client.capabilities, { tools: {}, prompts: { listChanged: true } });
  });

  it('keeps notifications that arrive before it is complete', async () => {
    const server = await opened.server(
      startSseServer({
        intercept: (request, _response, { sessions }) => {
          if (methodOf(request) === 'notifications/initialized')
            sessions[0]?.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
          return false;
        },
      }),
    );
    const client = await opened.connect('sse', server.url);
    await new Promise<void>((resolve) => client.onDidChangeTools(resolve));
  });

  for (const kind of ['sse', 'http'] as const) {
    it(`goes on where the notice that it is complete is never acknowledged, also within a short limit (${kind})`, async () => {
      const ignored = { intercept: (request: RecordedRequest) => methodOf(request) === 'notifications/initialized' };
      const { url } =
        kind === 'sse'
          ? await opened.server(startSseServer(ignored))
          : await opened.server(startStreamableServer(ignored));
      const client = await opened.connect(kind, url, { timeoutMs: 1000 });
      assert.equal((await client.listTools()).length, 2);
    });
  }

  it('given up on its last step is over: nothing is sent any more, and no session is told', async () => {
    const server = await opened.server(
      startSseServer({ intercept: (request) => methodOf(request) === 'notifications/initialized' }),
    );
    const giveUp = new AbortController();
    const attempt = opened.connect('sse', server.url, { signal: giveUp.signal });
    const isNotice = (request: RecordedRequest): boolean => methodOf(request) === 'notifications/initialized';
    await server.request(isNotice);
    giveUp.abort();
    await assert.rejects(attempt, isTransportError('cancelled', /was cancelled/));
    while (server.sockets.size > 0) await settle();
    assert.equal(server.requests.filter(isNotice).length, 1);
    assert.equal(opened.facts.at(-1)?.kind, 'http-end');
    assert.ok(!opened.facts.some(({ kind }) => kind === 'connection-open'));
  });

  for (const id of [0, null, '01', undefined]) {
    it(`says that the answers carry ${id === undefined ? 'no id' : `the unknown id ${JSON.stringify(id)}`}`, async () => {
      const answer = { jsonrpc: '2.0', id, result: {} };
      const sse = await opened.server(
        startSseServer({
          reply: ({ method }) => {
            if (method === 'initialize') sse.sessions[0]?.say(answer);
            return 'silence';
          },
        }),
      );
      const unknown = new RegExp(`unknown id ${JSON.stringify(id) ?? 'none'}$`);
      await assert.rejects(opened.connect('sse', sse.url, { timeoutMs: 300 }), isTransportError('timeout', unknown));
      const http = await opened.server(
        startStreamableServer({
          intercept: (_request, response) => {
            answerWith(response, 'json', answer);
            return true;
          },
        }),
      );
      const foreign = new RegExp(`its id is ${JSON.stringify(id) ?? 'missing'}, not 1$`);
      await assert.rejects(opened.connect('http', http.url), foreign);
    });
  }

  it('answers the server’s questions while it runs', async () => {
    let asked = false;
    const server = await opened.server(
      startStreamableServer({
        answers: 'events',
        intercept: (request, response) => {
          if (methodOf(request) !== 'initialize') return false;
          asked = true;
          response.writeHead(200, { 'Content-Type': 'text/event-stream' });
          response.write('data: {"jsonrpc":"2.0","id":"early","method":"ping"}\n\n');
          const result = {
            protocolVersion: '2025-03-26',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          };
          void server
            .request(({ body }) => body.includes('"early"'))
            .then(() => {
              const answer = { jsonrpc: '2.0', id: messageOf(request)['id'], result };
              response.end(`data: ${JSON.stringify(answer)}\n\n`);
            });
          return true;
        },
        sessions: false,
      }),
    );
    await opened.connect('http', server.url);
    assert.ok(asked);
  });
});
