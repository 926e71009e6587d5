import assert from 'node:assert/strict';
import type { TapFact } from '../../../src/base/tap.ts';
import { isFault, type Row } from '../../../src/wire/row.ts';
import { RowBook } from '../../../src/wire/rowBook.ts';
import { recorded, recordedConversation } from '../../support/wire/recordedConversation.ts';

const demo = { connection: 'demo#1', server: 'demo', peer: 'mcp' } as const;

/** Facts of one connection, a millisecond apart. */
class Wire {
  readonly facts: TapFact[] = [];
  readonly connection: string;
  static #exchange = 100;

  constructor(connection = 'demo#1') {
    this.connection = connection;
  }

  tell(fact: TapFact): void {
    this.facts.push({ ...fact, connection: this.connection });
  }

  /** A POST that carries `message`; returns its exchange. `status` undefined: no answer yet. */
  post(message: object, status?: number, end: 'complete' | 'aborted' | 'error' | 'none' = 'complete'): number {
    Wire.#exchange += 1;
    const exchange = Wire.#exchange;
    const body = JSON.stringify(message);
    this.tell({
      ...demo,
      kind: 'http-request',
      exchange,
      method: 'POST',
      url: 'http://127.0.0.1/m?sessionId=abcdef',
      headers: {},
      body,
    });
    this.message('out', message, exchange);
    if (status !== undefined)
      this.tell({ ...demo, kind: 'http-response', exchange, status, statusText: '', headers: {} });
    if (end !== 'none')
      this.tell({
        ...demo,
        kind: 'http-end',
        exchange,
        outcome: end,
        ...(end === 'error' ? { error: 'socket hang up' } : {}),
      });
    return exchange;
  }

  event(message: object, exchange = 1): void {
    const data = JSON.stringify(message);
    this.tell({ ...demo, kind: 'sse-event', exchange, event: 'message', data, bytes: data.length });
    this.message('in', message, exchange);
  }

  message(direction: 'in' | 'out', message: object, exchange?: number): void {
    const at = { ...demo, kind: 'message', direction, message, bytes: JSON.stringify(message).length } as const;
    this.tell(exchange === undefined ? at : { ...at, exchange });
  }
}

function call(id: number | string, name = 'getUsers', meta?: object): object {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {}, ...(meta ? { _meta: meta } : {}) },
  };
}

function result(id: number | string, isError = false): object {
  return { jsonrpc: '2.0', id, result: { content: [], isError } };
}

function rowsOf(...wires: readonly Wire[]): Row[] {
  const book = new RowBook();
  book.read(recorded(wires.flatMap(({ facts }) => facts).map((fact, at) => ({ at, fact }))));
  return book.rows();
}

function rpc(rows: readonly Row[]): Row[] {
  return rows.filter(({ kind }) => kind === 'rpc');
}

function linked(rows: readonly Row[], row: Row | undefined, role: string): Row[] {
  return (row?.links ?? [])
    .filter((link) => link.role === role)
    .flatMap(({ key }) => rows.filter((other) => other.key === key));
}

