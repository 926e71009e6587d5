import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/agent/agentEvent.ts';
import { runAgent } from '../../../src/agent/agentLoop.ts';
import { Conversation } from '../../../src/agent/conversation.ts';
import type { TapFact } from '../../../src/base/tap.ts';
import { ModelError } from '../../../src/model/modelError.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import {
  checkEvents,
  checkHistory,
  messageText,
  outline,
  resultTexts,
  runOptions,
  runTurn,
} from '../../support/agentRun.ts';
import { settle } from '../../support/connected.ts';
import { deferred } from '../../support/deferred.ts';
import { calls, fakeModel, says } from '../../support/fakeModel.ts';
import { fakeTool, textOutcome } from '../../support/fakeTool.ts';

describe('a turn of the agent', () => {
  it('goes from the model to tools and back until the model stops, and sends all of it each time', async () => {
    const model = fakeModel([
      calls('bb7_getUsers'),
      calls({ name: 'bb7_addUser', args: { n: 1 } }),
      says('Hello Carson'),
    ]);
    const { events } = await runTurn({ model, tools: [fakeTool('bb7_getUsers'), fakeTool('bb7_addUser')] });
    assert.deepEqual(outline(events), [
      'start bb7_getUsers',
      'end',
      'start bb7_addUser',
      'end',
      'Hello Carson',
      'done stop',
    ]);
    assert.deepEqual(
      model.requests.map(({ messages }) => messages.map(({ role }) => role)),
      [
        ['system', 'user'],
        ['system', 'user', 'assistant', 'tool'],
        ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
      ],
    );
    assert.deepEqual(
      model.requests.map(({ tools }) => tools.length),
      [2, 2, 2],
    );
    assert.deepEqual(model.requests[2]?.messages.slice(0, 4), model.requests[1]?.messages);
  });

  it('sends the calls and results of earlier turns too', async () => {
    const conversation = new Conversation();
    const tools = [fakeTool('bb7_getUsers', () => 'John, Jane')];
    await runTurn({ model: fakeModel([calls('bb7_getUsers'), says('Two users.')]), tools, conversation });
    const model = fakeModel([says('John')]);
    await runTurn({ model, tools, conversation, prompt: 'Who is first?' });
    const sent = model.requests[0]?.messages.map(messageText).slice(1);
    assert.deepEqual(sent, ['do it', '', 'John, Jane', 'Two users.', 'Who is first?']);
  });

  it('says of each tool which server it belongs to, and passes its schema on unaltered', async () => {
    const model = fakeModel([says('hi')]);
    const tool = { ...fakeTool('bb7_x'), inputSchema: { type: 'object', $defs: { a: {} } } };
    await runTurn({ model, tools: [tool] });
    assert.deepEqual(model.requests[0]?.tools, [
      { name: 'bb7_x', description: 'Does x (server: users)', inputSchema: tool.inputSchema },
    ]);
  });

  it('gives the model the nearest names for a tool that does not exist, and goes on', async () => {
    const model = fakeModel([calls('search_files'), calls('bb7_search_files'), says('found')]);
    const tools = [fakeTool('bb7_read'), fakeTool('bb7_search_files'), fakeTool('zz1_write')];
    const { events, conversation } = await runTurn({ model, tools });
    assert.deepEqual(events[0], {
      kind: 'tool-start',
      callId: 'call_0',
      name: 'search_files',
      server: '',
      tool: 'search_files',
      arguments: {},
    });
    assert.deepEqual(outline(events), [
      'start search_files',
      'end with error',
      'start bb7_search_files',
      'end',
      'found',
      'done stop',
    ]);
    const names = 'The tools are: bb7_search_files, bb7_read, zz1_write. Use one of these names exactly.';
    assert.equal(resultTexts(conversation)[0], `There is no tool named "search_files". ${names}`);
  });

  it('tells the model of arguments that are no JSON object, runs the other calls, and keeps a valid history', async () => {
    let ran = 0;
    const model = fakeModel([
      [
        {
          kind: 'invalid-tool-call',
          id: 'a',
          name: 'bb7_write',
          text: '{"path":"a","text":"lo',
          reason: 'It was cut off.',
        },
        { kind: 'tool-call', id: 'b', name: 'bb7_read', arguments: {} },
        { kind: 'finish', reason: 'length' },
      ],
      says('again'),
    ]);
    const tools = [fakeTool('bb7_write', () => String(++ran)), fakeTool('bb7_read')];
    const { events, conversation } = await runTurn({ model, tools });
    assert.equal(ran, 0);
    const expected = ['start bb7_write', 'end with error', 'start bb7_read', 'end', 'again', 'done stop'];
    assert.deepEqual(outline(events), expected);
    assert.match(resultTexts(conversation)[0] ?? '', /not a valid JSON object. It was cut off.*"text":"lo/s);
    const answer = conversation.messages[1];
    assert.deepEqual(answer?.role === 'assistant' && answer.toolCalls[0]?.arguments, {});
  });

  it('gives the model the reason of a refusal and does not run the call', async () => {
    let ran = 0;
    const model = fakeModel([calls('bb7_delete'), says('ok')]);
    const { events, conversation } = await runTurn({
      model,
      tools: [fakeTool('bb7_delete', () => String(++ran))],
      carryOut: async () => ({ denied: 'not on a Friday' }),
    });
    assert.equal(ran, 0);
    assert.deepEqual(outline(events), ['start bb7_delete', 'end with error', 'ok', 'done stop']);
    assert.match(resultTexts(conversation)[0] ?? '', /did not allow.*not run.*not on a Friday/);
  });

  it('survives an approval that throws', async () => {
    const carryOut = async (): Promise<never> => {
      throw new Error('dialog is broken');
    };
    const { events } = await runTurn({
      model: fakeModel([calls('bb7_x'), says('ok')]),
      tools: [fakeTool('bb7_x')],
      carryOut,
    });
    assert.deepEqual(outline(events), ['start bb7_x', 'end with error', 'ok', 'done stop']);
  });

  it('runs a call once even when it is asked to run twice', async () => {
    let ran = 0;
    const { events } = await runTurn({
      model: fakeModel([calls('bb7_x'), says('ok')]),
      tools: [fakeTool('bb7_x', () => String(++ran))],
      carryOut: async (_call, run) => {
        const first = await run();
        await run();
        return first;
      },
    });
    assert.equal(ran, 1);
    assert.equal(outline(events)[1], 'end');
  });

  it('gives every call its own result in the order of the calls, whatever fails', async () => {
    const model = fakeModel([calls('bb7_slow', 'bb7_fails', 'bb7_throws', 'bb7_quick'), says('ok')]);
    const slow = deferred<string>();
    const tools = [
      fakeTool('bb7_slow', () => slow.promise, { readOnlyHint: true }),
      fakeTool('bb7_fails', () => textOutcome('no', true), { readOnlyHint: true }),
      fakeTool('bb7_throws', () => Promise.reject(new Error('bug')), { readOnlyHint: true }),
      fakeTool('bb7_quick', () => (slow.resolve('slow'), 'quick'), { readOnlyHint: true }),
    ];
    const { conversation } = await runTurn({ model, tools });
    assert.deepEqual(resultTexts(conversation), ['slow', 'no', 'The call could not be carried out: bug', 'quick']);
  });

  it('runs calls of other tools one after the other, and read-only ones beside each other', async () => {
    const running = new Set<string>();
    let most = 0;
    const trace: string[] = [];
    const run = (name: string) => async (): Promise<string> => {
      trace.push(name);
      running.add(name);
      most = Math.max(most, running.size);
      if (name.startsWith('write')) assert.equal(running.size, 1, 'a write runs alone');
      await new Promise(setImmediate);
      running.delete(name);
      return name;
    };
    const names = ['read1', 'read2', 'write1', 'write2', 'read3', 'read4'];
    const tools = names.map((name) => fakeTool(`b_${name}`, run(name), { readOnlyHint: name.startsWith('read') }));
    await runTurn({ model: fakeModel([calls(...names.map((name) => `b_${name}`)), says('ok')]), tools });
    assert.deepEqual(trace, names);
    assert.equal(most, 2);
  });

  it('runs calls side by side that need no question', async () => {
    const second = deferred<string>();
    const tools = [fakeTool('b_one', () => second.promise), fakeTool('b_two', () => (second.resolve('two'), 'two'))];
    const model = fakeModel([calls('b_one', 'b_two'), says('ok')]);
    const { events } = await runTurn({ model, tools, mayRunBeside: () => true });
    assert.deepEqual(outline(events), ['start b_one', 'start b_two', 'end', 'end', 'ok', 'done stop']);
  });

  it('runs no more than sixteen side by side', async () => {
    let running = 0;
    let most = 0;
    const run = async (): Promise<string> => {
      most = Math.max(most, ++running);
      await settle();
      running--;
      return '';
    };
    const model = fakeModel([
      calls(...Array.from({ length: 100 }, (_, n) => ({ name: 'b_x', args: { n } }))),
      says('ok'),
    ]);
    const { events } = await runTurn({ model, tools: [fakeTool('b_x', run)], mayRunBeside: () => true });
    assert.equal(events.filter(({ kind }) => kind === 'tool-end').length, 100);
    assert.equal(most, 16);
  });

  it('gives calls ids that are unique in the conversation, whatever the endpoint does', async () => {
    const same = calls(
      { name: 'b_x', id: 'call_1' },
      { name: 'b_x', id: 'call_1' },
      { name: 'b_x', id: '' },
      { name: 'b_x', id: 'has spaces!' },
    );
    const conversation = new Conversation();
    const tools = [fakeTool('b_x')];
    await runTurn({ model: fakeModel([same, same, says('ok')]), tools, conversation });
    await runTurn({ model: fakeModel([same, says('ok')]), tools, conversation });
    const first = conversation.messages[1];
    assert.equal(first?.role === 'assistant' && first.toolCalls[0]?.id, 'call_1');
  });

  it('keeps what an endpoint attached to a call', async () => {
    const extra = { google: { thought_signature: 'abc' } };
    const model = fakeModel([
      [
        { kind: 'tool-call', id: 'a', name: 'b_x', arguments: {}, extra },
        { kind: 'finish', reason: 'tool-calls' },
      ],
      says('ok'),
    ]);
    await runTurn({ model, tools: [fakeTool('b_x')] });
    const sent = model.requests[1]?.messages[2];
    assert.deepEqual(sent?.role === 'assistant' && sent.toolCalls[0]?.extra, extra);
  });

  it('stops at the step limit with all results in place, and can go on', async () => {
    const model = fakeModel([(request) => calls({ name: 'b_x', args: { n: request.messages.length } })]);
    const conversation = new Conversation();
    const { events } = await runTurn({
      model,
      tools: [fakeTool('b_x', ({ n }) => String(n))],
      maxSteps: 3,
      conversation,
    });
    assert.equal(model.requests.length, 3);
    assert.deepEqual(outline(events).slice(-3), [
      'end',
      '! Stopped after 3 steps. Say "continue" to go on.',
      'done limit',
    ]);
    const next = fakeModel([says('done')]);
    await runTurn({ model: next, conversation, prompt: '' });
    assert.equal(messageText(next.requests[0]?.messages.at(-1)), 'Go on.');
  });

  it('stops after thirty steps when nothing else is said', async () => {
    const model = fakeModel([(request) => calls({ name: 'b_x', args: { n: request.messages.length } })]);
    const { events } = await runTurn({ model, tools: [fakeTool('b_x', ({ n }) => String(n))] });
    assert.equal(model.requests.length, 30);
    assert.equal(outline(events).at(-1), 'done limit');
  });

  it('tells the model that it repeats itself, then refuses, then ends the turn', async () => {
    let ran = 0;
    const model = fakeModel([calls({ name: 'b_echo', args: { text: 'hi' } })]);
    const { events, conversation } = await runTurn({ model, tools: [fakeTool('b_echo', () => (ran++, 'hi'))] });
    assert.equal(ran, 6);
    assert.ok(model.requests.length <= 12);
    const results = resultTexts(conversation);
    assert.equal(results[1], 'hi');
    assert.match(results[2] ?? '', /^hi\n\[Note of the client: this is time 3/);
    assert.match(results[6] ?? '', /^Not run: this call was made 6 times/);
    assert.match(outline(events).at(-2) ?? '', /same call again and again/);
    assert.equal(outline(events).at(-1), 'done limit');
  });

  it('lets a model wait for something that changes', async () => {
    let n = 0;
    const polls = Array.from({ length: 12 }, () => calls('b_status'));
    const { events, conversation } = await runTurn({
      model: fakeModel([...polls, says('ok')]),
      tools: [fakeTool('b_status', () => `step ${Math.floor(++n / 3)}`)],
    });
    assert.ok(resultTexts(conversation).every((text) => !text.startsWith('Not run')));
    assert.equal(outline(events).at(-1), 'done stop');
  });

  it('notices a circle of two calls', async () => {
    const model = fakeModel([(request) => calls(request.messages.length % 4 === 2 ? 'b_one' : 'b_two')]);
    const { events } = await runTurn({ model, tools: [fakeTool('b_one'), fakeTool('b_two')] });
    assert.ok(model.requests.length < 25);
    assert.match(outline(events).at(-2) ?? '', /same call again and again/);
  });

  it('notices a model that asks for a tool that does not exist again and again', async () => {
    const model = fakeModel([calls('nope')]);
    const { events } = await runTurn({ model, tools: [fakeTool('b_one')] });
    assert.ok(model.requests.length <= 12);
    assert.equal(outline(events).at(-1), 'done limit');
  });

  it('tells the person of an empty answer and does not ask again', async () => {
    const model = fakeModel([[{ kind: 'finish', reason: 'tool-calls' }]]);
    const { events } = await runTurn({ model });
    assert.equal(model.requests.length, 1);
    assert.match(outline(events)[0] ?? '', /^! Empty response: Fake answered with no text/);
    assert.equal(outline(events).at(-1), 'done stop');
  });

  it('tells the person of an answer that was cut off or withheld', async () => {
    for (const [reason, words] of [
      ['length', /cut off at its length limit/],
      ['content-filter', /withheld/],
    ] as const) {
      const { events } = await runTurn({
        model: fakeModel([
          [
            { kind: 'text-delta', text: 'so' },
            { kind: 'finish', reason },
          ],
        ]),
      });
      assert.match(outline(events)[1] ?? '', words);
      assert.equal(outline(events).at(-1), 'done stop');
    }
  });

  it('ends with the error of the model, keeps the text that came, and stays usable', async () => {
    const conversation = new Conversation();
    const error = new ModelError('stream', 'Ollama at http://127.0.0.1:1/v1: the stream broke.');
    const broken = fakeModel([
      [{ kind: 'text-delta', text: 'So far' }, { kind: 'tool-call', id: 'a', name: 'b_x', arguments: {} }, error],
    ]);
    const { events } = await runTurn({ model: broken, tools: [fakeTool('b_x')], conversation });
    assert.deepEqual(events.at(-1), { kind: 'done', reason: 'error', error: error.message });
    assert.deepEqual(outline(events), ['So far', 'done error']);
    const model = fakeModel([says('better')]);
    await runTurn({ model, conversation, prompt: 'again' });
    assert.deepEqual(model.requests[0]?.messages.map(messageText).slice(1), ['do it', 'So far', 'again']);
  });

  it('does not run the calls of an answer that broke off', async () => {
    let ran = 0;
    const model = fakeModel([
      [
        { kind: 'text-delta', text: 'I will' },
        { kind: 'tool-call', id: 'a', name: 'b_x', arguments: {} },
        { kind: 'finish', reason: 'interrupted' },
      ],
    ]);
    const { events, conversation } = await runTurn({ model, tools: [fakeTool('b_x', () => String(++ran))] });
    assert.equal(ran, 0);
    assert.match(
      events.at(-1)?.kind === 'done' ? (JSON.stringify(events.at(-1)) ?? '') : '',
      /broke off.*A tool call of it.*did not run/,
    );
    assert.deepEqual(conversation.messages.at(-1), { role: 'assistant', text: 'I will', toolCalls: [] });
  });

  it('ends with an error when the model fails at once', async () => {
    const model = fakeModel([says('')]);
    model.stream = () => {
      throw new Error('no such model');
    };
    const { events } = await runTurn({ model });
    assert.deepEqual(events, [{ kind: 'done', reason: 'error', error: 'no such model' }]);
  });

  it('puts two messages of the person together when the first had no answer', async () => {
    const conversation = new Conversation();
    await runTurn({ model: fakeModel([[new Error('down')]]), conversation });
    const model = fakeModel([says('hi')]);
    await runTurn({ model, conversation, prompt: 'hello?' });
    assert.deepEqual(
      model.requests[0]?.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.equal(messageText(model.requests[0]?.messages[1]), 'do it\nhello?');
  });

  it('tells the figures once a request', async () => {
    const usage = { kind: 'usage', inputTokens: 10, outputTokens: 2 } as const;
    const model = fakeModel([[usage, ...calls('b_x'), usage], [...says('ok')]]);
    const { events } = await runTurn({ model, tools: [fakeTool('b_x')] });
    assert.deepEqual(
      outline(events).filter((line) => line.startsWith('usage')),
      ['usage 10 2'],
    );
  });

  it('tells each notice once, also those of the model', async () => {
    const notice = { kind: 'notice', text: 'An image was left out.' } as const;
    const model = fakeModel([[notice, ...calls('b_x')], says('ok')]);
    const { events } = await runTurn({
      model,
      tools: [fakeTool('b_x')],
      notices: () => ['The server "dead" is down.'],
    });
    assert.deepEqual(
      outline(events).filter((line) => line.startsWith('!')),
      ['! The server "dead" is down.', '! An image was left out.'],
    );
  });

  it('offers a tool from the step on at which its server is ready', async () => {
    const tools: Tool[] = [fakeTool('a_x', () => (tools.push(fakeTool('b_late')), 'ok'))];
    const model = fakeModel([calls('a_x'), calls('b_late'), says('ok')]);
    const { events } = await runTurn({ model, tools: () => [...tools] });
    assert.deepEqual(outline(events).slice(2, 4), ['start b_late', 'end']);
    assert.deepEqual(
      model.requests.map(({ tools }) => tools.length),
      [1, 2, 2],
    );
  });

  it('takes a message that was typed meanwhile at the next step', async () => {
    const typed: string[] = [];
    const model = fakeModel([calls('b_x'), says('ok')]);
    await runTurn({
      model,
      tools: [fakeTool('b_x', () => (typed.push('in French please'), 'ok'))],
      takeMessages: () => typed.splice(0),
    });
    assert.equal(messageText(model.requests[1]?.messages.at(-1)), 'in French please');
  });

  it('goes on with a message that was typed while the last answer came', async () => {
    const typed: string[] = [];
    const model = fakeModel([() => (typed.push('and in French?'), says('Hello.')), says('Bonjour.')]);
    const { events } = await runTurn({ model, takeMessages: () => typed.splice(0) });
    assert.deepEqual(outline(events), ['Hello.', 'Bonjour.', 'done stop']);
    assert.equal(messageText(model.requests[1]?.messages.at(-1)), 'and in French?');
  });

  it('marks what servers say as theirs', async () => {
    const model = fakeModel([says('ok')]);
    const serverInstructions = (): { server: string; text: string }[] => [
      { server: 'users', text: 'Always call getUsers first.' },
    ];
    await runTurn({ model, serverInstructions, instructions: 'Be brief.' });
    const system = messageText(model.requests[0]?.messages[0]);
    assert.match(system, /user's instructions:\nBe brief\./);
    assert.match(system, /Notes of the server "users".*own words:\n<<<\nAlways call getUsers first\.\n>>>/s);
  });

  it('tells the wire record of requests and answers', async () => {
    const facts: TapFact[] = [];
    await runTurn({
      model: fakeModel([calls('b_x'), says('ok')]),
      tools: [fakeTool('b_x')],
      tap: (fact) => facts.push(fact),
    });
    assert.deepEqual(
      facts.map((fact) => ('step' in fact ? `${fact.kind} ${fact.step}` : fact.kind)),
      ['model-request 1', 'model-answer 1', 'model-request 2', 'model-answer 2'],
    );
    const own = fakeModel([says('ok')], { recordsRequests: true });
    facts.length = 0;
    await runTurn({ model: own, tap: (fact) => facts.push(fact) });
    assert.deepEqual(
      facts.map(({ kind }) => kind),
      ['model-answer'],
    );
  });
});

describe('stopping the agent', () => {
  /** Runs a turn and aborts it when `isTime`. */
  async function stopWhen(
    parts: Parameters<typeof runTurn>[0],
    isTime: (event: AgentEvent) => boolean,
  ): Promise<{ events: AgentEvent[]; conversation: Conversation }> {
    const controller = new AbortController();
    const options = runOptions({ ...parts, signal: controller.signal });
    const events: AgentEvent[] = [];
    for await (const event of runAgent(options)) {
      events.push(event);
      if (isTime(event)) controller.abort();
    }
    checkEvents(events);
    checkHistory(options.conversation.messages);
    return { events, conversation: options.conversation };
  }

  it('ends a model that hangs, keeps its text, and aborts its request', async () => {
    const model = fakeModel([[{ kind: 'text-delta', text: 'Well' }, 'hang']]);
    const { events, conversation } = await stopWhen({ model }, ({ kind }) => kind === 'text-delta');
    assert.deepEqual(outline(events), ['Well', 'done cancelled']);
    assert.equal(model.aborted.length, 1);
    assert.equal(messageText(conversation.messages.at(-1)), 'Well');
  });

  it('ends every call that runs or waits, and asks the model no more', async () => {
    const signals: AbortSignal[] = [];
    const hang = fakeTool('b_hang', (_args, { signal }) => (signals.push(signal), new Promise<string>(() => {})));
    const model = fakeModel([calls('b_hang', 'b_next'), says('never')]);
    const { events, conversation } = await stopWhen(
      { model, tools: [hang, fakeTool('b_next')] },
      ({ kind }) => kind === 'tool-start',
    );
    assert.deepEqual(outline(events), [
      'start b_hang',
      'end with error',
      'start b_next',
      'end with error',
      'done cancelled',
    ]);
    assert.equal(signals[0]?.aborted, true);
    assert.equal(model.requests.length, 1);
    assert.match(resultTexts(conversation)[1] ?? '', /was not run/);
  });

  it('says of a call that had left that it may have run', async () => {
    const started = deferred();
    const hang = fakeTool('b_hang', () => (started.resolve(), new Promise<string>(() => {})));
    const controller = new AbortController();
    const run = runTurn({ model: fakeModel([calls('b_hang')]), tools: [hang], signal: controller.signal });
    await started.promise;
    controller.abort();
    assert.match(resultTexts((await run).conversation)[0] ?? '', /may have run all the same/);
  });

  it('does not wait for a question that nobody answers, and runs nothing afterwards', async () => {
    let ran = 0;
    let late: (() => Promise<unknown>) | undefined;
    const { events } = await stopWhen(
      {
        model: fakeModel([calls('b_x')]),
        tools: [fakeTool('b_x', () => String(++ran))],
        carryOut: (_call, run) => {
          late = run;
          return new Promise(() => {});
        },
      },
      ({ kind }) => kind === 'tool-start',
    );
    assert.deepEqual(outline(events), ['start b_x', 'end with error', 'done cancelled']);
    await late?.();
    assert.equal(ran, 0);
  });

  it('leaves a conversation that can go on', async () => {
    const model = fakeModel([calls('b_hang')]);
    const hang = fakeTool('b_hang', () => new Promise<string>(() => {}));
    const { conversation } = await stopWhen({ model, tools: [hang] }, ({ kind }) => kind === 'tool-start');
    const next = fakeModel([says('fine')]);
    const { events } = await runTurn({ model: next, conversation, prompt: 'and now?' });
    assert.deepEqual(outline(events), ['fine', 'done stop']);
  });

  it('does nothing when it is stopped before it begins', async () => {
    const model = fakeModel([says('never')]);
    const { events } = await runTurn({ model, signal: AbortSignal.abort() });
    assert.deepEqual(outline(events), ['done cancelled']);
    assert.equal(model.requests.length, 0);
  });

  it('cleans up when the reader goes away in the middle of calls', async () => {
    const signals: AbortSignal[] = [];
    const hang = fakeTool('b_hang', (_args, { signal }) => (signals.push(signal), new Promise<string>(() => {})));
    const options = runOptions({ model: fakeModel([calls('b_hang', 'b_hang')]), tools: [hang] });
    for await (const event of runAgent(options)) if (event.kind === 'tool-start') break;
    checkHistory(options.conversation.messages);
    assert.equal(options.conversation.messages.length, 4);
    assert.equal(signals[0]?.aborted, true);
  });

  it('cleans up when the reader goes away in the middle of an answer', async () => {
    const model = fakeModel([[{ kind: 'text-delta', text: 'Well' }, 'hang']]);
    const options = runOptions({ model });
    for await (const event of runAgent(options)) if (event.kind === 'text-delta') break;
    assert.equal(messageText(options.conversation.messages.at(-1)), 'Well');
    assert.equal(model.aborted.length, 1);
  });
});
