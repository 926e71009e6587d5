import assert from 'node:assert/strict';
import { matchesFilter, parseDuration, parseFilter, parseSize } from '../../../src/wire/filter.ts';
import { completions } from '../../../src/wire/filterCompletion.ts';
import type { Row } from '../../../src/wire/row.ts';
import { RowBook } from '../../../src/wire/rowBook.ts';
import { turnsOf } from '../../../src/wire/sequence.ts';
import { recordedConversation, STARTED } from '../../support/wire/recordedConversation.ts';

const book = new RowBook();
book.read(recordedConversation());
const rows = book.rows();
const turns = turnsOf(rows);

function found(filter: string): Row[] {
  const terms = parseFilter(filter);
  const context = { now: STARTED + 60_000, turnNumber: (turn: string) => turns.get(turn)?.number };
  return rows.filter((row) => matchesFilter(row, terms, context));
}

function briefly(filter: string): string[] {
  return found(filter).map(({ kind, method, tool, status }) =>
    [kind, tool ?? method ?? '', status].filter(Boolean).join(' '),
  );
}

describe('the filter', () => {
  it('nothing shows everything', () => assert.equal(found('   ').length, rows.length));

  it('kind, tool and status are tokens', () => {
    assert.deepEqual(briefly('kind:rpc tool:user'), ['rpc getUsers ok', 'rpc addUser ok', 'rpc getUsers ok']);
    assert.deepEqual(briefly('status:404'), ['http POST 404']);
    assert.deepEqual(briefly('status:4xx'), ['http POST 404']);
    assert.deepEqual(briefly('status:fault'), ['http POST 404']);
    assert.deepEqual(briefly('kind:note status:debug'), ['note debug']);
  });

  it('values of one key are alternatives, keys together narrow', () => {
    assert.equal(found('kind:rpc kind:model').length, found('kind:rpc,model').length);
    assert.equal(found('kind:rpc,model').length, found('kind:rpc').length + found('kind:model').length);
    assert.deepEqual(briefly('kind:rpc method:initialize'), [
      'rpc initialize probe',
      'rpc initialize ok',
      'rpc notifications/initialized',
    ]);
  });

  it('a minus excludes', () => {
    assert.deepEqual(briefly('kind:rpc -method:tools/call -method:notifications'), [
      'rpc initialize probe',
      'rpc initialize ok',
      'rpc tools/list ok',
    ]);
    assert.equal(found('-kind:rpc').length, rows.length - found('kind:rpc').length);
    assert.ok(found('-getUsers').every(({ tool }) => tool !== 'getUsers'));
  });

  it('free text looks at names, and quotes keep blanks together', () => {
    assert.deepEqual(briefly('"4 tools are offered"'), ['note debug']);
    assert.equal(found('4 tools').length > 1, true);
    assert.deepEqual(briefly('ADDUSER kind:rpc'), ['rpc addUser ok']);
  });

  it('a word with a colon that is no token is free text', () => {
    assert.deepEqual(parseFilter('http://x'), [{ key: 'text', values: ['http://x'], exclude: false }]);
    assert.deepEqual(parseFilter('kind:'), []);
  });

  it('server also finds the model, turn is counted from 1', () => {
    assert.equal(found('server:gpt').length, 4);
    assert.equal(found('turn:1').length, found('turn:turn-1').length);
    assert.ok(found('turn:1').length > 20);
    assert.equal(found('turn:2').length, 0);
  });

  it('id finds JSON-RPC ids exactly and calls by their beginning', () => {
    assert.deepEqual(briefly('id:4'), ['rpc addUser ok']);
    assert.deepEqual(briefly('id:call_8Zb'), ['rpc addUser ok']);
  });

  it('larger and slower have units', () => {
    assert.equal(parseSize('10k'), 10_000);
    assert.equal(parseSize('1.5MB'), 1_500_000);
    assert.equal(parseDuration('1.5s'), 1500);
    assert.equal(parseDuration('200'), 200);
    assert.ok(found('larger:3k').every(({ up, down }) => Math.max(up, down) >= 3000));
    assert.ok(found('larger:3k').length > 0);
    assert.ok(found('slower:300ms kind:model').length === 4);
    assert.equal(found('larger:much').length, 0);
  });

  it('has and dir', () => {
    assert.ok(found('has:frames').every(({ frames }) => (frames ?? 0) > 0));
    assert.equal(found('has:error').length, 1);
    assert.equal(found('has:pin').length, 0);
    assert.ok(found('dir:in').every(({ direction }) => direction === 'in' || direction === 'both'));
  });
});

describe('completion of the filter', () => {
  const offers = (word: string): string[] => completions(word, rows, turns.size).map(({ insert }) => insert);

  it('offers keys, then values', () => {
    assert.deepEqual(offers('ki'), ['kind:']);
    assert.deepEqual(offers('-ser'), ['-server:']);
    assert.deepEqual(offers('kind:m'), ['kind:rpc', 'kind:model'].slice(1));
    assert.deepEqual(offers('server:'), ['server:gpt-4o', 'server:ollama', 'server:spring-ai-mcp-sample']);
    assert.deepEqual(offers('tool:'), ['tool:addUser', 'tool:getUsers']);
    assert.deepEqual(offers('turn:'), ['turn:1']);
  });

  it('offers nothing for free text and for what is complete', () => {
    assert.deepEqual(offers('carson'), []);
    assert.deepEqual(offers('kind:rpc'), []);
    assert.deepEqual(offers('no:such'), []);
  });
});
