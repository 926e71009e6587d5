import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { chunk } from '../../../support/scriptedModel.ts';
import { decodeChunks } from '../../../support/decodeModelStream.ts';
import { callsOf, finishOf } from '../../../support/modelEvents.ts';

/** A piece as it stands in `tool_calls`; `args` is left out where it is undefined. */
function piece(fields: {
  index?: unknown;
  id?: unknown;
  name?: unknown;
  args?: unknown;
  extra?: JsonObject;
}): JsonObject {
  const { index, id, name, args, extra } = fields;
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
    ...(extra && { extra_content: extra }),
  };
}

/** Decodes chunks of pieces; a list is one chunk of several. */
function decode(
  pieces: readonly (JsonObject | readonly JsonObject[])[],
  options: { finish?: string | null; offered?: readonly string[]; done?: boolean } = {},
): ReturnType<typeof decodeChunks> {
  const { finish = 'tool_calls', offered = [], done = true } = options;
  const chunks = pieces.map((each) => chunk({ tool_calls: Array.isArray(each) ? each : [each] }));
  return decodeChunks([...chunks, ...(finish === null ? [] : [chunk({}, finish)])], {
    toolNames: new Set(offered),
    done,
  });
}

/** Valid calls as `id name arguments`, invalid ones with `!` before. */
function shown(events: ReturnType<typeof decodeChunks>): string[] {
  return callsOf(events).map((call) =>
    call.kind === 'tool-call'
      ? `${call.id} ${call.name} ${JSON.stringify(call.arguments)}`
      : `!${call.id} ${call.name} ${call.text}`,
  );
}

interface Case {
  readonly pieces: readonly (JsonObject | readonly JsonObject[])[];
  readonly offered?: readonly string[];
  readonly calls: readonly string[];
}

const offered = ['getUsers', 'addUser', 'ping'] as const;

