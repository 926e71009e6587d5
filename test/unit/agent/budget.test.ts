import assert from 'node:assert/strict';
import { Conversation } from '../../../src/agent/conversation.ts';
import { planRequest } from '../../../src/agent/planRequest.ts';
import { systemText } from '../../../src/agent/instructions.ts';
import type { ChatMessage } from '../../../src/model/chatModel.ts';
import { countMessageTokens, countTokens } from '../../../src/model/countTokens.ts';
import { ModelError } from '../../../src/model/modelError.ts';
import { checkHistory, messageText, outline, resultTexts, runTurn } from '../../support/agentRun.ts';
import { calls, fakeModel, says } from '../../support/fakeModel.ts';
import { fakeTool, textOutcome } from '../../support/fakeTool.ts';
import { png } from '../../support/images.ts';

const tokensOf = (messages: readonly ChatMessage[]): number =>
  messages.map(countMessageTokens).reduce((sum, tokens) => sum + tokens, 0);

/** A conversation of turns, each with `steps` calls whose results have `size` characters. */
function conversationOf(turns: number, steps: number, size: number): Conversation {
  const conversation = new Conversation();
  for (let turn = 0; turn < turns; turn++) {
    conversation.append({ role: 'user', content: [{ kind: 'text', text: `prompt ${turn}` }] });
    for (let step = 0; step < steps; step++) addStep(conversation, `${turn}_${step}`, size);
    if (turn < turns - 1) conversation.append({ role: 'assistant', text: `answer ${turn}`, toolCalls: [] });
  }
  return conversation;
}

function addStep(conversation: Conversation, id: string, size: number): void {
  conversation.append({ role: 'assistant', text: '', toolCalls: [{ id, name: 'b_x', arguments: {} }] });
  const text = `result ${id} ${'word '.repeat(size / 5)}`;
  conversation.append({ role: 'tool', callId: id, name: 'b_x', content: [{ kind: 'text', text }], isError: false });
}

const plan = (conversation: Conversation, maxInputTokens: number): ReturnType<typeof planRequest> =>
  planRequest({ system: 'system', conversation, tools: [], maxInputTokens, imageInput: false });

