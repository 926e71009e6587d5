import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import type { TapFact } from '../../../src/base/tap.ts';
import { toHar } from '../../../src/wire/har.ts';
import { fromHar } from '../../../src/wire/harImport.ts';
import type { WireEntry } from '../../../src/wire/wireEntry.ts';
import { capturedConversation } from '../../support/wire/capturedConversation.ts';
import { recorded, recordedConversation } from '../../support/wire/recordedConversation.ts';

const require = createRequire(import.meta.url);
const options = { version: '0.1.0' };

/** Fails with the schema's own words where the text is no HAR 1.2. */
function assertValid(text: string): void {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  ajv.addMetaSchema(JSON.parse(readFileSync(require.resolve('ajv/dist/refs/json-schema-draft-06.json'), 'utf8')));
  ajv.addFormat('uri', {
    type: 'string',
    validate: (value: string) => URL.canParse(value) && !/[\s[\]{}<>"]/.test(value),
  });
  ajv.addFormat('date-time', { type: 'string', validate: (value: string) => !Number.isNaN(Date.parse(value)) });
  const schemas: Record<string, object> = require('har-schema');
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  const isValid = ajv.validate('har.json#', JSON.parse(text));
  assert.ok(isValid, JSON.stringify(ajv.errors, undefined, 1));
}

const source = { connection: 'demo#1', server: 'demo', peer: 'mcp' } as const;

/** A record with everything that the captured conversation has not. */
function oddities(): readonly WireEntry[] {
  const model = { connection: 'lm', server: 'copilot', peer: 'model', turn: 't1', step: 1 } as const;
  const facts: TapFact[] = [
    { ...source, kind: 'process-start', command: 'node', args: ['server.js'], pid: 3 },
    { ...source, kind: 'stdio-line', direction: 'err', text: 'hello' },
    {
      ...model,
      kind: 'model-request',
      model: 'gpt',
      logical: true,
      body: { messages: [{ role: 'user', content: 'hi' }] },
      bytes: 40,
    },
    {
      ...source,
      kind: 'http-request',
      exchange: 7,
      method: 'POST',
      url: 'http://127.0.0.1/mcp?key=abcdefgh',
      headers: { 'mcp-session-id': '3e19fbcd-51f4-4784-9f63-538c9a203859' },
      body: '{"a":1}',
    },
    {
      ...source,
      kind: 'http-response',
      exchange: 7,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], via: ['one', 'two'] },
    },
    { ...source, kind: 'http-body', exchange: 7, text: 'ü'.repeat(10), bytes: 20 },
    { ...source, kind: 'http-end', exchange: 7, outcome: 'complete' },
    {
      ...source,
      kind: 'http-request',
      exchange: 8,
      method: 'GET',
      url: 'http://127.0.0.1/mcp',
      headers: {},
      redirectOf: 7,
    },
    {
      ...source,
      kind: 'http-response',
      exchange: 8,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'text/event-stream' },
    },
    { ...source, kind: 'sse-event', exchange: 8, data: 'two\nlines', bytes: 9 },
    { ...source, kind: 'sse-event', exchange: 8, id: '5', event: 'message', data: '', bytes: 0 },
    { ...source, kind: 'sse-event', exchange: 8, data: 'data: {"cut', bytes: 11, incomplete: true },
    { ...source, kind: 'http-request', exchange: 9, method: 'GET', url: 'http://127.0.0.1:1/refused', headers: {} },
    { ...source, kind: 'http-end', exchange: 9, outcome: 'error', error: 'connect ECONNREFUSED' },
    { ...source, kind: 'http-end', exchange: 99, outcome: 'complete' },
    {
      ...model,
      kind: 'model-answer',
      text: 'hello',
      toolCalls: [{ id: 'c', name: 'x', arguments: { a: 1 } }],
      finish: 'stop',
      inputTokens: 3,
    },
    { ...source, kind: 'note', level: 'warning', text: 'odd' },
    { ...source, kind: 'request-end', requestId: '1', outcome: 'timeout' },
    { ...source, kind: 'process-exit', code: null, signal: 'SIGKILL' },
  ];
  return recorded(facts.map((fact, at) => ({ at: at * 1.25, fact })));
}

