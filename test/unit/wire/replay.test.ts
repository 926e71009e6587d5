import assert from 'node:assert/strict';
import { keyOfRequest, replayOf } from '../../../src/wire/replay.ts';
import { RowBook } from '../../../src/wire/rowBook.ts';
import type { Row } from '../../../src/wire/row.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';
import { fixedSource, WireSession } from '../../../src/wire/wireSession.ts';
import { SERVER } from '../../support/wire/capturedServer.ts';
import { recorded, recordedConversation } from '../../support/wire/recordedConversation.ts';

const source = { connection: 'users#1', server: 'users', peer: 'mcp' } as const;

/** A session in which one POST body crossed the wire, with a request for each of its messages. */
function sessionOf(body: string, ids: readonly number[] = [1], maxBodyBytes?: number): WireSession {
  const log = new WireLog({ ...(maxBodyBytes !== undefined && { maxBodyBytes }) });
  const address = { exchange: 1, method: 'POST', url: 'http://127.0.0.1/mcp', headers: {} };
  log.tap({ ...source, kind: 'http-request', ...address, body });
  for (const id of ids) {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'addUser' } };
    log.tap({ ...source, kind: 'message', direction: 'out', message, exchange: 1, bytes: 10 });
  }
  const session = new WireSession(fixedSource(log.entries()));
  log.dispose();
  return session;
}

function replayed(session: WireSession, number = 0): unknown {
  const row = session.rows().filter(({ kind }) => kind === 'rpc')[number];
  assert.ok(row);
  return replayOf(row, session.valueOf(row.key).sent);
}

describe('repeating a call', () => {
  const call = (id: number, args: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'addUser', arguments: args } });

  it('takes the tool and the arguments out of the message that was sent', () => {
    const session = new WireSession(fixedSource(recordedConversation()));
    const row = session.rows().find(({ tool }) => tool === 'addUser');
    assert.ok(row);
    assert.deepEqual(replayOf(row, session.valueOf(row.key).sent), {
      kind: 'call',
      server: SERVER,
      tool: 'addUser',
      arguments: { arg0: { name: 'Carson', email: 'carson@example.com' } },
    });
  });

  it('is offered for nothing but our own calls of tools', () => {
    const session = new WireSession(fixedSource(recordedConversation()));
    const isCall = (row: Row): boolean => replayOf(row, session.valueOf(row.key).sent) !== undefined;
    assert.deepEqual(
      session
        .rows()
        .filter(isCall)
        .map(({ tool }) => tool),
      ['getUsers', 'addUser', 'getUsers'],
    );
  });

  it('finds the right message in a batch', () => {
    const session = sessionOf(`[${call(1, { n: 1 })},${call(2, { n: 2 })}]`, [1, 2]);
    assert.deepEqual(replayed(session, 1), { kind: 'call', server: 'users', tool: 'addUser', arguments: { n: 2 } });
  });

  it('without arguments has none', () => {
    const session = sessionOf('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"addUser"}}');
    assert.deepEqual(replayed(session), { kind: 'call', server: 'users', tool: 'addUser', arguments: {} });
  });

  it('is refused where the arguments were not kept whole', () => {
    assert.deepEqual(replayed(sessionOf(call(1, { text: 'x'.repeat(500) }), [1], 100)), { kind: 'cut' });
  });

  it('is refused where they held a secret that was not kept', () => {
    assert.deepEqual(replayed(sessionOf(call(1, { api_key: 'sk-0123456789abcdef0123' }))), { kind: 'secret' });
  });

  it('marks the row of the new request, and no older one with the same id', () => {
    const request = (connection: string, server: string, id: number) => ({
      at: id,
      fact: {
        ...source,
        connection,
        server,
        kind: 'message' as const,
        direction: 'out' as const,
        message: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'addUser' } },
        bytes: 10,
      },
    });
    const entries = recorded([
      request('users#1', 'users', 3),
      request('users#2', 'users', 3),
      request('others#1', 'others', 3),
      request('users#2', 'users', 4),
    ]);
    const key = keyOfRequest(entries, 'users', 3);
    const book = new RowBook();
    book.read(entries);
    const row = book.row(key ?? '');
    assert.equal(row?.connection, 'users#2');
    assert.equal(row.id, '3');
    assert.equal(keyOfRequest(entries, 'users', 5), undefined);
  });
});
