import assert from 'node:assert/strict';
import { openAgent } from '../../../src/openAgent.ts';
import { toHar } from '../../../src/wire/har.ts';
import { fromHar } from '../../../src/wire/harImport.ts';
import type { Row } from '../../../src/wire/row.ts';
import { sequenceOf } from '../../../src/wire/sequence.ts';
import { bodyOf } from '../../../src/wire/wireEntry.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';
import { WireSession } from '../../../src/wire/wireSession.ts';
import { startScriptedModel, textAnswer, toolCallAnswer } from '../../support/scriptedModel.ts';
import { startUsersServer } from '../../support/usersServer.ts';

const KEY = 'sk-live-Zx81pQ7vKt2Lm9Rw4Bn6';

/** The captured task against a real server and a scripted endpoint, recorded. */
async function converse(): Promise<WireLog> {
  const server = await startUsersServer();
  const model = await startScriptedModel();
  model.enqueue(
    toolCallAnswer([{ id: 'call_1', name: 'bb7_getUsers', arguments: {} }]),
    toolCallAnswer([
      { id: 'call_2', name: 'bb7_addUser', arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } } },
    ]),
    toolCallAnswer([{ id: 'call_3', name: 'bb7_getUsers', arguments: {} }]),
    textAnswer('Hello Carson!'),
  );
  const log = new WireLog();
  const agent = openAgent({
    servers: { users: { type: 'sse', url: server.url, headers: { 'X-Team-Pass': 'Qw81zLk2Vn7TpX44' } } },
    model: { url: model.url, id: 'scripted', apiKey: KEY },
    tap: log.tap,
  });
  try {
    await agent.ready();
    for await (const event of agent.run('Is there a user named Carson? If not, add Carson carson@example.com.'))
      if (event.kind === 'done') assert.equal(event.reason, 'stop');
  } finally {
    await agent.close();
    await Promise.all([server.close(), model.close()]);
  }
  return log;
}

describe('a real conversation, recorded', () => {
  let log: WireLog;
  let rows: Row[];
  let session: WireSession;

  before(async () => {
    log = await converse();
    session = new WireSession(log);
    rows = session.rows();
  });

  function linked(row: Row | undefined, role: string): Row[] {
    return (row?.links ?? []).filter((link) => link.role === role).flatMap(({ key }) => session.row(key) ?? []);
  }

  it('every JSON-RPC request has its answer, its carrier and its ids 1, 2, 3 …', () => {
    const requests = rows.filter(({ kind, id }) => kind === 'rpc' && id !== undefined);
    assert.deepEqual(
      requests.map(({ what, id, state }) => [what, id, state]),
      [
        ['initialize', '1', 'info'],
        ['initialize', '1', 'ok'],
        ['tools/list', '2', 'ok'],
        ['tools/call getUsers', '3', 'ok'],
        ['tools/call addUser', '4', 'ok'],
        ['tools/call getUsers', '5', 'ok'],
      ],
    );
    for (const row of requests.slice(1)) {
      assert.equal(linked(row, 'carrier')[0]?.kind, 'http', row.what);
      assert.equal(linked(row, 'answer')[0]?.kind, 'sse', row.what);
    }
  });

  it('every call knows the model request that asked for it, and every model request its exchange', () => {
    const models = rows.filter(({ kind }) => kind === 'model');
    assert.deepEqual(
      models.map(({ step, calls, state }) => [step, calls, state]),
      [
        [1, ['bb7_getUsers'], 'ok'],
        [2, ['bb7_addUser'], 'ok'],
        [3, ['bb7_getUsers'], 'ok'],
        [4, undefined, 'ok'],
      ],
    );
    for (const model of models) assert.equal(linked(model, 'carrier')[0]?.method, 'POST');
    const calls = rows.filter(({ tool }) => tool !== undefined);
    assert.deepEqual(
      calls.map((row) => linked(row, 'asked-by')[0]?.step),
      [1, 2, 3],
    );
    assert.ok(calls.every(({ turn }) => turn !== undefined && turn === models[0]?.turn));
  });

  it('every text is kept once', () => {
    const own = log.entries().filter((entry) => entry.kind === 'message' && entry.body !== undefined);
    assert.deepEqual(own, []);
    const add = rows.find(({ tool }) => tool === 'addUser');
    const { sent, received } = session.valueOf(add?.key ?? '');
    assert.equal(JSON.parse(sent?.text ?? '{}').params.name, 'addUser');
    assert.equal(JSON.parse(received?.text ?? '{}').id, 4);
  });

  it('there is no fault but the probe that the server refused, and no orphan', () => {
    const bad = rows.filter(({ state }) => !['ok', 'info', 'closed'].includes(state));
    assert.ok(
      bad.every(({ kind, method, status }) => kind === 'http' && method === 'POST' && status === '404'),
      JSON.stringify(bad),
    );
  });

  it('its phases are those of the capture', () => {
    const phases = sequenceOf(rows).items.flatMap((item) => (item.kind === 'phase' ? [item.phase] : []));
    assert.deepEqual(phases, ['connect', 'initialize', 'operate', 'end']);
  });

  it('its HAR comes back as it was and holds no secret', () => {
    const text = toHar(log.entries(), { version: '0.1.0' });
    assert.deepEqual(fromHar(text), log.entries());
    const sessionId = /sessionId=\[session (\w{4})… #/.exec(text)?.[1];
    assert.ok(sessionId !== undefined);
    for (const secret of [KEY, 'Qw81zLk2Vn7TpX44'])
      for (let start = 0; start + 6 <= secret.length; start += 1)
        assert.ok(!text.includes(secret.slice(start, start + 6)));
  });

  it('bodies have their true size', () => {
    for (const entry of log.entries()) {
      const body = bodyOf(entry);
      if (entry.kind !== 'sse-event' || !body || body.text.includes('[session')) continue;
      assert.equal(body.bytes, Buffer.byteLength(body.text));
    }
  });
});
