import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isRecord, parseJson } from '../../../src/base/json.ts';
import { openAgent, type Agent, type AgentOptions } from '../../../src/openAgent.ts';
import { toCurl } from '../../../src/wire/curl.ts';
import { toHar } from '../../../src/wire/har.ts';
import { toJsonLines } from '../../../src/wire/jsonl.ts';
import { toMermaid } from '../../../src/wire/mermaid.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';
import { WireSession } from '../../../src/wire/wireSession.ts';
import { startScriptedModel, textAnswer, toolCallAnswer } from '../../support/scriptedModel.ts';

/** One secret a place; no six characters in a row occur in two of them. */
const planted = {
  authorization: 'Aq7Zk2Wm9Xr4',
  cookie: 'Bv3Yn8Lp5Tc6',
  apiKey: 'Ch9Rf4Kd7Sj2',
  ownHeader: 'Dw5Gt8Mb3Qz6',
  query: 'Ex2Vn7Hc9Pf4',
  password: 'Fy6Jr3Xk8Wb5',
  environment: 'Gz4Tm9Ld2Nv7',
  input: 'Hb8Qs5Zc3Rk6',
  clientSecret: 'Jc7Wf2Yp9Gx4',
  modelKey: 'Kd3Lv8Bn6Th5',
  session: 'Lf9Xz4Mq7Rs2Ky8',
} as const;

type Planted = keyof typeof planted;

/** Fails when any six characters in a row of a planted secret can be read in `text`. */
function assertClean(text: string, where: string, names: readonly Planted[] = ownNames): void {
  for (const name of names) {
    const secret = planted[name];
    for (let start = 0; start + 6 <= secret.length; start++) {
      const part = secret.slice(start, start + 6);
      const at = text.indexOf(part);
      assert(at < 0, `"${part}" of ${name} stands in ${where}: …${text.slice(Math.max(0, at - 60), at + 40)}…`);
    }
  }
}

function isPlanted(name: string): name is Planted {
  return Object.hasOwn(planted, name);
}

const ownNames = Object.keys(planted).filter(isPlanted);