const cases: Record<string, Case> = {
  'parallel calls that all have index 0 and ids of their own': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'read', args: '{"path":"a"}' }),
      piece({ index: 0, id: 'b', name: 'read', args: '{"path":"b"}' }),
    ],
    calls: ['a read {"path":"a"}', 'b read {"path":"b"}'],
  },
  'three of them, the second in pieces': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'read', args: '{"path":"a"}' }),
      piece({ index: 0, id: 'b', name: 'read', args: '{"pa' }),
      piece({ index: 0, args: 'th":"b"}' }),
      piece({ index: 0, id: 'c', name: 'ping', args: '' }),
    ],
    calls: ['a read {"path":"a"}', 'b read {"path":"b"}', 'c ping {}'],
  },
  'parallel calls of one chunk that all have index 0': {
    pieces: [
      [piece({ index: 0, id: 'a', name: 'ping', args: '' }), piece({ index: 0, id: 'b', name: 'ping', args: '' })],
    ],
    calls: ['a ping {}', 'b ping {}'],
  },
  'the same without ids': {
    pieces: [[piece({ index: 0, name: 'ping' }), piece({ index: 0, name: 'ping' })]],
    calls: ['made1 ping {}', 'made2 ping {}'],
  },
  'a name repeated after complete arguments, without ids': {
    pieces: [
      piece({ index: 0, name: 'read', args: '{"path":"a"}' }),
      piece({ index: 0, name: 'read', args: '{"path":"b"}' }),
    ],
    calls: ['made1 read {"path":"a"}', 'made2 read {"path":"b"}'],
  },
  'a name repeated after complete arguments, its arguments to come': {
    pieces: [
      piece({ index: 0, name: 'read', args: '{"path":"a"}' }),
      piece({ index: 0, name: 'read', args: '' }),
      piece({ index: 0, args: '{"path":' }),
      piece({ index: 0, args: '"b"}' }),
    ],
    calls: ['made1 read {"path":"a"}', 'made2 read {"path":"b"}'],
  },
  'a call without arguments before another with index 0 and an id of its own': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'getUsers', args: '' }),
      piece({ index: 0, id: 'b', name: 'addUser', args: '{"n":1}' }),
    ],
    calls: ['a getUsers {}', 'b addUser {"n":1}'],
  },
  'a call without arguments before another, told apart by the names offered': {
    pieces: [piece({ index: 0, name: 'getUsers', args: '' }), piece({ index: 0, name: 'addUser', args: '{"n":1}' })],
    offered,
    calls: ['made1 getUsers {}', 'made2 addUser {"n":1}'],
  },
  'interleaved pieces': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '' }),
      piece({ index: 1, id: 'b', name: 'y', args: '' }),
      piece({ index: 0, args: '{"p"' }),
      piece({ index: 1, args: '{"q"' }),
      piece({ index: 0, args: ':[1' }),
      piece({ index: 1, args: ':2' }),
      piece({ index: 1, args: '}' }),
      piece({ index: 0, args: ']}' }),
    ],
    calls: ['a x {"p":[1]}', 'b y {"q":2}'],
  },
  'interleaved pieces in common chunks, opened in the other order': {
    pieces: [
      [piece({ index: 1, id: 'b', name: 'y', args: '{' }), piece({ index: 0, id: 'a', name: 'x', args: '{' })],
      [piece({ index: 1, args: '}' }), piece({ index: 0, args: '}' })],
    ],
    calls: ['a x {}', 'b y {}'],
  },
  'interleaved pieces of one index, told apart by their ids': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '' }),
      piece({ index: 0, id: 'b', name: 'y', args: '' }),
      piece({ index: 0, id: 'a', args: '{"p":1}' }),
      piece({ index: 0, id: 'b', args: '{"q":2}' }),
    ],
    calls: ['a x {"p":1}', 'b y {"q":2}'],
  },
  'no index, ids in every piece': {
    pieces: [
      piece({ id: 'a', name: 'x', args: '{"p":' }),
      piece({ id: 'a', args: '1}' }),
      piece({ id: 'b', name: 'y', args: '{}' }),
    ],
    calls: ['a x {"p":1}', 'b y {}'],
  },
  'no index, ids in the first pieces alone': {
    pieces: [
      piece({ id: 'a', name: 'x', args: '' }),
      piece({ args: '{"p":1}' }),
      piece({ id: 'b', name: 'y' }),
      piece({ args: '{"q":2}' }),
    ],
    calls: ['a x {"p":1}', 'b y {"q":2}'],
  },
  'no index and several calls in a chunk': {
    pieces: [
      [piece({ name: 'x', args: '' }), piece({ name: 'x', args: '' })],
      [piece({ args: '{"p":' }), piece({ args: '{"q":' })],
      [piece({ args: '1}' }), piece({ args: '2}' })],
    ],
    calls: ['made1 x {"p":1}', 'made2 x {"q":2}'],
  },
  'whole calls without index in two chunks of two': {
    pieces: [
      [piece({ id: 'a', name: 'x', args: '{}' }), piece({ id: 'b', name: 'x', args: '{}' })],
      [piece({ id: 'c', name: 'x', args: '{}' }), piece({ id: 'd', name: 'x', args: '{}' })],
    ],
    calls: ['a x {}', 'b x {}', 'c x {}', 'd x {}'],
  },
  'an index written as text': {
    pieces: [
      piece({ index: '0', id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: '1', id: 'b', name: 'y', args: '{}' }),
      piece({ index: '0', args: '1}' }),
    ],
    calls: ['a x {"p":1}', 'b y {}'],
  },
  'an index of null': {
    pieces: [
      piece({ index: null, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: null, id: null, name: null, args: '1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'indices that begin at 1': {
    pieces: [
      piece({ index: 1, id: 'a', name: 'x', args: '{' }),
      piece({ index: 1, args: '}' }),
      piece({ index: 2, id: 'b', name: 'y', args: '{}' }),
    ],
    calls: ['a x {}', 'b y {}'],
  },
  'an id that changes after the first piece': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '' }),
      piece({ index: 0, id: 'b', args: '{"p"' }),
      piece({ index: 0, id: 'c', args: ':1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'an id that changes while the name is repeated': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p"' }),
      piece({ index: 0, id: 'b', name: 'x', args: ':1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'an id that changes in a last, empty piece': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' }), piece({ index: 0, id: 'b', args: '' })],
    calls: ['a x {"p":1}'],
  },
  'an id that changes, without index': {
    pieces: [piece({ id: 'a', name: 'x', args: '{"p"' }), piece({ id: 'b', args: ':1}' })],
    calls: ['a x {"p":1}'],
  },
  'no ids at all': {
    pieces: [piece({ index: 0, name: 'x', args: '{}' }), piece({ index: 1, name: 'y', args: '{}' })],
    calls: ['made1 x {}', 'made2 y {}'],
  },
  'empty ids': {
    pieces: [piece({ index: 0, id: '', name: 'x', args: '{}' }), piece({ index: 1, id: '', name: 'y', args: '{}' })],
    calls: ['made1 x {}', 'made2 y {}'],
  },
  'an id that comes two chunks after the name': {
    pieces: [
      piece({ index: 0, name: 'x', args: '' }),
      piece({ index: 0, args: '{"p":' }),
      piece({ index: 0, id: 'late', args: '1}' }),
    ],
    calls: ['late x {"p":1}'],
  },
  'an id that comes before the name': {
    pieces: [piece({ index: 0, id: 'early' }), piece({ index: 0, name: 'x', args: '{}' })],
    calls: ['early x {}'],
  },
  'an id that is a number': { pieces: [piece({ index: 0, id: 7, name: 'x', args: '{}' })], calls: ['7 x {}'] },
  'one id for all calls': {
    pieces: [
      piece({ index: 0, id: 'call', name: 'x', args: '{"p":1}' }),
      piece({ index: 1, id: 'call', name: 'y', args: '{"q":2}' }),
    ],
    calls: ['call x {"p":1}', 'made1 y {"q":2}'],
  },
  'one id for all calls, all of index 0': {
    pieces: [
      piece({ index: 0, id: 'call', name: 'x', args: '{"p":1}' }),
      piece({ index: 0, id: 'call', name: 'x', args: '{"p":2}' }),
    ],
    calls: ['call x {"p":1}', 'made1 x {"p":2}'],
  },
  'a call sent whole again with the same id': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' }),
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'a name repeated in every piece': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '' }),
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 0, id: 'a', name: 'x', args: '1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'a name repeated in every piece, and no ids': {
    pieces: [
      piece({ index: 0, name: 'x', args: '' }),
      piece({ index: 0, name: 'x', args: '{"p":' }),
      piece({ index: 0, name: 'x', args: '1}' }),
      piece({ index: 0, name: 'x', args: '' }),
    ],
    calls: ['made1 x {"p":1}'],
  },
  'a name in pieces': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'get', args: '' }),
      piece({ index: 0, name: 'Users', args: '' }),
      piece({ index: 0, args: '{}' }),
    ],
    offered,
    calls: ['a getUsers {}'],
  },
  'a name in pieces that grows': {
    pieces: [piece({ index: 0, id: 'a', name: 'get', args: '' }), piece({ index: 0, name: 'getUsers', args: '{}' })],
    offered,
    calls: ['a getUsers {}'],
  },
  'a name in pieces of a tool that was not offered': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'search_', args: '' }),
      piece({ index: 0, id: 'a', name: 'files', args: '{}' }),
    ],
    offered,
    calls: ['a search_files {}'],
  },
  'empty names after the first piece': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{' }), piece({ index: 0, id: '', name: '', args: '}' })],
    calls: ['a x {}'],
  },
  'blanks around a name': {
    pieces: [piece({ index: 0, id: 'a', name: ' ping\n', args: '{}' })],
    offered,
    calls: ['a ping {}'],
  },
  'an index that runs on with every piece': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 1, args: '1' }),
      piece({ index: 2, args: '}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'an index that runs on within an object': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 1, args: '{"q":1}' }),
      piece({ index: 2, args: '}' }),
    ],
    calls: ['a x {"p":{"q":1}}'],
  },
  'an index that runs on while id and name are repeated': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 1, id: 'a', name: 'x', args: '1' }),
      piece({ index: 2, id: 'a', name: 'x', args: '}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'an index that runs on while several calls are open': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 1, id: 'b', name: 'y', args: '{"q":' }),
      piece({ index: 5, args: '1}' }),
    ],
    calls: ['!a x {"p":', '!b y {"q":'],
  },
  'a piece under an unknown index after complete calls': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{}' }), piece({ index: 4, args: '"q":2}' })],
    calls: ['a x {}', '!made1  "q":2}'],
  },
  'arguments as an object': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: { p: 1 } })],
    calls: ['a x {"p":1}'],
  },
  'arguments as an object after an empty text': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '' }), piece({ index: 0, args: { p: [1] } })],
    calls: ['a x {"p":[1]}'],
  },
  'arguments as an empty list': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: [] })], calls: ['a x {}'] },
  'arguments that are empty text': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: '' })], calls: ['a x {}'] },
  'arguments that are a blank': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: ' ' })], calls: ['a x {}'] },
  'arguments that are null': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: null })], calls: ['a x {}'] },
  'arguments that are the text null': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: 'null' })],
    calls: ['a x {}'],
  },
  'arguments that are absent': { pieces: [piece({ index: 0, id: 'a', name: 'x' })], calls: ['a x {}'] },
  'arguments encoded twice': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '"{\\"p\\":1}"' })],
    calls: ['a x {"p":1}'],
  },
  'arguments that are an empty text encoded twice': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '""' })],
    calls: ['a x {}'],
  },
  'arguments sent anew with each piece': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p"' }),
      piece({ index: 0, args: '{"p":1' }),
      piece({ index: 0, args: '{"p":1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'arguments repeated whole at the end': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p"' }),
      piece({ index: 0, args: ':1}' }),
      piece({ index: 0, args: '{"p":1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'an empty object before the arguments': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{}' }),
      piece({ index: 0, args: '{"p":' }),
      piece({ index: 0, args: '1}' }),
    ],
    calls: ['a x {"p":1}'],
  },
  'a nested object that begins like the whole': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }), piece({ index: 0, args: '{"p":1}}' })],
    calls: ['a x {"p":{"p":1}}'],
  },
  'two different objects for one call': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' }), piece({ index: 0, args: '{"p":2}' })],
    calls: ['!a x {"p":1}{"p":2}'],
  },
  'words after the arguments': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}</tool_call>' })],
    calls: ['!a x {"p":1}</tool_call>'],
  },
  'arguments that are a list': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: '[1]' })], calls: ['!a x [1]'] },
  'arguments that are a number': { pieces: [piece({ index: 0, id: 'a', name: 'x', args: '3' })], calls: ['!a x 3'] },
  'arguments that are some text': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '"Carson"' })],
    calls: ['!a x "Carson"'],
  },
  'arguments cut off in a text': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"path":"a","text":"lo' })],
    calls: ['!a x {"path":"a","text":"lo'],
  },
  'arguments that lack their last bracket': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"items":[1,2]' })],
    calls: ['!a x {"items":[1,2]'],
  },
  'arguments that are no JSON': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"action": oops"}' })],
    calls: ['!a x {"action": oops"}'],
  },
  'arguments with brackets and quotes in their texts': {
    pieces: [piece({ index: 0, id: 'a', name: 'x', args: '{"p":"}\\"{' }), piece({ index: 0, id: 'b', args: '"}' })],
    calls: ['a x {"p":"}\\"{"}'],
  },
  'a broken call beside a good one': {
    pieces: [
      piece({ index: 0, id: 'a', name: 'x', args: '{"p":' }),
      piece({ index: 1, id: 'b', name: 'y', args: '{"q":2}' }),
    ],
    calls: ['!a x {"p":', 'b y {"q":2}'],
  },
  'a call without a name': { pieces: [piece({ index: 0, id: 'a', args: '{"p":1}' })], calls: ['!a  {"p":1}'] },
  'nothing but an id': { pieces: [piece({ index: 0, id: 'a' })], calls: [] },
  'a call without the frame of a function': {
    pieces: [{ index: 0, id: 'a', name: 'x', arguments: '{"p":1}' }],
    calls: ['a x {"p":1}'],
  },
  'a frame of null': {
    pieces: [{ index: 0, id: 'a', function: null }, piece({ index: 0, name: 'x', args: '{}' })],
    calls: ['a x {}'],
  },
};