describe('a record as HAR', () => {
  for (const [name, entries] of [
    ['the captured conversation', recordedConversation()],
    ['a record of odd things', oddities()],
    ['an empty record', []],
  ] as const) {
    it(`is valid by the schema of HAR 1.2: ${name}`, () => assertValid(toHar(entries, options)));

    it(`comes back without loss: ${name}`, () => assert.deepEqual(fromHar(toHar(entries, options)), entries));
  }

  it('without bodies is valid, holds no text and comes back so', () => {
    const text = toHar(recordedConversation(), { ...options, bodies: false });
    assertValid(text);
    assert.doesNotMatch(text, /carson@example|John/);
    assert.equal(fromHar(text).length, recordedConversation().length);
  });

  it('has one entry for each exchange, with its events and what it carried', () => {
    const { log } = JSON.parse(toHar(recordedConversation(), options));
    const exchanges = recordedConversation().filter(({ kind }) => kind === 'http-request');
    assert.equal(log.entries.length, exchanges.length);
    const [stream, , initialize] = log.entries;
    assert.equal(stream._resourceType, 'eventsource');
    assert.deepEqual(
      stream._eventSourceMessages.map(({ event }: { event: string }) => event),
      ['endpoint', 'message', 'message', 'message', 'message', 'message'],
    );
    assert.match(
      stream.response.content.text,
      /^event: endpoint\nid: \[session 3e19… #\w{4}\]\ndata: \/mcp\/messages\?sessionId=/,
    );
    assert.deepEqual(initialize._mcp.rpc, [{ id: '1', method: 'initialize', direction: 'out' }]);
    const models = log.entries.filter((entry: { _model?: object }) => entry._model);
    assert.deepEqual(
      models.map((entry: { pageref: string; _model: { step: number } }) => [entry.pageref, entry._model.step]),
      [
        ['turn-1', 1],
        ['turn-1', 2],
        ['turn-1', 3],
        ['turn-1', 4],
      ],
    );
    assert.match(log.pages[0].title, /^turn 1: First, help me/);
  });

  it('an open stream says so and lasts until its last event', () => {
    const open = recordedConversation().filter((entry) => !(entry.kind === 'http-end' && entry.exchange === 1));
    const [stream] = JSON.parse(toHar(open, options)).log.entries;
    assert.equal(stream._state, 'open');
    assert.ok(stream.time > 4000);
  });

  it('a model behind the editor is no entry, and nothing of HTTP is invented', () => {
    const { log } = JSON.parse(toHar(oddities(), options));
    assert.equal(log._logicalRequests.length, 1);
    assert.equal(log._logicalRequests[0].model, 'gpt');
    assert.equal(
      log.entries.some((entry: { _model?: object }) => entry._model),
      false,
    );
  });

  it('holds none of the secrets that crossed the wire', () => {
    const secrets = ['sk-not-a-real-key-0123456789abcdef', '3e19fbcd-51f4-4784-9f63-538c9a203859'];
    assert.ok(JSON.stringify(capturedConversation()).includes(secrets[0] ?? ''));
    const text = toHar(recordedConversation(), options);
    for (const secret of secrets)
      for (let start = 0; start + 6 <= secret.length; start += 1)
        assert.ok(!text.includes(secret.slice(start, start + 6)), secret.slice(start, start + 6));
  });

  it('another HAR, and another file, is refused with a sentence', () => {
    assert.throws(() => fromHar('{"log":{"version":"1.2","entries":[]}}'), /not written by MCP Agent/);
    assert.throws(() => fromHar('no json'), /is no HAR/);
    assert.throws(
      () => fromHar('{"log":{"_wire":{"format":"mcp-agent-wire","version":9}}}'),
      /version 9.*reads version 1/,
    );
  });

  it('entries that were spoiled by hand are left out', () => {
    const har = JSON.parse(toHar(recordedConversation(), options));
    har.log._wire.entries[0].head = 7;
    har.log.entries[1].request.method = 3;
    assert.equal(fromHar(JSON.stringify(har)).length, recordedConversation().length - 2);
  });
});