describe('the budget of a request', () => {
  it('leaves a conversation alone that fits', () => {
    const conversation = conversationOf(3, 3, 400);
    const { messages, roomMade } = plan(conversation, 32_000);
    assert.equal(roomMade, undefined);
    assert.deepEqual(messages.slice(1), conversation.messages);
  });

  it('shortens the oldest results first and no newer than it must', () => {
    const conversation = conversationOf(1, 10, 4000);
    const { messages, roomMade } = plan(conversation, 8000);
    assert.ok(roomMade?.includes('old-results'));
    assert.ok(tokensOf(messages) <= 8000 * 0.9);
    const shown = messages.flatMap((message) =>
      message.role === 'tool' ? [messageText(message).startsWith('result')] : [],
    );
    assert.equal(shown[0], false);
    assert.equal(shown.at(-1), true);
    assert.equal(shown.indexOf(true), shown.lastIndexOf(false) + 1, 'old ones shortened, new ones whole');
    checkHistory(messages);
  });

  it('keeps what it shortened, so that the next requests begin with the same bytes', () => {
    const conversation = conversationOf(1, 10, 4000);
    const before = plan(conversation, 8000).messages;
    for (let step = 0; step < 2; step++) {
      addStep(conversation, `more_${step}`, 1000);
      const { messages, roomMade } = plan(conversation, 8000);
      assert.equal(roomMade, undefined);
      assert.deepEqual(messages.slice(0, before.length), before);
    }
  });

  it('leaves out whole earlier turns when shortening is not enough, and never half of a call', () => {
    const conversation = conversationOf(60, 2, 300);
    const { messages, roomMade } = plan(conversation, 3000);
    assert.ok(roomMade?.includes('turns'));
    assert.ok(tokensOf(messages) <= 3000 * 0.9);
    assert.equal(messages[1]?.role, 'user');
    assert.equal(messageText(messages.findLast(({ role }) => role === 'user')), 'prompt 59');
    checkHistory(messages);
  });

  it('leaves out the first steps of a very long turn, but neither the prompt nor the last results', () => {
    const conversation = conversationOf(1, 100, 300);
    const { messages, roomMade } = plan(conversation, 3000);
    assert.ok(roomMade?.includes('steps'));
    assert.ok(tokensOf(messages) <= 3000 * 0.9);
    assert.equal(messageText(messages[1]), 'prompt 0');
    assert.match(messageText(messages.at(-1)), /^result 0_99/);
    checkHistory(messages);
  });

  it('shrinks the newest results together when they alone are too much', async () => {
    const conversation = new Conversation();
    conversation.append({ role: 'user', content: [{ kind: 'text', text: 'go' }] });
    const ids = ['a', 'b', 'c', 'd'];
    conversation.append({
      role: 'assistant',
      text: '',
      toolCalls: ids.map((id) => ({ id, name: 'b_x', arguments: {} })),
    });
    for (const callId of ids) {
      const content = [{ kind: 'text', text: `${callId} `.repeat(5000) } as const];
      conversation.append({ role: 'tool', callId, name: 'b_x', content, isError: false });
    }
    const { messages, roomMade } = plan(conversation, 6000);
    assert.ok(roomMade?.includes('new-results'));
    assert.ok(tokensOf(messages) <= 6000 * 0.9);
    for (const message of messages.slice(3)) assert.match(messageText(message), /left out here.*read_result/);
    assert.equal((await conversation.results.read('c'))?.length, 10_000);
    checkHistory(messages);
  });

  it('says so when even that is not enough', () => {
    const conversation = new Conversation();
    conversation.append({ role: 'user', content: [{ kind: 'text', text: 'word '.repeat(10_000) }] });
    assert.ok(plan(conversation, 4000).roomMade?.includes('too-long'));
  });

  it('is told to the person in the turn', async () => {
    const model = fakeModel(
      [
        (request) =>
          request.messages.length > 30 ? says('ok') : calls({ name: 'b_x', args: { n: request.messages.length } }),
      ],
      {
        maxInputTokens: 6000,
      },
    );
    const { events } = await runTurn({
      model,
      tools: [fakeTool('b_x', ({ n }) => `${String(n)} ${'word '.repeat(300)}`)],
    });
    const notices = outline(events).filter((line) => line.startsWith('!'));
    assert.match(notices[0] ?? '', /longer than Fake can read \(6000 tokens\): older tool results are sent shortened/);
    assert.ok(model.requests.every(({ messages }) => tokensOf(messages) < 6000));
  });

  it('asks again with less when the endpoint says that it was too much', async () => {
    const tooLarge = new ModelError('too-large', 'Ollama: the request is longer than the context.');
    const conversation = conversationOf(2, 20, 2000);
    conversation.append({ role: 'assistant', text: 'ok', toolCalls: [] });
    const model = fakeModel([[tooLarge], says('now it fits')], { maxInputTokens: 32_000 });
    const { events } = await runTurn({ model, conversation });
    assert.equal(model.requests.length, 2);
    const [first, second] = model.requests.map(({ messages }) => tokensOf(messages));
    assert.ok((second ?? 0) < (first ?? 0) * 0.8);
    assert.equal(outline(events).at(-1), 'done stop');
  });

  it('gives up with the endpoint’s error when it stays too much', async () => {
    const model = fakeModel([[new ModelError('too-large', 'Ollama: too long')]]);
    const { events } = await runTurn({ model });
    assert.ok(model.requests.length <= 4);
    assert.deepEqual(events.at(-1), { kind: 'done', reason: 'error', error: 'Ollama: too long' });
  });

  it('keeps requests of fifty steps prefix-stable', async () => {
    const model = fakeModel(
      [
        (request) =>
          request.messages.length > 100 ? says('ok') : calls({ name: 'b_x', args: { n: request.messages.length } }),
      ],
      { maxInputTokens: 20_000 },
    );
    await runTurn({ model, maxSteps: 60, tools: [fakeTool('b_x', ({ n }) => `${String(n)} ${'word '.repeat(400)}`)] });
    const texts = model.requests.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
    const changed = texts.slice(1).filter((text, index) => !text.startsWith(texts[index] ?? '')).length;
    assert.ok(texts.length >= 50);
    assert.ok(changed <= 5, `${changed} of ${texts.length} requests did not begin with the one before`);
  });
});

