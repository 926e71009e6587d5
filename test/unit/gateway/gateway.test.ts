import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../../../src/base/emitter.ts';
import { Gateway, type GatewayAddress } from '../../../src/gateway/gateway.ts';
import type { PublishedServer } from '../../../src/gateway/publishedServer.ts';
import { connect } from '../../../src/mcp/connect.ts';
import { RpcError, TransportError } from '../../../src/mcp/errors.ts';
import type { Tool } from '../../../src/mcp/schema.ts';
import { deferred } from '../../support/deferred.ts';

const echo: Tool = {
  name: 'echo',
  description: 'Says it again',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
};

/** A published server whose calls the test answers. */
function fakeServer() {
  const changed = new Emitter<void>();
  const state = {
    tools: [echo],
    calls: [] as { name: string; args: Record<string, unknown>; signal: AbortSignal }[],
    call: (async (_name, args) => ({
      content: [{ type: 'text', text: JSON.stringify(args) }],
      structuredContent: { said: args },
    })) as PublishedServer['call'],
  };
  const server: PublishedServer = {
    id: 'users1',
    label: 'users',
    facts: async () => ({
      serverInfo: { name: 'users', version: '1.2.3' },
      capabilities: { tools: {}, prompts: { listChanged: true }, logging: {}, experimental: { x: {} } },
      instructions: 'Be kind.',
    }),
    tools: () => state.tools,
    call: (name, args, options) => {
      state.calls.push({ name, args, signal: options.signal });
      return state.call(name, args, options);
    },
    request: async (method, params) => ({ prompts: [{ name: `${method} ${JSON.stringify(params)}` }] }),
    onDidChangeTools: changed.event,
  };
  return { server, state, changed };
}