describe('rows of the captured conversation', () => {
  const book = new RowBook();
  book.read(recordedConversation());
  const rows = book.rows();

  it('are the exchange in its order', () => {
    const shown = rows
      .filter(({ kind, peer }) => kind !== 'sse' || peer === 'mcp')
      .map(({ kind, method, what, status }) =>
        [kind, method ?? '', what.replace(/\[session.*\]/, 'S'), status].join(' '),
      );
    assert.deepEqual(shown.slice(0, 14), [
      'http GET /sse 200',
      'http POST /sse 404',
      'rpc initialize initialize probe',
      'sse  endpoint ',
      'http POST /mcp/messages?sessionId=S 202',
      'rpc initialize initialize ok',
      'sse  message ',
      'session  sse 2024-11-05',
      'http POST /mcp/messages?sessionId=S 202',
      'rpc notifications/initialized notifications/initialized ',
      'http POST /mcp/messages?sessionId=S 202',
      'rpc tools/list tools/list ok',
      'sse  message ',
      'note  4 tools are offered as bb7_* debug',
    ]);
    const talk = rows
      .filter(({ kind }) => kind === 'rpc' || kind === 'model')
      .slice(4)
      .map(({ what, status }) => `${what} ${status}`);
    assert.deepEqual(talk, [
      '2 messages, 4 tools tool-calls',
      'tools/call getUsers ok',
      '4 messages, 4 tools tool-calls',
      'tools/call addUser ok',
      '6 messages, 4 tools tool-calls',
      'tools/call getUsers ok',
      '8 messages, 4 tools stop',
    ]);
  });

  it('join a call with its POST, its event and the model request that asked for it', () => {
    const [add] = rows.filter(({ tool }) => tool === 'addUser');
    assert.deepEqual(
      linked(rows, add, 'carrier').map(({ kind, method, status }) => [kind, method, status]),
      [['http', 'POST', '202']],
    );
    assert.deepEqual(
      linked(rows, add, 'answer').map(({ kind, what }) => [kind, what]),
      [['sse', 'message']],
    );
    const [model] = linked(rows, add, 'asked-by');
    assert.deepEqual([model?.kind, model?.step, model?.calls], ['model', 2, ['bb7_addUser']]);
    assert.deepEqual([add?.turn, add?.id, add?.callId], ['turn-1', '4', 'call_8ZbQmW2rT0aVxYkJdL5uEoPs']);
  });

  it('give the turn to everything that carries it out, and to nothing of the session', () => {
    const ofTurn = rows.filter(({ turn }) => turn === 'turn-1');
    assert.deepEqual([...new Set(ofTurn.map(({ kind }) => kind))].sort(), ['http', 'model', 'rpc', 'sse']);
    assert.equal(rows.find(({ method }) => method === 'GET')?.turn, undefined);
    assert.equal(rows.find(({ method }) => method === 'initialize')?.turn, undefined);
  });

  it('hold times and sizes', () => {
    const list = rows.find(({ method }) => method === 'tools/list');
    assert.ok(list?.end !== undefined && Math.abs(list.end - list.at - 14) < 0.01);
    assert.deepEqual([list.up, list.down > 500], [58, true]);
    const stream = rows[0];
    assert.deepEqual([stream?.state, stream?.frames, stream?.stream], ['closed', 6, true]);
    const [first] = rows.filter(({ kind }) => kind === 'model');
    assert.equal(first?.sizes?.tools[0]?.server, 'spring-ai-mcp-sample');
    assert.equal(first?.inputTokens, 1330);
  });

  it('show no fault, for there was none but the refused probe', () => {
    assert.deepEqual(
      rows.filter(isFault).map(({ method, status }) => [method, status]),
      [['POST', '404']],
    );
  });

  it('are the same when the entries come one by one', () => {
    const slow = new RowBook();
    for (const entry of recordedConversation()) slow.read([entry]);
    const withoutTimes = (list: readonly Row[]): unknown[] =>
      list.map(({ key, links, state, turn }) => ({ key, links, state, turn }));
    assert.deepEqual(withoutTimes(slow.rows()), withoutTimes(rows));
  });
});