interface EchoingServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A Streamable HTTP server that says back whatever it was sent: in results, in errors, in refusals. `refuse`: the status of every answer, or of those to `method`. */
async function startEchoingServer(refuse?: number, method?: string): Promise<EchoingServer> {
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const seen = JSON.stringify({ url: request.url, headers: request.headers });
      const parsed = parseJson(body);
      const message = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
      if (refuse !== undefined && (method === undefined || message['method'] === method))
        return response
          .writeHead(refuse, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ error: { message: `refused: ${seen}` } }));
      if (request.method !== 'POST') return response.writeHead(405).end();
      if (message['id'] === undefined) return response.writeHead(202).end();
      const headers = {
        'Content-Type': 'application/json',
        'Mcp-Session-Id': planted.session,
        'Set-Cookie': `sid=${planted.cookie}`,
      };
      return response
        .writeHead(200, headers)
        .end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...answer(message, seen) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return {
    url: `http://ann:${planted.password}@127.0.0.1:${port}/mcp?api_key=${planted.query}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer({ method, params }: Record<string, unknown>, seen: string): object {
  if (method === 'initialize')
    return {
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'echo', version: '1' },
      },
    };
  const names = ['tell', 'fail', 'refuse'];
  if (method === 'tools/list')
    return { result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } };
  const name = isRecord(params) ? params['name'] : undefined;
  if (name === 'refuse') return { error: { code: -32000, message: `no: ${seen}`, data: seen } };
  return { result: { isError: name === 'fail', content: [{ type: 'text', text: seen }] } };
}

const stdioServer = fileURLToPath(new URL('../../support/stdioServer.mjs', import.meta.url));

function servers(url: string): AgentOptions['servers'] {
  return {
    echo: {
      type: 'http',
      url,
      headers: {
        Authorization: `Bearer ${planted.authorization}`,
        Cookie: `sid=${planted.cookie}`,
        'X-Api-Key': planted.apiKey,
        'X-Team': planted.ownHeader,
        'X-Asked': '${input:asked}',
        'X-Environment': '${env:PLANTED_VALUE}',
      },
      oauth: { clientId: 'c', clientSecret: planted.clientSecret },
    },
    dies: {
      command: process.execPath,
      args: [
        stdioServer,
        JSON.stringify({ stderr: `bad token ${planted.environment} and ${planted.input}\n`, exit: 1 }),
      ],
      env: { A_TOKEN: '${env:PLANTED_VALUE}', OTHER_SECRET: '${input:asked}' },
    },
  };
}

describe('planted secrets', () => {
  const opened: { close(): Promise<void> }[] = [];
  const log = new WireLog();

  const open = (options: Pick<AgentOptions, 'servers' | 'model'>): Agent => {
    const agent = openAgent({
      ...options,
      inputs: [{ id: 'asked', type: 'promptString', password: true }],
      answers: { asked: planted.input },
      env: { PLANTED_VALUE: planted.environment, PATH: process.env['PATH'] ?? '' },
      tap: log.tap,
    });
    opened.push(agent);
    return agent;
  };

  after(async () => {
    for (const each of opened.toReversed()) await each.close();
    log.dispose();
  });

  it('are in no record and in no export, whatever a server says back', async () => {
    const echo = await startEchoingServer();
    const model = await startScriptedModel();
    opened.push(echo, model);
    const calls = ['tell', 'fail', 'refuse'].map((name, index) => ({
      id: `call_${index}`,
      name: `bb7_${name}`,
      arguments: {},
    }));
    model.enqueue(toolCallAnswer(calls), textAnswer('done'));
    const agent = open({
      servers: servers(echo.url),
      model: { url: model.url, id: 'scripted', apiKey: planted.modelKey },
    });
    await agent.ready();
    const events: unknown[] = [];
    for await (const event of agent.run('tell me')) events.push(event);
    assert(JSON.stringify(events).includes(planted.apiKey), 'the server did say it back, and the model was told');
    const entries = log.entries();
    assert(entries.length > 20);
    const rows = new WireSession(log).rows();
    assertClean(JSON.stringify(entries), 'the record');
    assertClean(toHar(entries, { version: '1' }), 'the HAR');
    assertClean(toJsonLines(entries), 'the JSON lines');
    assertClean(toMermaid(rows), 'the diagram');
    assertClean(JSON.stringify(rows), 'the rows');
    for (const entry of entries)
      if (entry.kind === 'http-request') assertClean(toCurl(entry, 'sh'), 'the curl command');
    assert(
      JSON.stringify(entries).includes('x-team') || JSON.stringify(entries).includes('X-Team'),
      'names of headers are shown',
    );
  });

  for (const status of [400, 401, 403, 404, 500, 503]) {
    it(`are in no error of a server that answers ${status} with all it was sent`, async () => {
      const echo = await startEchoingServer(status);
      opened.push(echo);
      const agent = open({ servers: servers(echo.url), model: 'planner' });
      await agent.ready();
      const states = JSON.stringify(agent.servers());
      assert(
        agent.servers().every(({ error }) => error !== undefined),
        states,
      );
      assertClean(states, 'the state of the servers');
      const events: unknown[] = [];
      for await (const event of agent.run('list the tools')) events.push(event);
      assertClean(JSON.stringify(events), 'the answer');
      assertClean(JSON.stringify(agent.problems), 'the problems');
    });
  }

  for (const status of [401, 403, 404, 500]) {
    it(`are in no result of a call that is answered with ${status} and all that was sent`, async () => {
      const echo = await startEchoingServer(status, 'tools/call');
      const model = await startScriptedModel();
      opened.push(echo, model);
      model.enqueue(toolCallAnswer([{ id: 'c', name: 'bb7_tell', arguments: {} }]), textAnswer('done'));
      const agent = open({ servers: servers(echo.url), model: { url: model.url, id: 'scripted' } });
      await agent.ready();
      const events: unknown[] = [];
      for await (const event of agent.run('tell me')) events.push(event);
      assert(JSON.stringify(events).includes(String(status)), JSON.stringify(events));
      assertClean(JSON.stringify(events), 'the result');
    });
  }

  it('are in no error of a model endpoint that says them back', async () => {
    const model = await startScriptedModel();
    opened.push(model);
    model.enqueue({
      status: 401,
      body: [JSON.stringify({ error: { message: `Incorrect API key provided: ${planted.modelKey}` } })],
    });
    const agent = open({ servers: {}, model: { url: model.url, id: 'scripted', apiKey: planted.modelKey } });
    const events: unknown[] = [];
    for await (const event of agent.run('hello')) events.push(event);
    assert.match(JSON.stringify(events), /401|key/i);
    assertClean(JSON.stringify(events), 'the answer');
    assertClean(JSON.stringify(log.entries()), 'the record');
  });

  it('are in no error of settings that cannot be used', async () => {
    const wrong = {
      url: { url: `ftp://ann:${planted.password}@a/b?api_key=${planted.query}` },
      space: { url: `http://ann:${planted.password}@exa mple/` },
      header: { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': `${planted.apiKey}\n` } },
      list: { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': [planted.apiKey] } },
      env: { command: 'x', env: { A_TOKEN: { value: planted.environment } } },
      both: { command: 'x', url: `http://ann:${planted.password}@127.0.0.1:9/` },
    };
    const agent = open({ servers: wrong, model: 'planner' });
    await agent.ready();
    assert(agent.problems.length >= 5);
    assertClean(JSON.stringify(agent.problems), 'the problems');
    assertClean(JSON.stringify(agent.servers()), 'the servers');
  });

  it('that were only just sent are hidden in the next line of a log', () => {
    const fresh = new WireLog();
    const source = { connection: 'c', server: 's', peer: 'mcp' } as const;
    fresh.tap({
      ...source,
      kind: 'http-request',
      exchange: 1,
      method: 'GET',
      url: 'http://a/',
      headers: { 'X-Team': planted.ownHeader },
    });
    assertClean(fresh.redact(`the server says: ${planted.ownHeader}`), 'the line', ['ownHeader']);
    fresh.dispose();
  });
});