describe('tool calls in a stream', () => {
  for (const [what, { pieces, calls, offered = [] }] of Object.entries(cases)) {
    it(`joins ${what}`, () => {
      assert.deepEqual(shown(decode(pieces, { offered })), calls);
    });
  }

  it('gives every call of an answer an id of its own', () => {
    const events = decode([
      piece({ index: 0, name: 'x' }),
      piece({ index: 1, id: 'made1', name: 'y' }),
      piece({ index: 2, id: 'made1', name: 'z' }),
    ]);
    const ids = callsOf(events).map((call) => call.id);
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => id !== ''));
  });

  it('keeps what an endpoint attaches to a call, in its piece or after it', () => {
    const events = decode([
      piece({ id: 'a', name: 'x', args: '{}', extra: { google: { thought_signature: 's1' } } }),
      piece({ id: 'b', name: 'y', args: '{}' }),
      { extra_content: { google: { thought_signature: 's2' } } },
    ]);
    assert.deepEqual(
      callsOf(events).map((call) => (call.kind === 'tool-call' ? call.extra : undefined)),
      [{ google: { thought_signature: 's1' } }, { google: { thought_signature: 's2' } }],
    );
  });

  it('keeps thoughts that only the provider can read with the first call', () => {
    const sealed = { type: 'reasoning.encrypted', data: 'EjQK', id: 'tool_1', format: 'google-gemini-v1', index: 0 };
    const events = decodeChunks([
      chunk({ reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }),
      chunk({
        tool_calls: [
          piece({ index: 0, id: 'a', name: 'x', args: '{}' }),
          piece({ index: 1, id: 'b', name: 'y', args: '{}' }),
        ],
      }),
      chunk({ reasoning_details: [sealed] }, 'tool_calls'),
    ]);
    assert.deepEqual(
      callsOf(events).map((call) => (call.kind === 'tool-call' ? call.extra : undefined)),
      [{ reasoning_details: [sealed] }, undefined],
    );
  });

  it('takes the function call of the older interface', () => {
    const events = decodeChunks([
      chunk({ role: 'assistant', function_call: { name: 'ping', arguments: '' } }),
      chunk({ function_call: { arguments: '{"a":' } }),
      chunk({ function_call: { arguments: '1}' } }),
      chunk({}, 'function_call'),
    ]);
    assert.deepEqual(shown(events), ['made1 ping {"a":1}']);
  });

  it('takes a single call that is no list', () => {
    const events = decodeChunks([chunk({ tool_calls: piece({ id: 'a', name: 'x', args: '{}' }) }), chunk({}, 'stop')]);
    assert.deepEqual(shown(events), ['a x {}']);
  });

  for (const finish of ['stop', '', 'function_call', 'end_turn', 'tool_use', 'STOP', 'eos', null]) {
    it(`gives out complete calls where the finish is ${JSON.stringify(finish)}`, () => {
      const events = decode([piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' })], { finish });
      assert.deepEqual(shown(events), ['a x {"p":1}']);
      assert.equal(finishOf(events), 'tool-calls');
    });
  }

  for (const [finish, reason, word] of [
    ['length', 'length', 'output limit'],
    ['content_filter', 'content-filter', 'content filter'],
    ['max_tokens', 'length', 'output limit'],
  ] as const) {
    it(`gives out complete calls alone where the finish is ${finish}`, () => {
      const events = decode(
        [
          piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' }),
          piece({ index: 1, id: 'b', name: 'y', args: '{"text":"lo' }),
          piece({ index: 2, id: 'c', name: 'z', args: '' }),
        ],
        { finish },
      );
      assert.deepEqual(shown(events), ['a x {"p":1}', '!b y {"text":"lo', '!c z ']);
      assert.equal(finishOf(events), reason);
      for (const call of callsOf(events))
        if (call.kind === 'invalid-tool-call') assert.match(call.reason, new RegExp(word));
    });
  }

  it('gives out no call of a stream that just ended', () => {
    const events = decode([piece({ index: 0, id: 'a', name: 'x', args: '{"p":1}' })], { finish: null, done: false });
    assert.deepEqual(shown(events), ['!a x {"p":1}']);
    assert.equal(finishOf(events), 'interrupted');
    const [call] = callsOf(events);
    assert.match(call?.kind === 'invalid-tool-call' ? call.reason : '', /broke off/);
  });

  it('tells the model in a sentence what is wrong with its arguments', () => {
    const [call] = callsOf(decode([piece({ index: 0, id: 'a', name: 'x', args: '{"items":[1,2]' })]));
    assert.match(
      call?.kind === 'invalid-tool-call' ? call.reason : '',
      /^The arguments are not valid JSON \(.+\)\. Send them as one complete JSON object\.$/,
    );
  });

  it('joins arguments of many pieces without reading them anew at each', () => {
    const text = JSON.stringify({ text: 'x'.repeat(400_000) });
    const pieces = [piece({ index: 0, id: 'a', name: 'x', args: '' })];
    for (let at = 0; at < text.length; at += 100) {
      pieces.push(piece({ index: 0, id: 'a', name: 'x', args: text.slice(at, at + 100) }));
    }
    const [call] = callsOf(decode(pieces));
    assert.equal(call?.kind === 'tool-call' ? JSON.stringify(call.arguments) : '', text);
  }).timeout(5000);
});