describe('pairing of JSON-RPC', () => {
  it('ids are counted per direction', () => {
    const wire = new Wire();
    wire.post(call(1));
    wire.event({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    wire.post({ jsonrpc: '2.0', id: 1, result: { roots: [] } });
    wire.event(result(1));
    const found = rpc(rowsOf(wire)).map(({ what, direction, state }) => [what, direction, state]);
    assert.deepEqual(found, [
      ['tools/call getUsers', 'out', 'ok'],
      ['roots/list', 'in', 'ok'],
    ]);
  });

  it('1 and "1" are two ids', () => {
    const wire = new Wire();
    wire.post(call(1, 'a'));
    wire.post(call('1', 'b'));
    wire.event(result('1', true));
    assert.deepEqual(
      rpc(rowsOf(wire)).map(({ what, state, id }) => [what, state, id]),
      [
        ['tools/call a', 'pending', '1'],
        ['tools/call b', 'tool-error', '"1"'],
      ],
    );
  });

  it('ids that repeat after a reconnect are paired within their connection', () => {
    const first = new Wire('demo#1');
    first.post(call(3, 'before'));
    first.tell({ ...demo, kind: 'connection-close', error: 'the stream broke' });
    const second = new Wire('demo#2');
    second.post(call(3, 'after'));
    second.event(result(3));
    assert.deepEqual(
      rpc(rowsOf(first, second)).map(({ what, state }) => [what, state]),
      [
        ['tools/call before', 'lost'],
        ['tools/call after', 'ok'],
      ],
    );
  });

  it('an id that is used again within a connection takes the newer answer', () => {
    const wire = new Wire();
    wire.post(call(1, 'older'));
    wire.post(call(1, 'newer'));
    wire.event(result(1));
    assert.deepEqual(
      rpc(rowsOf(wire)).map(({ what, state }) => [what, state]),
      [
        ['tools/call older', 'no-reply'],
        ['tools/call newer', 'ok'],
      ],
    );
  });

  it('an answer that nobody asked for, or a second one, is an orphan', () => {
    const wire = new Wire();
    wire.event(result(9));
    wire.post(call(1));
    wire.event(result(1));
    wire.event(result(1));
    wire.event({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
    assert.deepEqual(
      rpc(rowsOf(wire)).map(({ state, status }) => [state, status]),
      [
        ['orphan', 'ok'],
        ['ok', 'ok'],
        ['orphan', 'ok'],
        ['orphan', '-32700'],
      ],
    );
  });

  it('answers in the POST itself, as JSON or as a stream, are paired', () => {
    const wire = new Wire();
    const asJson = wire.post(call(1), 200, 'none');
    wire.tell({ ...demo, kind: 'http-body', exchange: asJson, text: JSON.stringify(result(1)), bytes: 50 });
    wire.message('in', result(1), asJson);
    wire.tell({ ...demo, kind: 'http-end', exchange: asJson, outcome: 'complete' });
    const asStream = wire.post(call(2), 200, 'none');
    wire.event(result(2), asStream);
    wire.tell({ ...demo, kind: 'http-end', exchange: asStream, outcome: 'complete' });
    const rows = rowsOf(wire);
    assert.deepEqual(
      rpc(rows).map((row) => [row.state, linked(rows, row, 'answer')[0]?.kind]),
      [
        ['ok', 'http'],
        ['ok', 'sse'],
      ],
    );
  });

  it('a batch in one body is several rows', () => {
    const wire = new Wire();
    const both = [call(1, 'a'), call(2, 'b')];
    const exchange = wire.post(both, 202);
    const last = wire.facts.findIndex((fact) => fact.kind === 'message');
    wire.facts.splice(
      last,
      1,
      ...both.map((message): TapFact => ({ ...demo, kind: 'message', direction: 'out', message, bytes: 50, exchange })),
    );
    assert.deepEqual(
      rpc(rowsOf(wire)).map(({ what, links }) => [what, links.length]),
      [
        ['tools/call a', 1],
        ['tools/call b', 1],
      ],
    );
  });

  it('progress is joined by its token, and its turn is that of the call', () => {
    const wire = new Wire();
    wire.post(call(5, 'slow', { progressToken: 0 }));
    wire.event({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 0, progress: 1, total: 2 },
    });
    wire.event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'zz', progress: 1 } });
    wire.event(result(5));
    const rows = rowsOf(wire);
    const [slow, known, unknown] = rpc(rows);
    assert.deepEqual(linked(rows, slow, 'progress'), [known]);
    assert.deepEqual(
      unknown?.links.filter(({ role }) => role === 'about'),
      [],
    );
  });
});

