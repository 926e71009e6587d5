import assert from 'node:assert/strict';
import { isRecord, type JsonObject } from '../../../../src/base/json.ts';
import type { ChatMessage, ModelTool } from '../../../../src/model/chatModel.ts';
import { encodeRequest, type EncodedRequest } from '../../../../src/model/openai/encodeRequest.ts';
import { imageKey, usualForm, type RequestForm } from '../../../../src/model/openai/requestForm.ts';
import { tool, user } from '../../../support/modelEvents.ts';

const png = { kind: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

function encode(
  messages: readonly ChatMessage[],
  options: { tools?: readonly ModelTool[]; form?: Partial<RequestForm>; maxOutputTokens?: number } = {},
): EncodedRequest & { json: JsonObject; sent: unknown[] } {
  const { tools = [], form = {}, ...rest } = options;
  const encoded = encodeRequest({ messages, tools }, { model: 'm', form: { ...usualForm, ...form }, ...rest });
  const json: unknown = JSON.parse(encoded.body);
  assert.ok(isRecord(json) && Array.isArray(json['messages']));
  return { ...encoded, json, sent: json['messages'] };
}

const call = { id: 'call_1', name: 'bb7_getUsers', arguments: {} };
const result = (text: string, isError = false): ChatMessage => ({
  role: 'tool',
  callId: 'call_1',
  name: 'bb7_getUsers',
  content: text === '' ? [] : [{ kind: 'text', text }],
  isError,
});

describe('encodeRequest', () => {
  it('replaces half a character, for which endpoints refuse all, and leaves whole ones and text about them', () => {
    const text = '\\ud83d \ud83d 🌍 \\\udf0d';
    const asked: ChatMessage = { role: 'assistant', text: '', toolCalls: [{ ...call, arguments: { a: '\ud83d' } }] };
    const { sent } = encode([user('go'), asked, result(text)], { tools: [tool('a_b')] });
    assert.deepEqual(sent.slice(1), [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'bb7_getUsers', arguments: '{"a":"\ufffd"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '\\ud83d \ufffd 🌍 \\\ufffd' },
    ]);
  });

  it('writes a name that no tool can have so that later requests are not refused for it', () => {
    const names = ['', 'functions.bb7_read', '工具', 'x'.repeat(100)].map((name, index): ChatMessage => {
      return { role: 'assistant', text: '', toolCalls: [{ id: `c${index}`, name, arguments: {} }] };
    });
    const written = JSON.stringify(encode([user('go'), ...names]).sent).match(/(?<="name":")[^"]*/g);
    assert.deepEqual(written, ['unnamed', 'functions_bb7_read', '__', 'x'.repeat(64)]);
  });

  it('writes what the captured conversation sends', () => {
    const { json } = encode(
      [
        { role: 'system', text: 'Be brief.' },
        user('Who is there?'),
        { role: 'assistant', text: '', toolCalls: [{ ...call, arguments: { page: 1 } }] },
        result('[{"name":"John"}]'),
      ],
      { tools: [tool('bb7_getUsers')] },
    );
    assert.deepEqual(json, {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: 'function',
          function: {
            name: 'bb7_getUsers',
            description: 'Does bb7_getUsers.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Who is there?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'bb7_getUsers', arguments: '{"page":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '[{"name":"John"}]' },
      ],
    });
  });

  it('begins the next request of a task with the bytes of the last', () => {
    const tools = [tool('z'), tool('a'), tool('m')];
    const messages: ChatMessage[] = [{ role: 'system', text: 'Be brief.' }, user('Go on.')];
    let former = encode(messages, { tools }).body;
    for (let step = 1; step < 6; step++) {
      const id = `call_${step}`;
      messages.push({ role: 'assistant', text: 'I look.', toolCalls: [{ id, name: 'a', arguments: { step } }] });
      messages.push({
        role: 'tool',
        callId: id,
        name: 'a',
        content: [{ kind: 'text', text: 'seen' }, png],
        isError: false,
      });
      const next = encode(messages, { tools: tools.map((each) => ({ ...each })) }).body;
      assert.ok(next.startsWith(former.slice(0, -2)), `step ${step}`);
      former = next;
    }
    assert.deepEqual([...encode(messages, { tools }).tools.keys()], ['z', 'a', 'm']);
  });

  it('leaves out what was not asked for', () => {
    assert.deepEqual(Object.keys(encode([user('a')], { form: { usage: false } }).json), [
      'model',
      'stream',
      'messages',
    ]);
    assert.equal(encode([user('a')], { form: { stream: false } }).json['stream'], false);
    assert.equal(encode([user('a')], { form: { stream: false } }).json['stream_options'], undefined);
    assert.equal(encode([user('a')], { maxOutputTokens: 99 }).json['max_tokens'], 99);
    assert.equal(
      encode([user('a')], { maxOutputTokens: 99, form: { outputLimit: 'max_completion_tokens' } }).json[
        'max_completion_tokens'
      ],
      99,
    );
    assert.equal(
      encode([user('a')], { maxOutputTokens: 99, form: { outputLimit: 'none' } }).json['max_tokens'],
      undefined,
    );
  });

  it('sends no message without content', () => {
    const { sent } = encode([
      { role: 'user', content: [] },
      { role: 'assistant', text: '', toolCalls: [] },
      user(''),
      { role: 'assistant', text: '', toolCalls: [call] },
      result(''),
      result('', true),
    ]);
    assert.deepEqual(
      sent.map((message) => (isRecord(message) ? message['content'] : '')),
      [
        '(empty message)',
        '(no answer)',
        '(empty message)',
        null,
        '(The tool returned nothing.)',
        'Error: the tool failed without a message.',
      ],
    );
  });

  it('marks the result of a failed call', () => {
    const texts = [result('no such user', true), result('Error: no such user', true), result('fine')].map(
      (message) => encode([message]).sent[0],
    );
    assert.deepEqual(
      texts.map((message) => (isRecord(message) ? message['content'] : '')),
      ['Error: no such user', 'Error: no such user', 'fine'],
    );
  });

  it('sends the images of results after the last result of the step', () => {
    const { sent, images } = encode([
      user('Look.'),
      { role: 'assistant', text: '', toolCalls: [call, { ...call, id: 'call_2' }] },
      { role: 'tool', callId: 'call_1', name: 'shot', content: [png], isError: false },
      {
        role: 'tool',
        callId: 'call_2',
        name: 'shot',
        content: [{ kind: 'text', text: 'two' }, png, png],
        isError: false,
      },
      { role: 'assistant', text: 'Seen.', toolCalls: [] },
    ]);
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    assert.deepEqual(sent.slice(2), [
      { role: 'tool', tool_call_id: 'call_1', content: '(An image follows in the next message.)' },
      { role: 'tool', tool_call_id: 'call_2', content: 'two\n(2 images follow in the next message.)' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image from the result of shot (call_1):' },
          picture,
          { type: 'text', text: 'Image from the result of shot (call_2):' },
          picture,
          { type: 'text', text: 'Image from the result of shot (call_2):' },
          picture,
        ],
      },
      { role: 'assistant', content: 'Seen.' },
    ]);
    assert.equal(images.length, 3);
  });

  it('names the images that it leaves out, to the model and to the person', () => {
    for (const form of [{ images: false }, { refusedImages: new Set([imageKey(png)]) }]) {
      const { sent, notices, images } = encode(
        [
          { role: 'user', content: [{ kind: 'text', text: 'Look:' }, png] },
          { role: 'tool', callId: 'call_1', name: 'x', content: [png], isError: false },
        ],
        { form },
      );
      assert.deepEqual(sent, [
        { role: 'user', content: 'Look:\n[An image (image/png, 9 bytes) was left out: this model did not take it.]' },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: '[An image (image/png, 9 bytes) was left out: this model did not take it.]',
        },
      ]);
      assert.deepEqual(notices, ['The model m did not take an image, so it was left out.']);
      assert.deepEqual(images, []);
    }
  });

  it('sends back what an endpoint attached to a call', () => {
    const extra = { google: { thought_signature: 's' } };
    const [message] = encode([{ role: 'assistant', text: '', toolCalls: [{ ...call, extra }] }]).sent;
    assert.deepEqual(isRecord(message) ? message['tool_calls'] : [], [
      { id: 'call_1', type: 'function', function: { name: 'bb7_getUsers', arguments: '{}' }, extra_content: extra },
    ]);
  });

  it('sends sealed thoughts back with the message that they came with', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'EjQK' }];
    const [message] = encode([
      { role: 'assistant', text: '', toolCalls: [{ ...call, extra: { reasoning_details: details } }] },
    ]).sent;
    assert.ok(isRecord(message));
    assert.deepEqual(message['reasoning_details'], details);
    assert.ok(!JSON.stringify(message['tool_calls']).includes('extra_content'));
  });

  it('signs the calls of other models where a Gemini endpoint insists', () => {
    const { body } = encode([{ role: 'assistant', text: '', toolCalls: [call] }], { form: { signatures: true } });
    assert.ok(body.includes('"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}'));
  });

  it('sends thoughts back only where the endpoint insists', () => {
    const message: ChatMessage = { role: 'assistant', text: '', toolCalls: [call], reasoning: 'hm' };
    const [usual] = encode([message]).sent;
    const [insisted] = encode([message], { form: { reasoning: true } }).sent;
    assert.equal(isRecord(usual) && 'reasoning_content' in usual, false);
    assert.equal(isRecord(insisted) ? insisted['reasoning_content'] : '', 'hm');
  });

  it('replaces ids that an endpoint would refuse, in calls and results alike', () => {
    for (const [id, form, accepted] of [
      ['x'.repeat(64), {}, /^[0-9a-f]{9}$/],
      ['functions.get:0', {}, /^[0-9a-f]{9}$/],
      ['call_1', {}, /^call_1$/],
      ['call_1', { shortIds: true }, /^[0-9a-f]{9}$/],
      ['D681PevKs', { shortIds: true }, /^D681PevKs$/],
    ] as const) {
      const { body } = encode(
        [
          { role: 'assistant', text: '', toolCalls: [{ ...call, id }] },
          { role: 'tool', callId: id, name: 'x', content: [], isError: false },
        ],
        { form },
      );
      const ids = [...body.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)].map((match) => match[1] ?? '');
      assert.equal(ids.length, 2);
      assert.equal(ids[0], ids[1]);
      assert.match(ids[0] ?? '', accepted);
    }
  });

  it('joins neighbouring messages of the person, and the instructions, for endpoints that want that', () => {
    const messages: ChatMessage[] = [
      { role: 'system', text: 'Be brief.' },
      user('a'),
      { role: 'user', content: [{ kind: 'text', text: 'b' }, png] },
      { role: 'assistant', text: 'c', toolCalls: [] },
    ];
    assert.deepEqual(encode(messages, { form: { systemRole: false } }).sent, [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Be brief.\n\na' },
          { type: 'text', text: 'b' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
      { role: 'assistant', content: 'c' },
    ]);
    assert.deepEqual(encode([user('a'), user('b')], { form: { alternating: true } }).sent, [
      { role: 'user', content: 'a\n\nb' },
    ]);
  });

  it('leaves out a tool that was refused, until it changes', () => {
    const text = encode([user('a')], { tools: [tool('other')] }).tools.get('other') ?? '';
    const form = { refusedTools: new Map([[text, 'Invalid schema']]) };
    const { tools, notices } = encode([user('a')], { tools: [tool('other'), tool('good')], form });
    assert.deepEqual([...tools.keys()], ['good']);
    assert.deepEqual(notices, [
      'The tool other is not offered to the model: the endpoint refuses it (Invalid schema).',
    ]);
    assert.equal(encode([user('a')], { tools: [{ ...tool('other'), description: 'Better.' }], form }).tools.size, 1);
  });

  it('offers the good tools and says why another is not offered', () => {
    const { tools, notices } = encode([user('a')], {
      tools: [tool('good'), tool('bad', { type: 'string' }), tool('not a name'), tool('good')],
    });
    assert.deepEqual([...tools.keys()], ['good']);
    assert.deepEqual(notices, [
      'The tool bad is not offered to the model: its input schema asks for string instead of an object.',
      'The tool not a name is not offered to the model: models do not accept its name.',
      'The tool good is not offered to the model: its name is taken already.',
    ]);
  });

  it('shortens descriptions in the plain form alone', () => {
    const long = { ...tool('x'), description: 'd'.repeat(3000) };
    const lengthIn = (form: Partial<RequestForm>): number =>
      /"description":"(d+…?)"/.exec(encode([user('a')], { tools: [long], form }).body)?.[1]?.length ?? 0;
    assert.equal(lengthIn({}), 3000);
    assert.equal(lengthIn({ plainTools: true }), 1024);
  });
});
