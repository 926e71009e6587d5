import assert from 'node:assert/strict';
import { RowBook } from '../../../src/wire/rowBook.ts';
import { shorten } from '../../../src/wire/format.ts';
import { sequenceOf, type SequenceItem } from '../../../src/wire/sequence.ts';
import type { TapFact } from '../../../src/base/tap.ts';
import { recorded, recordedConversation } from '../../support/wire/recordedConversation.ts';

function briefly(item: SequenceItem): string {
  if (item.kind === 'phase') return `== ${item.phase}`;
  if (item.kind === 'turn') return `-- turn ${item.number}`;
  if (item.kind === 'folded') return `.. ${item.arrows}`;
  const name = (id: string): string => id.replace(/^server:.*/, 'server').replace(/^model:.*/, 'model');
  return `${name(item.from)} ${item.dashed ? '-->' : '->'} ${name(item.to)}: ${item.label.slice(0, 30)}${item.fault ? ' !' : ''}`;
}

describe('the sequence of the captured conversation', () => {
  const book = new RowBook();
  book.read(recordedConversation());
  const sequence = sequenceOf(book.rows());

  it('has the lifelines of those who take part', () => {
    assert.deepEqual(
      sequence.lanes.map(({ name }) => name),
      ['you', 'agent', 'gpt-4o', 'spring-ai-mcp-sample'],
    );
  });

  it('goes through the phases: connect, initialize, operate, end', () => {
    assert.deepEqual(sequence.items.map(briefly), [
      '== connect',
      'agent -> server: GET /sse',
      'server -> agent: 200 stream',
      'agent -> server: POST /sse',
      'server -> agent: 404 !',
      'server --> agent: event endpoint',
      '== initialize',
      'agent -> server: initialize',
      'server -> agent: ✓',
      'agent --> server: notifications/initialized',
      '== operate',
      'agent -> server: tools/list',
      'server -> agent: ✓',
      '-- turn 1',
      'you -> agent: “First, help me check the user',
      'agent -> model: 2 messages, 4 tools',
      'model -> agent: bb7_getUsers',
      'agent -> server: tools/call getUsers',
      'server -> agent: ✓',
      'agent -> model: 4 messages, 4 tools',
      'model -> agent: bb7_addUser',
      'agent -> server: tools/call addUser',
      'server -> agent: ✓',
      'agent -> model: 6 messages, 4 tools',
      'model -> agent: bb7_getUsers',
      'agent -> server: tools/call getUsers',
      'server -> agent: ✓',
      'agent -> model: 8 messages, 4 tools',
      'model -> agent: “Hello Carson! You were not on',
      'agent -> you: “Hello Carson! You were not on',
      '== end',
      'agent --> server: connection closed',
    ]);
  });

  it('arrows carry sizes, and answers the time that they took', () => {
    const arrows = sequence.items.filter((item) => item.kind === 'arrow');
    const list = arrows.filter(({ key }) => key === arrows.find(({ label }) => label === 'tools/list')?.key);
    assert.deepEqual(
      list.map(({ bytes, milliseconds }) => [bytes, milliseconds === undefined ? undefined : Math.round(milliseconds)]),
      [
        [58, undefined],
        [799, 14],
      ],
    );
  });

  it('with frames shows the exchanges that carried the messages as well', () => {
    const all = sequenceOf(book.rows(), { frames: true }).items.map(briefly);
    assert.ok(all.includes('server --> agent: event message'));
    assert.ok(all.filter((line) => line.startsWith('agent -> server: POST /mcp/messages')).length >= 6);
  });
});

describe('a long sequence', () => {
  const model = { connection: 'm', server: 'ollama', peer: 'model' } as const;
  const facts: TapFact[] = [];
  for (let turn = 1; turn <= 60; turn += 1) {
    const at = { ...model, turn: `t${turn}`, step: 1 };
    facts.push({
      ...at,
      kind: 'model-request',
      model: 'm',
      logical: true,
      body: { messages: [{ role: 'user', content: `question ${turn}` }] },
      bytes: 50,
    });
    facts.push({ ...at, kind: 'model-answer', text: 'an answer', toolCalls: [], finish: 'stop' });
  }
  const book = new RowBook();
  book.read(recorded(facts.map((fact, at) => ({ at, fact }))));

  it('folds its turns beyond 200 arrows, and unfolds those that are asked for', () => {
    const folded = sequenceOf(book.rows()).items.map(briefly);
    assert.deepEqual(folded.slice(0, 4), ['-- turn 1', '.. 4', '-- turn 2', '.. 4']);
    const one = sequenceOf(book.rows(), { unfolded: new Set(['t2']) }).items.map(briefly);
    assert.deepEqual(one.slice(0, 5), [
      '-- turn 1',
      '.. 4',
      '-- turn 2',
      'you -> agent: “question 2”',
      'agent -> model: 1 messages, 0 tools',
    ]);
  });

  it('folds long traffic outside of turns, and unfolds it', () => {
    const pings: TapFact[] = Array.from({ length: 150 }, (_, index) => ({
      ...{ connection: 'c', server: 's', peer: 'mcp', kind: 'message', direction: 'in', bytes: 10 },
      message: { jsonrpc: '2.0', method: 'notifications/message', params: { data: index } },
    }));
    const chatty = new RowBook();
    chatty.read(recorded([...pings, ...facts, ...pings].map((fact, at) => ({ at, fact }))));
    const { items } = sequenceOf(chatty.rows());
    const folded = items.flatMap((item) => (item.kind === 'folded' ? [item] : []));
    assert.equal(folded[0]?.arrows, 150);
    assert.ok(items.length < 150, `${items.length} items are drawn`);
    const unfolded = sequenceOf(chatty.rows(), { unfolded: new Set([folded[0].turn]) }).items;
    assert.equal(unfolded.filter(({ kind }) => kind === 'arrow').length, 150);
  });

  it('below the limit shows all', () => {
    assert.equal(
      sequenceOf(book.rows(), { limit: 1000 }).items.some(({ kind }) => kind === 'folded'),
      false,
    );
  });
});

describe('shorten', () => {
  it('makes one line of at most so many characters', () => {
    assert.equal(shorten('a\n  b\tc', 10), 'a b c');
    assert.equal(shorten('abcdefghij', 5), 'abcd…');
  });
});
