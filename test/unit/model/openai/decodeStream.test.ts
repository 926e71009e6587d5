import assert from 'node:assert/strict';
import { AnswerFault } from '../../../../src/model/openai/answerFault.ts';
import { decodeCompletion } from '../../../../src/model/openai/decodeCompletion.ts';
import { StreamDecoder } from '../../../../src/model/openai/decodeStream.ts';
import { chunk, usageChunk } from '../../../support/scriptedModel.ts';
import { decodeBytes, decodeChunks } from '../../../support/decodeModelStream.ts';
import { callsOf, finishOf, noticesOf, reasoningOf, textOf } from '../../../support/modelEvents.ts';

const text = (content: unknown): unknown => chunk({ content });

describe('StreamDecoder', () => {
  it('skips chunks without choices, without delta and without anything', () => {
    const events = decodeChunks([
      { choices: [] },
      { id: 'x' },
      { choices: null },
      { choices: [{ index: 0 }] },
      { choices: [{ index: 0, delta: null }] },
      { choices: [null, 3] },
      { error: null, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] },
      chunk({}, 'stop'),
      usageChunk(3, 1),
    ]);
    assert.deepEqual(events, [
      { kind: 'text-delta', text: 'Hello' },
      { kind: 'usage', inputTokens: 3, outputTokens: 1 },
      { kind: 'finish', reason: 'stop' },
    ]);
  });

  it('takes the first of several choices alone', () => {
    const events = decodeChunks([
      { choices: [{ index: 1, delta: { content: 'other' } }] },
      {
        choices: [
          { index: 1, delta: { content: 'other' } },
          { index: 0, delta: { content: 'first' }, finish_reason: 'stop' },
        ],
      },
    ]);
    assert.equal(textOf(events), 'first');
  });

  it('skips keep-alive text that is dressed as data, and notes it', () => {
    const notes: string[] = [];
    const events = decodeChunks([': processing', '', '  ', 'ping', '"keep-alive"', text('a'), chunk({}, 'stop')], {
      onNote: (note) => notes.push(note),
    });
    assert.equal(textOf(events), 'a');
    assert.deepEqual(notes, [
      'skipped an event that is no JSON: : processing',
      'skipped an event that is no JSON: ping',
      'skipped an event that is no chunk: "keep-alive"',
    ]);
  });

  it('takes nothing after the end mark', () => {
    assert.equal(textOf(decodeChunks([text('a'), chunk({}, 'stop'), '[DONE]', text('b')])), 'a');
  });

  it('reads several chunks of one event', () => {
    const event = `${JSON.stringify(text('a'))}\n${JSON.stringify(text('b'))}\n[DONE]`;
    assert.equal(textOf(decodeChunks([event], { done: false })), 'ab');
  });

  it('does not skip a chunk that is broken', () => {
    assert.throws(() => decodeChunks([text('a'), '{"choices":[{"delta":{"content":"lost']), AnswerFault);
  });

  it('reads content in parts', () => {
    const events = decodeChunks([
      text([{ type: 'text', text: 'a' }, 'b', { type: 'output_text', text: 'c' }, { type: 'image_url' }, null]),
      chunk({}, 'stop'),
    ]);
    assert.equal(textOf(events), 'abc');
  });

  it('shows a refusal as text', () => {
    assert.equal(
      textOf(decodeChunks([chunk({ refusal: 'I cannot ' }), chunk({ refusal: 'do that.' }), chunk({}, 'stop')])),
      'I cannot do that.',
    );
  });

  it('takes the text of an endpoint that sends messages instead of deltas', () => {
    const events = decodeChunks([
      {
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Hello',
              tool_calls: [{ id: 'a', function: { name: 'x', arguments: '{}' } }],
            },
            finish_reason: 'stop',
          },
        ],
      },
    ]);
    assert.equal(textOf(events), 'Hello');
    assert.equal(callsOf(events).length, 1);
  });

  it('takes nothing twice where the whole message is repeated at the end', () => {
    const call = { index: 0, id: 'a', function: { name: 'x', arguments: '{"p":1}' } };
    const events = decodeChunks([
      text('Hel'),
      text('lo'),
      chunk({ tool_calls: [call] }),
      {
        choices: [
          { index: 0, delta: {}, message: { content: 'Hello!', tool_calls: [call] }, finish_reason: 'tool_calls' },
        ],
      },
    ]);
    assert.equal(textOf(events), 'Hello!');
    assert.equal(callsOf(events).length, 1);
  });

  it('tells thoughts from the answer, under whatever name they come, and once', () => {
    for (const delta of [
      { reasoning_content: 'hm' },
      { reasoning: 'hm' },
      { thinking: 'hm' },
      { reasoning_text: 'hm' },
      { reasoning: 'hm', reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'hm' },
          { type: 'reasoning.encrypted', data: 'xx' },
        ],
      },
      { content: [{ type: 'thinking', thinking: 'hm' }] },
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
    ]) {
      const events = decodeChunks([chunk(delta), text('yes'), chunk({}, 'stop')]);
      assert.equal(reasoningOf(events), 'hm', JSON.stringify(delta));
      assert.equal(textOf(events), 'yes');
    }
  });

  for (const [how, usage] of Object.entries({
    'at the end': [usageChunk(100, 20)],
    'in each chunk, growing': [
      { ...chunk({}), usage: { prompt_tokens: 100, completion_tokens: 3 } },
      { ...chunk({}), usage: { prompt_tokens: 100, completion_tokens: 20 } },
    ],
    'in the choice': [
      {
        choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 100, completion_tokens: 20 } }],
      },
    ],
    'under x_groq': [{ ...chunk({}), x_groq: { usage: { prompt_tokens: 100, completion_tokens: 20 } } }],
    'with the names of another interface': [{ ...chunk({}), usage: { input_tokens: 100, output_tokens: 20 } }],
    'as timings': [{ ...chunk({}), timings: { prompt_n: 100, predicted_n: 20 } }],
    'once, and then zeros': [usageChunk(100, 20), usageChunk(0, 0), { ...chunk({}), usage: null }],
  })) {
    it(`tells usage once where it comes ${how}`, () => {
      const events = decodeChunks([text('a'), chunk({}, 'stop'), ...usage]);
      assert.deepEqual(
        events.filter((event) => event.kind === 'usage'),
        [{ kind: 'usage', inputTokens: 100, outputTokens: 20 }],
      );
    });
  }

  it('takes a finish of tool calls without any for the end of the turn', () => {
    for (const delta of [{}, { tool_calls: [] }, { tool_calls: null }, { tool_calls: [null] }]) {
      assert.equal(finishOf(decodeChunks([text('Done.'), chunk(delta, 'tool_calls')])), 'stop');
    }
  });

  it('goes on after a finish that an endpoint writes into every chunk', () => {
    const events = decodeChunks([
      chunk({ content: 'a' }, 'stop'),
      chunk({ content: 'b' }, 'stop'),
      chunk({ content: 'c' }, 'stop'),
    ]);
    assert.equal(textOf(events), 'abc');
  });

  it('says that a stream which just ended was interrupted, and keeps its text', () => {
    const events = decodeChunks([text('Hel')], { done: false });
    assert.deepEqual(events, [
      { kind: 'text-delta', text: 'Hel' },
      { kind: 'finish', reason: 'interrupted' },
    ]);
  });

  it('says that a stream which ended within an event was interrupted', () => {
    const events = decodeBytes([Buffer.from(`data: ${JSON.stringify(text('Hel'))}\n\ndata: {"choices":[{"del`)]);
    assert.deepEqual(events, [
      { kind: 'text-delta', text: 'Hel' },
      { kind: 'finish', reason: 'interrupted' },
    ]);
  });

  for (const [finish, reason] of [
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['content_filter', 'content-filter'],
    ['SAFETY', 'content-filter'],
    ['abort', 'interrupted'],
    ['insufficient_system_resource', 'interrupted'],
    ['end_turn', 'stop'],
    ['anything', 'stop'],
  ] as const) {
    it(`takes the finish ${finish} for ${reason}`, () => {
      assert.equal(finishOf(decodeChunks([text('a'), chunk({}, finish)])), reason);
    });
  }

  for (const [how, error, message] of [
    ['an object', { error: { message: 'boom', type: 'server_error' } }, 'boom'],
    ['a text', { error: 'boom' }, 'boom'],
    ['an object without a message', { error: { code: 500 } }, 'an error without a message'],
    ['an error of vLLM', { object: 'error', message: 'boom', type: 'BadRequestError', param: null, code: 400 }, 'boom'],
    ['an error of Anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'boom' } }, 'boom'],
    [
      'an error within the choice',
      {
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'boom' } }],
      },
      'boom',
    ],
    ['a list of one', [{ error: { code: 400, message: 'boom', status: 'INVALID_ARGUMENT' } }], 'boom'],
    ['a detail', { detail: 'boom' }, 'boom'],
    [
      'details of a validator',
      { detail: [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required' }] },
      'body.model: Field required',
    ],
    ['a bare message', { message: 'boom' }, 'boom'],
    [
      'a chunk with an error in it',
      {
        error: { code: 502, message: 'boom' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
      'boom',
    ],
    [
      'an error with what the provider said',
      { error: { message: 'Provider returned error', metadata: { raw: 'boom' } } },
      'Provider returned error: boom',
    ],
  ] as const) {
    it(`reports an error that is ${how}`, () => {
      assert.throws(
        () => decodeChunks([text('a'), error]),
        (thrown) => thrown instanceof AnswerFault && thrown.message === message,
      );
    });
  }

  it('tells the person of a call that the model wrote as text', () => {
    const content = 'I look.\n<tool_call>\n{"name": "bb7_getUsers", "arguments": {}}\n</tool_call>';
    const toolNames = new Set(['bb7_getUsers']);
    const notices = (text: string, calls: unknown[] = []): string[] =>
      noticesOf(decodeChunks([chunk({ content: text, tool_calls: calls }), chunk({}, 'stop')], { toolNames }));
    assert.match(notices(content)[0] ?? '', /^The model wrote a tool call as plain text, so it was not run/);
    assert.deepEqual(notices('A <tool_call> is how some models call tools.'), []);
    assert.deepEqual(notices('I call bb7_getUsers.'), []);
    assert.deepEqual(notices(content, [{ id: 'a', function: { name: 'bb7_getUsers', arguments: '{}' } }]), []);
  });

  it('reports a finish of "error" that says no more', () => {
    assert.throws(() => decodeChunks([chunk({}, 'error')]), AnswerFault);
  });

  it('reports an event that is called an error, be it JSON or words', () => {
    for (const data of ['{"message":"boom","request":1}', '"boom"', 'boom']) {
      assert.throws(
        () => new StreamDecoder().push(data, 'error'),
        (thrown) => thrown instanceof AnswerFault && thrown.message === 'boom',
        data,
      );
    }
  });
});

