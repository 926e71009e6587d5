import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import type { Client } from '../../src/mcp/client.ts';
import { connect } from '../../src/mcp/connect.ts';
import type { ServerConfig } from '../../src/mcp/serverConfig.ts';
import { openAgent } from '../../src/openAgent.ts';
import { startSseServer } from '../support/sseServer.ts';
import { scriptedConfig } from '../support/stdioPeer.ts';
import { startStreamableServer } from '../support/streamableServer.ts';

/** What keeps this process alive, by kind; what is already on its way out counts for nothing. */
function handles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo())
    if (/^(Timeout|TCP\w*Wrap|ProcessWrap|Pipe\w*Wrap|GetAddrInfo\w*)$/.test(kind))
      counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Waits until no kind of handle is more numerous than before; gives what is left over after two seconds. */
async function leftOver(before: Record<string, number>): Promise<string[]> {
  const more = (): string[] =>
    Object.entries(handles()).flatMap(([kind, count]) => (count > (before[kind] ?? 0) ? [`${count} ${kind}`] : []));
  for (let round = 0; round < 40 && more().length > 0; round++) await pause(50);
  return more();
}

/** The system's clock, with the timers that are waiting: those of the product do not keep the process alive, so nobody else counts them. */
function countingClock(): Clock & { readonly waiting: Set<string> } {
  const waiting = new Set<string>();
  return {
    waiting,
    now: () => systemClock.now(),
    after: (ms, run) => {
      const timer = new Error(`a timer of ${ms} ms`).stack ?? '';
      const key = `${waiting.size}-${Math.random()} ${timer}`;
      waiting.add(key);
      const callOff = systemClock.after(ms, () => {
        waiting.delete(key);
        run();
      });
      return () => {
        waiting.delete(key);
        callOff();
      };
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Child processes of this one, zombies left out. */
function children(): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*\d+\s+Z/.test(line) && !line.includes('ps -o'));
}

async function useOnce(client: Client, tool: string): Promise<void> {
  await client.listTools();
  await client.callTool(tool, {});
  await client.close();
}

describe('what a connection leaves behind', function () {
  this.timeout(60_000);

  for (const kind of ['sse', 'http', 'auto'] as const) {
    it(`is nothing after 200 connections of type ${kind}: no socket, no timer, no session`, async () => {
      const server = kind === 'sse' ? await startSseServer() : await startStreamableServer();
      const before = handles();
      const config: ServerConfig = { kind, name: 'users', url: server.url };
      const clock = countingClock();
      for (let round = 0; round < 20; round++)
        await Promise.all(
          Array.from({ length: 10 }, async () => useOnce(await connect(config, { clock }), 'getUsers')),
        );
      assert.deepEqual(await leftOver(before), []);
      assert.deepEqual([...clock.waiting], []);
      for (let round = 0; round < 40 && server.sockets.size > 0; round++) await pause(50);
      assert.equal(server.sockets.size, 0, 'sockets at the server');
      if (kind !== 'sse' && 'listening' in server) assert.equal(server.sessions.size, 0, 'sessions at the server');
      await server.close();
    });
  }

  it('is nothing after attempts that fail or are given up', async () => {
    const mute = await startSseServer({ reply: () => 'silence' });
    const before = handles();
    for (const kind of ['sse', 'http', 'auto'] as const) {
      const giveUp = new AbortController();
      const attempts = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? connect({ kind, name: 'mute', url: mute.url }, { signal: giveUp.signal })
          : connect({ kind, name: 'dead', url: 'http://127.0.0.1:9/sse' }),
      );
      const outcomes = Promise.allSettled(attempts);
      await pause(100);
      giveUp.abort();
      assert.ok((await outcomes).every(({ status }) => status === 'rejected'));
    }
    assert.deepEqual(await leftOver(before), []);
    await mute.close();
  });

  it('is nothing after ten processes', async () => {
    await pause(1);
    const clock = countingClock();
    const before = handles();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = await connect(scriptedConfig(), { clock });
        await client.listTools();
        await client.close();
      }),
    );
    assert.deepEqual(
      children().filter((line) => line.includes('stdioServer.mjs')),
      [],
    );
    assert.deepEqual(await leftOver(before), []);
    assert.deepEqual([...clock.waiting], []);
  });

  it('is nothing after an agent with a hundred servers, half of them dead', async () => {
    const server = await startSseServer();
    const before = handles();
    const entries = Array.from({ length: 100 }, (_, index) => [
      `s${index}`,
      { type: 'sse', url: index % 2 === 0 ? `${server.url}?n=${index}` : 'http://127.0.0.1:9/sse' },
    ]);
    const agent = openAgent({ servers: Object.fromEntries(entries), model: 'planner', env: {} });
    await agent.ready();
    const states = agent.servers().map(({ state }) => state);
    assert.equal(states.filter((state) => state === 'ready').length, 50);
    const names = agent.servers().flatMap(({ tools }) => tools.map(({ name }) => name));
    assert.equal(new Set(names).size, names.length, 'each offered name is unique');
    await agent.close();
    assert.deepEqual(await leftOver(before), []);
    for (let round = 0; round < 40 && server.sockets.size > 0; round++) await pause(50);
    assert.equal(server.sockets.size, 0);
    await server.close();
  });
});
