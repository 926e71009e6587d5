import assert from 'node:assert/strict';
import type { TapFact } from '../../../src/base/tap.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';
import { WireSession } from '../../../src/wire/wireSession.ts';
import { capturedConversation } from '../../support/wire/capturedConversation.ts';

const source = { connection: 'users#1', server: 'users', peer: 'mcp' } as const;

describe('a session of the inspector over a live record', () => {
  let log: WireLog;
  let session: WireSession;
  const shown = (): string[] => session.rows().map(({ kind, what, state }) => `${kind} ${what} ${state}`);
  const tell = (...facts: TapFact[]): void => {
    for (const fact of facts) log.tap(fact);
    log.flush();
  };

  beforeEach(() => {
    log = new WireLog({ maxRows: 100 });
    session = new WireSession(log);
    log.onDidAppend((batch) => void session.update(batch));
  });
  afterEach(() => log.dispose());

  const open: readonly TapFact[] = [
    { ...source, kind: 'http-request', exchange: 1, method: 'GET', url: 'http://127.0.0.1/sse', headers: {} },
    {
      ...source,
      kind: 'http-response',
      exchange: 1,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'text/event-stream' },
    },
  ];
  const call = (id: number): readonly TapFact[] => {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'getUsers' } };
    const answer = { jsonrpc: '2.0', id, result: { content: [] } };
    const data = JSON.stringify(answer);
    return [
      { ...source, kind: 'message', direction: 'out', message, bytes: 60 },
      { ...source, kind: 'sse-event', exchange: 1, event: 'message', data, bytes: data.length },
      { ...source, kind: 'message', direction: 'in', message: answer, exchange: 1, bytes: data.length },
    ];
  };

  it('shows the same as one that begins later', () => {
    tell(...capturedConversation().map(({ fact }) => fact));
    assert.deepEqual(session.rows(), new WireSession(log).rows());
  });

  it('that is cleared in mid-stream goes on with what comes on that stream', () => {
    tell(...open, ...call(1));
    assert.deepEqual(shown(), ['http /sse open', 'rpc tools/call getUsers ok', 'sse message info']);
    log.clear();
    assert.deepEqual(shown(), ['http /sse open'], 'the stream is still open');
    tell(...call(2));
    assert.deepEqual(shown(), ['http /sse open', 'rpc tools/call getUsers ok', 'sse message info']);
    assert.deepEqual(
      session.rows().flatMap(({ kind, id }) => (kind === 'rpc' ? [id] : [])),
      ['2'],
    );
  });

  it('forgets what the record drops, and keeps the stream that carries the rest', () => {
    tell(...open);
    for (let id = 1; id <= 300; id += 1) tell(...call(id));
    const rows = session.rows();
    assert.ok(rows.length <= 110, `${rows.length} rows`);
    assert.equal(rows[0]?.what, '/sse');
    assert.equal(rows.at(-1)?.kind === 'sse' || rows.at(-1)?.kind === 'rpc', true);
    assert.ok(
      rows.every(({ state }) => state !== 'orphan' && state !== 'pending'),
      shown().join('\n'),
    );
  });
});