function rawRequest(
  url: string,
  options: http.RequestOptions,
  body = '',
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString(),
          headers: response.headers,
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('the gateway', () => {
  let gateway: Gateway;
  let fake: ReturnType<typeof fakeServer>;
  let address: GatewayAddress;

  beforeEach(async () => {
    fake = fakeServer();
    gateway = await Gateway.open({ servers: () => [fake.server] });
    address = gateway.addressOf(fake.server);
  });

  afterEach(async () => {
    await gateway.close();
  });

  async function official(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(address.url), { requestInit: { headers: address.headers } }),
    );
    return client;
  }

  it('passes a server on to the official client', async () => {
    const client = await official();
    assert.deepEqual(client.getServerVersion(), { name: 'users', version: '1.2.3' });
    assert.equal(client.getInstructions(), 'Be kind.');
    assert.deepEqual(client.getServerCapabilities(), { prompts: {}, tools: { listChanged: true } });
    const { tools } = await client.listTools();
    assert.deepEqual(tools, [echo]);
    const result = await client.callTool({ name: 'echo', arguments: { a: 'ü' } });
    assert.deepEqual(result, {
      content: [{ type: 'text', text: '{"a":"ü"}' }],
      structuredContent: { said: { a: 'ü' } },
    });
    assert.deepEqual((await client.listPrompts()).prompts, [{ name: 'prompts/list {}' }]);
    await client.close();
  });

  it('passes a server on to the second official client and to ours', async () => {
    const modern = new ModernClient({ name: 'test', version: '1' });
    await modern.connect(new ModernTransport(new URL(address.url), { requestInit: { headers: address.headers } }));
    assert.equal((await modern.listTools()).tools.length, 1);
    await modern.close();
    for (const kind of ['http', 'auto'] as const) {
      const client = await connect({ kind, name: 'gateway', url: address.url, headers: address.headers });
      assert.equal((await client.listTools())[0]?.name, 'echo');
      assert.deepEqual((await client.callTool('echo', { b: 1 })).structuredContent, { said: { b: 1 } });
      await client.close();
    }
  });

  it('tells of progress before the result, and of a changed list at once', async () => {
    const client = await official();
    fake.state.call = async (_name, _args, { onProgress }) => {
      onProgress({ progress: 1, total: 2, message: 'half' });
      return { content: [] };
    };
    const seen: unknown[] = [];
    await client.callTool({ name: 'echo' }, undefined, { onprogress: (progress) => seen.push(progress) });
    assert.deepEqual(seen, [{ progress: 1, total: 2, message: 'half' }]);
    const changed = deferred();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
    // The stream for notices opens behind the handshake.
    const timer = setInterval(() => fake.changed.fire(), 20);
    await changed.promise;
    clearInterval(timer);
    await client.close();
  });

  it('a cancelled call is cancelled at the server, and so is what runs when the gateway closes', async () => {
    const client = await official();
    const started = deferred();
    fake.state.call = (_name, _args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
        started.resolve();
      });
    const abort = new AbortController();
    const call = client.callTool({ name: 'echo' }, undefined, { signal: abort.signal });
    await started.promise;
    const signal = fake.state.calls[0]?.signal;
    assert(signal);
    const aborted = once(signal, 'abort');
    abort.abort();
    await assert.rejects(call);
    await aborted;
    const second = client.callTool({ name: 'echo' });
    second.catch(() => undefined);
    while (fake.state.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await gateway.close();
    assert.equal(fake.state.calls[1]?.signal.aborted, true);
    gateway = await Gateway.open({ servers: () => [] });
    await client.close();
  });

  it('an error of the server reaches the client with its code, a broken wire as a sentence', async () => {
    const client = await official();
    fake.state.call = async () => {
      throw new RpcError(-32_042, 'no such thing', { a: 1 });
    };
    await assert.rejects(
      client.callTool({ name: 'echo' }),
      (error) =>
        error instanceof Error && 'code' in error && error.code === -32_042 && /no such thing/.test(error.message),
    );
    fake.state.call = async () => {
      throw new TransportError('closed', 'users: the connection was closed');
    };
    await assert.rejects(client.callTool({ name: 'echo' }), /users: the connection was closed/);
    await assert.rejects(client.listResources(), /not passed on|does not support/);
    await client.close();
  });

  it('a client whose session is gone is told to begin anew', async () => {
    const headers = {
      ...address.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const missing = await rawRequest(address.url, { method: 'POST', headers }, ping);
    assert.equal(missing.status, 400);
    const unknown = await rawRequest(
      address.url,
      { method: 'POST', headers: { ...headers, 'mcp-session-id': 'x' } },
      ping,
    );
    assert.equal(unknown.status, 404);
    const begin = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18' },
    });
    const opened = await rawRequest(address.url, { method: 'POST', headers }, begin);
    const session = String(opened.headers['mcp-session-id']);
    assert.equal(JSON.parse(opened.body).result.protocolVersion, '2025-06-18');
    const own = { ...headers, 'mcp-session-id': session };
    assert.match(
      (await rawRequest(address.url, { method: 'POST', headers: own }, ping)).body,
      /data: \{"jsonrpc":"2\.0","id":1,"result":\{\}\}/,
    );
    assert.equal(
      (
        await rawRequest(
          address.url,
          { method: 'POST', headers: own },
          JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
        )
      ).status,
      202,
    );
    assert.equal((await rawRequest(address.url, { method: 'DELETE', headers: own })).status, 200);
    assert.equal((await rawRequest(address.url, { method: 'POST', headers: own }, ping)).status, 404);
    assert.equal((await rawRequest(address.url, { method: 'PUT', headers: own })).status, 405);
  });

  it('lets nobody in without the token, by another host, or from a web page', async () => {
    const { host, port, pathname } = new URL(address.url);
    const own: Record<string, string> = { ...address.headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const status = async (headers: http.OutgoingHttpHeaders, url = address.url): Promise<number> =>
      (await rawRequest(url, { method: 'POST', headers }, body)).status;
    assert.equal(await status(own), 200);
    assert.equal(await status({ ...own, host: `localhost:${port}` }), 200);
    assert.equal(await status({ ...own, origin: `http://${host}` }), 200);
    const { Authorization: _, ...none } = own;
    assert.equal(await status(none), 401);
    assert.equal(await status({ ...own, Authorization: 'Bearer x' }), 401);
    assert.equal(await status({ ...own, Authorization: String(own['Authorization']).slice(0, -1) }), 401);
    assert.equal(await status({ ...own, host: 'evil.example' }), 403);
    assert.equal(await status({ ...own, host: `evil.example:${port}` }), 403);
    assert.equal(await status({ ...own, origin: 'https://evil.example' }), 403);
    assert.equal(await status({ ...own, origin: 'null' }), 403);
    assert.equal(await status(own, `http://${host}/users1`), 404);
    assert.equal(await status(own, `http://${host}/x/users1`), 404);
    assert.equal(await status(own, `http://${host}${pathname.replace('users1', 'other')}`), 404);
    assert.equal(await status(own, `http://${host}${pathname}/more`), 404);
  });

  it('refuses what is no message, and messages beyond all measure', async () => {
    const headers = { ...address.headers, 'content-type': 'application/json' };
    for (const body of ['', '{', '[]', '1', '[1]']) {
      assert.equal((await rawRequest(address.url, { method: 'POST', headers }, body)).status, 400, body);
    }
    assert.equal(
      (await rawRequest(address.url, { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' } }, '{}'))
        .status,
      415,
    );
    assert.equal(
      (
        await rawRequest(
          address.url,
          { method: 'POST', headers: { ...headers, 'mcp-protocol-version': '1999-01-01' } },
          '{}',
        )
      ).status,
      400,
    );
    const large = rawRequest(address.url, { method: 'POST', headers }, 'x'.repeat(17 * 1024 * 1024));
    const outcome = await large.then(
      ({ status }) => status,
      () => 413,
    );
    assert.equal(outcome, 413);
  });

  it('listens on this machine alone, each time at another address, and no more when it is closed', async () => {
    assert.equal(new URL(address.url).hostname, '127.0.0.1');
    const other = await Gateway.open({ servers: () => [fake.server] });
    assert.notEqual(new URL(other.addressOf(fake.server).url).pathname, new URL(address.url).pathname);
    assert.notDeepEqual(other.addressOf(fake.server).headers, address.headers);
    const { url, headers } = other.addressOf(fake.server);
    const stream = new Promise<void>((resolve) => {
      http
        .get(url, { headers, agent: false }, (response) => response.resume().on('close', resolve))
        .on('error', () => resolve());
    });
    await other.close();
    await stream;
    await assert.rejects(rawRequest(url, { headers }), /ECONNREFUSED/);
  });
});