describe('states of calls', () => {
  function stateOf(tell: (wire: Wire) => void): Row | undefined {
    const wire = new Wire();
    tell(wire);
    return rpc(rowsOf(wire))[0];
  }

  const cancel = (reason: string): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1, reason },
  });

  it('cancelled, timed out, link lost and HTTP 500 are four states, and a cancelled call is no fault', () => {
    const cancelled = stateOf((wire) => {
      wire.post(call(1), 202);
      wire.post(cancel('stopped by the person'), 202);
    });
    const timedOut = stateOf((wire) => {
      wire.post(call(1), 202);
      wire.tell({ ...demo, kind: 'request-end', requestId: 1, outcome: 'timeout' });
      wire.post(cancel('no answer'), 202);
    });
    const lost = stateOf((wire) => {
      wire.post(call(1), 202);
      wire.tell({ ...demo, kind: 'connection-close', error: 'socket hang up' });
    });
    const refused = stateOf((wire) => {
      wire.post(call(1), 500);
    });
    const rows = [cancelled, timedOut, lost, refused];
    assert.deepEqual(
      rows.map((row) => row?.state),
      ['cancelled', 'timeout', 'lost', 'http-error'],
    );
    assert.deepEqual(
      rows.map((row) => row && isFault(row)),
      [false, true, true, true],
    );
    assert.equal(refused?.status, '500');
  });

  it('a notice of cancelling that speaks of time is a time-out', () => {
    const row = stateOf((wire) => {
      wire.post(call(1), 202);
      wire.post(cancel('Request timed out after 60 s'), 202);
    });
    assert.equal(row?.state, 'timeout');
  });

  it('an answer that comes after the cancel changes nothing and is no orphan', () => {
    const wire = new Wire();
    wire.post(call(1), 202);
    wire.post(cancel('stopped'), 202);
    wire.event(result(1));
    const rows = rowsOf(wire);
    assert.deepEqual(
      rpc(rows).map(({ state }) => state),
      ['cancelled', 'info'],
    );
    assert.equal(linked(rows, rpc(rows)[0], 'answer').length, 1);
  });

  it('a POST that never got through is lost, one whose session ended in order got no reply', () => {
    const lost = stateOf((wire) => wire.post(call(1), undefined, 'error'));
    const unanswered = stateOf((wire) => {
      wire.post(call(1), 202);
      wire.tell({ ...demo, kind: 'connection-close' });
    });
    assert.deepEqual([lost?.state, unanswered?.state], ['lost', 'no-reply']);
  });

  it('a dead process loses its calls', () => {
    const row = stateOf((wire) => {
      wire.message('out', call(1));
      wire.tell({ ...demo, kind: 'process-exit', code: 1, signal: null });
    });
    assert.equal(row?.state, 'lost');
  });

  it('an answer stream that ends without the answer is no reply, and a resumed one repairs it', () => {
    const wire = new Wire();
    const exchange = wire.post(call(1), undefined, 'none');
    wire.tell({
      ...demo,
      kind: 'http-response',
      exchange,
      status: 200,
      statusText: '',
      headers: { 'content-type': 'text/event-stream' },
    });
    wire.tell({ ...demo, kind: 'http-end', exchange, outcome: 'complete' });
    assert.equal(rpc(rowsOf(wire))[0]?.state, 'no-reply');
    wire.event(result(1), 1);
    assert.equal(rpc(rowsOf(wire))[0]?.state, 'ok');
  });
});