describe('thoughts in tags', () => {
  const whole = (content: string): ReturnType<typeof decodeChunks> => decodeChunks([text(content), chunk({}, 'stop')]);

  for (const [content, thought, said] of [
    ['<think>hm</think>yes', 'hm', 'yes'],
    ['\n<think>\nhm\n</think>\n\nyes\n', '\nhm\n', 'yes\n'],
    ['<thinking>a < b</thinking> yes', 'a < b', 'yes'],
    ['<thought>hm</thought>yes', 'hm', 'yes'],
    ['<think></think>yes', '', 'yes'],
    ['yes <think>no</think>', '', 'yes <think>no</think>'],
    ['<thin', '', '<thin'],
    ['<thinker>yes', '', '<thinker>yes'],
    ['  yes', '', '  yes'],
    ['<think>never closed', 'never closed', ''],
    ['<think>half</thi', 'half</thi', ''],
    ['<think>a</think><think>b</think>', 'a', '<think>b</think>'],
  ] as const) {
    it(`reads ${JSON.stringify(content)} however it is cut`, () => {
      for (let at = 0; at <= content.length; at++) {
        const events = decodeChunks([text(content.slice(0, at)), text(content.slice(at)), chunk({}, 'stop')]);
        assert.equal(reasoningOf(events), thought);
        assert.equal(textOf(events), said);
      }
      const events = decodeChunks([...Array.from(content, text), chunk({}, 'stop')]);
      assert.deepEqual(events, whole(content));
    });
  }
});

