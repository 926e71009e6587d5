import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/agent/agentEvent.ts';
import { isRecord, type JsonObject } from '../../src/base/json.ts';
import { agentOf, Closing, turnOf } from '../support/agents.ts';
import { dig } from '../support/dig.ts';
import { calls, fakeModel, says } from '../support/fakeModel.ts';
import type { RecordedRequest } from '../support/httpServer.ts';
import { startSseServer, type SseServer } from '../support/sseServer.ts';
import { startStatelessServer } from '../support/statelessServer.ts';
import { messageOf, startStreamableServer } from '../support/streamableServer.ts';

const tools = ['slow', 'hang', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }));

/** A server with one tool that takes its time and tells of it, one that never ends, and one that echoes. */
interface Rig {
  readonly entry: JsonObject;
  /** Of each request, in seconds; default 1. A process needs some to start. */
  readonly limit?: number;
  /** What reached the server, as text. */
  readonly seen: () => readonly string[];
  /** Resolves when a request that hangs was ended by the client, where that is how calls are cancelled. */
  readonly ended?: Promise<unknown>;
}

const progressOf = (message: unknown, progress: number): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: dig(message, 'params', '_meta', 'progressToken'), progress, message: `step ${progress}` },
});

const answerTo = (message: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: message['id'],
  result: { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(message['params']) }] },
});

/** Plays the call on a wire: `say` sends one message to the client. */
async function play(message: JsonObject, say: (message: unknown) => void): Promise<void> {
  const name = dig(message, 'params', 'name');
  if (name === 'hang') return;
  const steps = name === 'slow' ? 4 : 0;
  for (let step = 1; step <= steps; step++) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    say(progressOf(message, step));
  }
  say(answerTo(message));
}

/** Answers calls as an event stream on their own POST. */
function onPost(ended: (name: unknown) => void) {
  return (request: RecordedRequest, response: ServerResponse): boolean => {
    if (request.method !== 'POST' || !request.body.includes('"tools/call"')) return false;
    const message = messageOf(request);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    response.on('close', () => ended(dig(message, 'params', 'name')));
    void play(message, (one) => response.write(`data: ${JSON.stringify(one)}\n\n`)).then(() => {
      if (dig(message, 'params', 'name') !== 'hang') response.end();
    });
    return true;
  };
}

const stdioScript = `
  const { appendFileSync } = require('node:fs');
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
    appendFileSync(process.argv[1], line + '\\n');
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools: ${JSON.stringify(tools)} } });
    else if (method === 'tools/call') {
      if (params.name === 'hang') return;
      for (let progress = 1; params.name === 'slow' && progress <= 4; progress++) {
        await new Promise((resolve) => setTimeout(resolve, 1100));
        say({ method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress, message: 'step ' + progress } });
      }
      say({ id, result: { content: [{ type: 'text', text: JSON.stringify(params) }] } });
    } else if (id !== undefined) say({ id, error: { code: -32601, message: 'no ' + method } });
  });`;

describe('one agent over each transport', function () {
  this.timeout(30_000);
  const closing = new Closing();
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-agent-transports-'));
  });
  afterEach(async () => {
    await closing.all();
    rmSync(folder, { recursive: true, force: true });
  });

  const bodies = (requests: readonly RecordedRequest[]) => (): string[] => requests.map(({ body }) => body);

  const rigs: Readonly<Record<string, () => Promise<Rig>>> = {
    'HTTP+SSE': async () => {
      const server: SseServer = closing.add(
        await startSseServer({
          tools,
          reply: (message) => {
            if (message['method'] !== 'tools/call') return undefined;
            void play(message, (one) => server.sessions.at(-1)?.say(one));
            return 'silence';
          },
        }),
      );
      return { entry: { type: 'sse', url: server.url }, seen: bodies(server.requests) };
    },
    'Streamable HTTP': async () => {
      const server = closing.add(await startStreamableServer({ tools, intercept: onPost(() => undefined) }));
      return { entry: { type: 'http', url: server.url }, seen: bodies(server.requests) };
    },
    'the stateless revision': async () => {
      let tell: (value: unknown) => void = () => undefined;
      const ended = new Promise<unknown>((resolve) => (tell = resolve));
      const intercept = onPost((name) => {
        if (name === 'hang') tell(name);
      });
      const server = closing.add(await startStatelessServer({ tools, intercept }));
      return { entry: { type: 'http', url: server.url }, seen: bodies(server.requests), ended };
    },
    stdio: async () => {
      const log = join(folder, 'lines');
      const seen = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
      return { entry: { command: process.execPath, args: ['-e', stdioScript, log] }, limit: 4, seen };
    },
  };

  const textsOf = (events: readonly AgentEvent[]): string[] =>
    events.flatMap((event) => (event.kind === 'tool-end' ? [JSON.stringify(event.content)] : []));

  for (const [name, start] of Object.entries(rigs)) {
    describe(name, () => {
      it('progress is shown and keeps a call alive beyond the limit of the settings', async () => {
        const { entry, limit = 1, seen } = await start();
        const model = fakeModel([calls({ name: 'bb7_slow', args: { text: '北京 🌍' } }), says('done')]);
        const agent = agentOf(closing, { servers: { users: { ...entry, timeout: limit } }, model });
        const events = await turnOf(agent, 'go');
        const [text = ''] = textsOf(events);
        assert.match(text, /北京 🌍/);
        assert.deepEqual(
          events.flatMap((event) => (event.kind === 'tool-progress' ? [event.message] : [])),
          ['step 1', 'step 2', 'step 3', 'step 4'],
        );
        assert.equal(seen().filter((line) => line.includes('"tools/call"')).length, 1);
      });

      it('stopping the turn stops the call at the server', async () => {
        const { entry, seen, ended } = await start();
        const stop = new AbortController();
        const agent = agentOf(closing, {
          servers: { users: entry },
          model: fakeModel([calls('bb7_hang'), says('never')]),
        });
        const events: AgentEvent[] = [];
        for await (const event of agent.run('go', { signal: stop.signal })) {
          events.push(event);
          if (event.kind === 'tool-start')
            void (async () => {
              while (!seen().some((line) => line.includes('"hang"'))) await new Promise((r) => setTimeout(r, 10));
              stop.abort();
            })();
        }
        assert.deepEqual(events.at(-1), { kind: 'done', reason: 'cancelled' });
        assert.match(textsOf(events)[0] ?? '', /stopped this call.*may have run/);
        if (ended) return void (await ended);
        const call: unknown = JSON.parse(seen().find((line) => line.includes('"hang"')) ?? '');
        assert.ok(isRecord(call));
        const notice = (): string | undefined => seen().find((line) => line.includes('notifications/cancelled'));
        while (notice() === undefined) await new Promise((r) => setTimeout(r, 10));
        assert.equal(dig(JSON.parse(notice() ?? ''), 'params', 'requestId'), call['id']);
      });

      it('a call that is not answered ends at the limit of the settings, and the next one works', async () => {
        const { entry, limit = 1 } = await start();
        const model = fakeModel([calls('bb7_hang'), calls('bb7_echo'), says('done')]);
        const agent = agentOf(closing, { servers: { users: { ...entry, timeout: limit } }, model });
        const [lost = '', next = ''] = textsOf(await turnOf(agent, 'go'));
        assert.match(lost, new RegExp(`users.*tools/call was not answered within ${limit} s.*may have run`));
        assert.match(next, /echo/);
      });
    });
  }
});