describe('streams that say or come to nothing', () => {
  const model = { connection: 'ollama#1', server: 'ollama', peer: 'model' } as const;

  function stream(exchange: number): TapFact[] {
    return [
      {
        ...model,
        kind: 'http-request',
        exchange,
        method: 'POST',
        url: 'http://127.0.0.1/v1/chat/completions',
        headers: {},
        body: '{}',
      },
      { ...model, kind: 'model-request', turn: 't', step: 1, model: 'm', logical: false, exchange, body: {}, bytes: 2 },
      {
        ...model,
        kind: 'http-response',
        exchange,
        status: 200,
        statusText: 'OK',
        headers: { 'content-type': 'text/event-stream' },
      },
    ];
  }

  function rows(facts: readonly TapFact[]): Row[] {
    const book = new RowBook();
    book.read(recorded(facts.map((fact, at) => ({ at, fact }))));
    return book.rows();
  }

  for (const [form, event] of [
    ['an event named error', { event: 'error', data: 'overloaded' }],
    ['a member "error"', { data: '{"error":{"message":"overloaded","code":529}}' }],
  ] as const) {
    it(`a model stream with nothing but ${form} is a fault in all its rows`, () => {
      const found = rows([
        ...stream(1),
        { ...model, kind: 'sse-event', exchange: 1, bytes: 20, ...event },
        { ...model, kind: 'http-end', exchange: 1, outcome: 'complete' },
      ]);
      assert.deepEqual(
        found.map(({ kind, state, status }) => [kind, state, status]),
        [
          ['http', 'stream-error', '200'],
          ['model', 'stream-error', '200'],
          ['sse', 'stream-error', ''],
        ],
      );
    });
  }

  it('a stream that is cut inside an event keeps what came and is marked incomplete', () => {
    const found = rows([
      ...stream(1),
      { ...model, kind: 'sse-event', exchange: 1, data: 'data: {"cho', bytes: 11, incomplete: true },
      { ...model, kind: 'http-end', exchange: 1, outcome: 'error', error: 'aborted' },
    ]);
    assert.deepEqual(
      found.map(({ kind, state }) => [kind, state]),
      [
        ['http', 'incomplete'],
        ['model', 'incomplete'],
        ['sse', 'incomplete'],
      ],
    );
  });

  it('an endpoint that cannot be reached is failed, a stopped model request cancelled', () => {
    const failed = rows([
      ...stream(1).slice(0, 2),
      { ...model, kind: 'http-end', exchange: 1, outcome: 'error', error: 'connect ECONNREFUSED' },
    ]);
    assert.deepEqual(
      failed.map(({ state, status }) => [state, status]),
      [
        ['failed', 'connect ECONNREFUSED'],
        ['failed', 'connect ECONNREFUSED'],
      ],
    );
    const stopped = rows([...stream(1), { ...model, kind: 'http-end', exchange: 1, outcome: 'aborted' }]);
    assert.deepEqual(
      stopped.map(({ state }) => state),
      ['cancelled', 'cancelled'],
    );
  });

  it('a logical model request has no exchange and says so', () => {
    const [row] = rows([
      {
        ...model,
        kind: 'model-request',
        turn: 't',
        step: 1,
        model: 'copilot',
        logical: true,
        body: { messages: [] },
        bytes: 15,
      },
    ]);
    assert.deepEqual([row?.logical, row?.links, row?.status], [true, [], '']);
  });
});

describe('stdio', () => {
  it('lines that are messages are their rows, other lines have their own', () => {
    const wire = new Wire();
    wire.tell({
      ...demo,
      kind: 'process-start',
      command: 'node',
      args: ['server.js', '--token', 'abcdef123456'],
      pid: 7,
    });
    wire.tell({ ...demo, kind: 'stdio-line', direction: 'out', text: JSON.stringify(call(1)) });
    wire.message('out', call(1));
    wire.tell({ ...demo, kind: 'stdio-line', direction: 'in', text: 'Server is listening' });
    wire.tell({ ...demo, kind: 'stdio-line', direction: 'err', text: 'debug: hello' });
    wire.tell({ ...demo, kind: 'stdio-line', direction: 'in', text: JSON.stringify(result(1)) });
    wire.message('in', result(1));
    wire.tell({ ...demo, kind: 'process-exit', code: 0, signal: null });
    const found = rowsOf(wire).map(({ kind, what, state, source }) => [
      kind,
      what.replace(/#\w+/, '#'),
      state,
      source ?? '',
    ]);
    assert.deepEqual(
      found.sort((a, b) => (a.join() < b.join() ? -1 : 1)),
      [
        ['line', 'Server is listening', 'warning', 'stdout'],
        ['line', 'debug: hello', 'info', 'stderr'],
        ['rpc', 'tools/call getUsers', 'ok', ''],
        ['session', 'node server.js --token [redacted 12 chars #]', 'closed', ''],
      ],
    );
  });
});

describe('a row book that forgets', () => {
  it('drops rows whose entries are gone and tells which', () => {
    const entries = recordedConversation();
    const book = new RowBook();
    book.read(entries);
    book.takeChanges();
    const from = entries[entries.length - 10]?.seq ?? 0;
    book.forget((seq) => seq >= from);
    const { removed } = book.takeChanges();
    assert.ok(removed.length > 20);
    assert.ok(book.rows().every(({ key }) => !removed.includes(key)));
    assert.ok(
      book.rows().some(({ method }) => method === 'GET'),
      'the stream that ends later is kept',
    );
  });
});
