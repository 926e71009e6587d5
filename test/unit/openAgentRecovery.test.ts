import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import type { Agent } from '../../src/openAgent.ts';
import { agentOf, Closing, turnOf } from '../support/agents.ts';
import { until } from '../support/fakeServers.ts';
import { calls, fakeModel, says } from '../support/fakeModel.ts';
import { startFaultProxy, type FaultProxy } from '../support/faultProxy.ts';
import { startSseServer } from '../support/sseServer.ts';
import { isRunning } from '../support/stdioPeer.ts';
import { startStreamableServer, type StreamableServer } from '../support/streamableServer.ts';

const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });

const ends = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'tool-end' ? [JSON.stringify(event.content)] : []));

const reaches = (agent: Agent, state: string): Promise<void> =>
  until(
    (listener) => agent.onDidChange(listener),
    () => agent.servers()[0]?.state === state,
  );

describe('an agent whose server comes and goes', () => {
  const closing = new Closing();
  afterEach(() => closing.all());

  const proxyTo = async (port: number): Promise<FaultProxy> => closing.add(await startFaultProxy(port));

  it('has one handshake and a new list for a server that forgot its sessions, and no tool that is gone', async () => {
    let tools = [tool('stays'), tool('goes')];
    const server: StreamableServer = closing.add(
      await startStreamableServer({
        reply: ({ method }) => (method === 'tools/list' ? { result: { tools } } : undefined),
      }),
    );
    const model = fakeModel([
      calls('bb7_stays', 'bb7_stays'),
      says('done'),
      calls('bb7_goes', 'bb7_comes'),
      says('done'),
    ]);
    const agent = agentOf(closing, { servers: { users: { type: 'http', url: server.url } }, model });
    await agent.ready();
    tools = [tool('stays'), tool('comes')];
    server.sessions.clear();
    const results = ends(await turnOf(agent, 'go'));
    assert.match(results[0] ?? '', /stays/);
    assert.match(results[1] ?? '', /stays/);
    const methods = server.requests.map(({ body }) => /"method":"([^"]+)"/.exec(body)?.[1]);
    assert.equal(methods.filter((method) => method === 'initialize').length, 2);
    await until(
      (listener) => agent.onDidChange(listener),
      () => agent.servers()[0]?.tools.some(({ serverName }) => serverName === 'comes') === true,
    );
    assert.deepEqual(
      agent.servers()[0]?.tools.map(({ serverName }) => serverName),
      ['stays', 'comes'],
    );
    const later = ends(await turnOf(agent, 'again'));
    assert.match(later[0] ?? '', /bb7_goes/);
    assert.match(later[1] ?? '', /comes \{\}/);
    assert.equal(server.requests.filter(({ body }) => body.includes('"goes"')).length, 0);
  });

  for (const type of ['sse', 'http'] as const) {
    it(`ends a call over a link that is half open within its limit, and the next one works (${type})`, async () => {
      const server = closing.add(type === 'sse' ? await startSseServer() : await startStreamableServer());
      const proxy = await proxyTo(server.port);
      const model = fakeModel([calls('bb7_getUsers'), says('lost'), calls('bb7_getUsers'), says('found')]);
      const url = proxy.origin + new URL(server.url).pathname;
      const agent = agentOf(closing, { servers: { users: { type, url, timeout: 1 } }, model });
      await agent.ready();
      let isFrozen = true;
      proxy.freeze();
      proxy.fault = () => (isFrozen ? { kind: 'swallow' } : { kind: 'none' });
      const started = performance.now();
      assert.match(ends(await turnOf(agent, 'go'))[0] ?? '', /not answered within 1 s.*may have run/);
      assert.ok(performance.now() - started < 4000);
      if (type === 'sse') await reaches(agent, 'failed');
      isFrozen = false;
      assert.match(ends(await turnOf(agent, 'again'))[0] ?? '', /getUsers/);
      const ran = server.requests.filter(({ body }) => body.includes('tools/call'));
      assert.equal(ran.length, 1, 'the call that was lost is not made again by itself');
    });
  }

  it('comes back by itself to a server that starts late', async () => {
    const server = closing.add(await startSseServer());
    const proxy = await proxyTo(server.port);
    await proxy.stop();
    const agent = agentOf(closing, { servers: { users: { type: 'sse', url: `${proxy.origin}/sse` } } });
    await agent.ready();
    assert.match(agent.servers()[0]?.error ?? '', /nothing listens there/);
    await proxy.start();
    await reaches(agent, 'ready');
    assert.equal(agent.servers()[0]?.error, undefined);
  });

  it('finds a server again that has another transport after its restart', async () => {
    const before = await startStreamableServer();
    const after = closing.add(
      await startSseServer({ announce: (id) => `event: endpoint\ndata: /mcp/messages?sessionId=${id}\n\n` }),
    );
    const proxy = await proxyTo(before.port);
    const model = fakeModel([calls('bb7_getUsers'), says('one'), calls('bb7_getUsers'), says('two')]);
    const agent = agentOf(closing, { servers: { users: { url: `${proxy.origin}/mcp` } }, model });
    await agent.ready();
    assert.match(ends(await turnOf(agent, 'go'))[0] ?? '', /getUsers/);
    await proxy.stop();
    await before.close();
    proxy.retarget(after.port, (path) => (path === '/mcp' ? '/sse' : path));
    await proxy.start();
    assert.match(ends(await turnOf(agent, 'again'))[0] ?? '', /getUsers/);
  });

  it('makes a call of a server that fails once (503) just once, and goes on', async () => {
    const server = closing.add(await startStreamableServer());
    const proxy = await proxyTo(server.port);
    let refusals = 0;
    proxy.fault = ({ body }) =>
      body.includes('tools/call') && ++refusals === 1 ? { kind: 'refuse', status: 503 } : { kind: 'none' };
    const model = fakeModel([calls('bb7_getUsers'), calls('bb7_getUsers'), says('done')]);
    const agent = agentOf(closing, { servers: { users: { type: 'http', url: `${proxy.origin}/mcp` } }, model });
    const results = ends(await turnOf(agent, 'go'));
    assert.match(results[0] ?? '', /503.*the gateway is upset.*may have run/);
    assert.match(results[1] ?? '', /getUsers/);
    assert.equal(server.sessions.size, 1);
  });

  describe('as a process', () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'mcp-agent-recovery-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('ends a call at once when the process dies, says how, and starts it again for the next', async () => {
      const script = `
        const { appendFileSync } = require('node:fs');
        require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
          const { id, method, params } = JSON.parse(line);
          const answer = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
          if (method === 'initialize') answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
          if (method === 'tools/list') answer({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
          if (method !== 'tools/call') return;
          appendFileSync(process.argv[1], JSON.stringify(params.arguments) + '\\n');
          if (params.arguments.die) { console.error('out of memory'); process.exit(9); }
          answer({ content: [{ type: 'text', text: 'worked' }] });
        });`;
      const log = join(folder, 'calls');
      const model = fakeModel([
        calls({ name: 'bb7_work', args: { die: true } }),
        calls({ name: 'bb7_work', args: { die: false } }),
        says('done'),
      ]);
      const entry = { command: process.execPath, args: ['-e', script, log] };
      const agent = agentOf(closing, { servers: { worker: entry }, model });
      const results = ends(await turnOf(agent, 'go'));
      assert.match(results[0] ?? '', /exit code 9.*out of memory.*may have run/s);
      assert.match(results[1] ?? '', /worked/);
      assert.equal(readFileSync(log, 'utf8'), '{"die":true}\n{"die":false}\n');
    });

    it('leaves no process when it is closed while that starts', async () => {
      const pidFile = join(folder, 'pid');
      const silent = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
      const agent = agentOf(closing, { servers: { mute: { command: process.execPath, args: ['-e', silent] } } });
      const pid = async (): Promise<number> => {
        for (;;) {
          try {
            const written = readFileSync(pidFile, 'utf8');
            if (written !== '') return Number(written);
          } catch {
            // Not there yet.
          }
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const started = await pid();
      assert.equal(isRunning(started), true);
      await agent.close();
      assert.equal(isRunning(started), false);
    }).timeout(20_000);
  });
});