describe('the system text', () => {
  it('leaves most of a small window to the task, however long the person’s own instructions are', async () => {
    const model = fakeModel([says('ok')], { maxInputTokens: 4000 });
    await runTurn({ model, instructions: 'Be kind. '.repeat(5000) });
    const [system] = model.requests[0]?.messages ?? [];
    assert.ok(system?.role === 'system' && system.text.length < 5500, String(system && messageText(system).length));
  });

  it('is short enough for a small local model', () => {
    assert.ok(countTokens(systemText({ servers: [], limit: 1000 })) < 250);
  });

  it('takes the notes of servers up to a limit', () => {
    const servers = Array.from({ length: 50 }, (_, index) => ({ server: `s${index}`, text: 'note '.repeat(1000) }));
    const text = systemText({ servers, limit: 5000 });
    assert.ok(text.length < 7000);
    assert.match(text, /Notes of the server "s0"/);
  });
});

describe('a large result', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} of the log`);
  lines[12_345] = 'line 12345 says ERROR: the needle';
  const whole = lines.join('\n');

  it('is shown whole to the person, and to the model as start, end and size with a way to read on', async () => {
    const model = fakeModel([calls('b_log'), says('ok')]);
    const { events, conversation } = await runTurn({ model, tools: [fakeTool('b_log', () => whole)] });
    const end = events.find((event) => event.kind === 'tool-end');
    assert.deepEqual(end?.kind === 'tool-end' && end.content, [{ type: 'text', text: whole }]);
    const [shown = ''] = resultTexts(conversation);
    assert.ok(shown.length < 30_000);
    assert.match(shown, /^line 0 of the log\n/);
    assert.match(shown, /line 19999 of the log$/);
    assert.match(shown, new RegExp(`of ${whole.length} \\(20000 lines in all\\) are left out here`));
    assert.equal(model.requests[0]?.tools.length, 1);
    assert.deepEqual(
      model.requests[1]?.tools.map(({ name }) => name),
      ['b_log', 'read_result'],
    );
  });

  it('can be read on and searched', async () => {
    const model = fakeModel([
      calls({ name: 'b_log', id: 'big' }),
      calls({ name: 'read_result', args: { call_id: 'big', find: 'needle' } }),
      calls({ name: 'read_result', args: { call_id: 'big', offset: 200_000 } }),
      calls({ name: 'read_result', args: { call_id: 'big', offset: 1e9 } }),
      calls({ name: 'read_result', args: { call_id: 'other' } }),
      says('ok'),
    ]);
    const { events, conversation } = await runTurn({ model, tools: [fakeTool('b_log', () => whole)] });
    const [, found = '', read = '', beyond = '', unknown = ''] = resultTexts(conversation);
    assert.match(found, /1 places, 1 shown.*line 12345 says ERROR: the needle/s);
    assert.match(read, /^\[Characters 200000 to \d+ of \d+\. Read on with offset \d+\.\]\n/);
    assert.equal(read.slice(read.indexOf('\n') + 1, read.indexOf('\n') + 31), whole.slice(200_000, 200_030));
    assert.match(beyond, /offset must be from 0 to/);
    assert.match(unknown, /not kept/);
    assert.deepEqual(
      outline(events).filter((line) => line.startsWith('end')),
      ['end', 'end', 'end', 'end with error', 'end with error'],
    );
  });

  it('does not cut a character in two', async () => {
    const model = fakeModel([calls('b_log'), says('ok')]);
    const { conversation } = await runTurn({ model, tools: [fakeTool('b_log', () => `a${'🌍'.repeat(50_000)}`)] });
    assert.doesNotThrow(() => encodeURIComponent(resultTexts(conversation)[0] ?? ''));
  });

  it('keeps its images', async () => {
    const outcome = {
      ...textOutcome(whole),
      parts: [{ kind: 'text', text: whole } as const, { kind: 'image', mimeType: 'image/png', data: png } as const],
    };
    const model = fakeModel([calls('b_log'), says('ok')], { imageInput: true });
    await runTurn({ model, tools: [fakeTool('b_log', () => outcome)] });
    assert.match(messageText(model.requests[1]?.messages.at(-1)), /<image\/png>$/);
  });
});