describe('decodeCompletion', () => {
  const read = (body: string): ReturnType<typeof decodeChunks> => {
    const decoder = new StreamDecoder();
    return [...decodeCompletion(body, decoder), ...decoder.end()];
  };
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'x', arguments: '{"p":1}' } },
            { id: 'b', type: 'function', function: { name: 'x', arguments: { p: 2 } } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 6 },
  };

  it('reads a whole answer', () => {
    assert.deepEqual(read(JSON.stringify(completion, null, 2)), [
      { kind: 'reasoning-delta', text: 'hm' },
      { kind: 'text-delta', text: 'I look.' },
      { kind: 'tool-call', id: 'a', name: 'x', arguments: { p: 1 } },
      { kind: 'tool-call', id: 'b', name: 'x', arguments: { p: 2 } },
      { kind: 'usage', inputTokens: 5, outputTokens: 6 },
      { kind: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('takes a whole answer without a finish for complete', () => {
    const [choice] = completion.choices;
    assert.equal(finishOf(read(JSON.stringify({ choices: [{ ...choice, finish_reason: null }] }))), 'tool-calls');
  });

  it('reads a list of chunks, and chunks line by line', () => {
    const chunks = [text('a'), text('b'), chunk({}, 'stop')];
    assert.equal(textOf(read(JSON.stringify(chunks))), 'ab');
    const events = read(chunks.map((each) => JSON.stringify(each)).join('\n'));
    assert.equal(textOf(events), 'ab');
    assert.equal(finishOf(events), 'stop');
  });

  it('does not take lines that just end for complete', () => {
    assert.equal(finishOf(read(`${JSON.stringify(text('a'))}\n${JSON.stringify(text('b'))}\n`)), 'interrupted');
  });

  it('reports an error and what cannot be read', () => {
    for (const body of ['{"error":{"message":"boom"}}', '[{"error":{"message":"boom"}}]', 'boom', '{"choices":[{']) {
      assert.throws(() => read(body), AnswerFault);
    }
  });
});
