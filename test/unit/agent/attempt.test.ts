import assert from 'node:assert/strict';
import { Attempt } from '../../../src/agent/attempt.ts';
import { Conversation } from '../../../src/agent/conversation.ts';
import type { Tool, ToolOutcome } from '../../../src/tools/tool.ts';
import { failedOutcome } from '../../../src/tools/tool.ts';
import { messageText, outline, resultTexts, runTurn } from '../../support/agentRun.ts';
import { calls, fakeModel, says } from '../../support/fakeModel.ts';
import { fakeTool } from '../../support/fakeTool.ts';

/** A tool that counts its runs and answers with the number of the run. */
function counting(name: string, more: Partial<Tool> = {}): Tool & { readonly runs: unknown[] } {
  const runs: unknown[] = [];
  return { ...fakeTool(name, (args) => `run ${runs.push(args)}`), ...more, runs };
}

const readOnly = { annotations: { readOnlyHint: true } };

describe('a turn that is repeated', () => {
  it('makes no call again that ran with the same arguments, and marks what it uses again', async () => {
    const list = counting('b_list');
    const add = counting('b_add');
    const script = (): ReturnType<typeof fakeModel> =>
      fakeModel([calls('b_list'), calls({ name: 'b_add', args: { name: 'Carson' } }), calls('b_list'), says('done')]);
    const first = new Attempt();
    await runTurn({ model: script(), tools: [list, add], attempt: first });
    const second = new Attempt(first);
    const { conversation, events } = await runTurn({ model: script(), tools: [list, add], attempt: second });
    assert.deepEqual([list.runs.length, add.runs.length], [2, 1]);
    assert.deepEqual(
      resultTexts(conversation).map((text) => text.split('\n')[0]),
      ['run 1', 'run 1', 'run 2'],
      'each call has the result that it had, in order',
    );
    for (const text of resultTexts(conversation)) assert.match(text, /\n\[Note of the client: .*not made again.*\]$/);
    assert.deepEqual(
      outline(events).filter((line) => line.startsWith('end')),
      ['end', 'end', 'end'],
    );
    assert.equal(second.reused, 3);
    const third = new Attempt(second);
    await runTurn({ model: script(), tools: [list, add], attempt: third });
    assert.deepEqual([list.runs.length, add.runs.length, third.reused], [2, 1, 3], 'also the third time');
  });

  it('runs what has other arguments, and what is asked for once more', async () => {
    const add = counting('b_add');
    const first = new Attempt();
    await runTurn({
      model: fakeModel([calls({ name: 'b_add', args: { n: 1, m: [2] } }), says('')]),
      tools: [add],
      attempt: first,
    });
    await runTurn({
      model: fakeModel([
        calls({ name: 'b_add', args: { m: [2], n: 1 } }),
        calls({ name: 'b_add', args: { n: 2 } }),
        calls({ name: 'b_add', args: { n: 1, m: [2] } }),
        says('ok'),
      ]),
      tools: [add],
      attempt: new Attempt(first),
    });
    assert.deepEqual(add.runs, [{ n: 1, m: [2] }, { n: 2 }, { n: 1, m: [2] }]);
  });

  it('reads anew what only reads, once something was changed', async () => {
    const list = counting('b_list', readOnly);
    const add = counting('b_add');
    const first = new Attempt();
    await runTurn({
      model: fakeModel([calls('b_list'), calls('b_list'), says('ok')]),
      tools: [list, add],
      attempt: first,
    });
    await runTurn({
      model: fakeModel([calls('b_list'), calls('b_add'), calls('b_list'), says('ok')]),
      tools: [list, add],
      attempt: new Attempt(first),
    });
    assert.deepEqual([list.runs.length, add.runs.length], [3, 1]);
  });

  it('runs again what failed, but not what may have run unseen', async () => {
    const ends: Record<string, ToolOutcome> = {
      b_refused: failedOutcome('no such user'),
      b_lost: { ...failedOutcome('the connection broke; it may have run'), mayHaveRun: true },
    };
    const runs: string[] = [];
    const tools = Object.entries(ends).map(([name, outcome]): Tool => ({
      ...fakeTool(name),
      call: async () => (runs.push(name), outcome),
    }));
    const script = (): ReturnType<typeof fakeModel> => fakeModel([calls('b_refused', 'b_lost'), says('ok')]);
    const first = new Attempt();
    await runTurn({ model: script(), tools, attempt: first });
    const { conversation } = await runTurn({ model: script(), tools, attempt: new Attempt(first) });
    assert.deepEqual(runs, ['b_refused', 'b_lost', 'b_refused']);
    assert.match(resultTexts(conversation)[1] ?? '', /it may have run\n\[Note of the client/);
  });

  it('asks nobody about a call that it does not make, and says so to whoever would ask', async () => {
    const asked: unknown[] = [];
    const first = new Attempt();
    const options = {
      tools: [counting('b_add')],
      carryOut: async (call: { isRepeated?: boolean }, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> => {
        asked.push(call.isRepeated);
        return run();
      },
    };
    await runTurn({ ...options, model: fakeModel([calls('b_add'), says('ok')]), attempt: first });
    await runTurn({ ...options, model: fakeModel([calls('b_add'), says('ok')]), attempt: new Attempt(first) });
    assert.deepEqual(asked, [undefined, true]);
  });

  it('notes a call that was stopped on its way as one that may have run', async () => {
    const controller = new AbortController();
    const first = new Attempt();
    const hanging: Tool = {
      ...fakeTool('b_pay'),
      call: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    };
    await runTurn({
      model: fakeModel([calls('b_pay'), says('')]),
      tools: [hanging],
      attempt: first,
      signal: controller.signal,
    });
    const again = counting('b_pay');
    const { conversation } = await runTurn({
      model: fakeModel([calls('b_pay'), says('ok')]),
      tools: [again],
      attempt: new Attempt(first),
    });
    assert.equal(again.runs.length, 0);
    assert.match(resultTexts(conversation)[0] ?? '', /may have run all the same/);
  });

  it('does not note what was refused or never left', async () => {
    const first = new Attempt();
    const add = counting('b_add');
    await runTurn({
      model: fakeModel([calls('b_add', 'b_unknown'), says('ok')]),
      tools: [add],
      attempt: first,
      carryOut: async () => ({ denied: '' }),
    });
    await runTurn({ model: fakeModel([calls('b_add'), says('ok')]), tools: [add], attempt: new Attempt(first) });
    assert.equal(add.runs.length, 1);
  });

  it('runs a call with the arguments that the person gave it, and does not run it again', async () => {
    const first = new Attempt();
    const add = counting('b_add');
    const model = (): ReturnType<typeof fakeModel> => fakeModel([calls({ name: 'b_add', args: { n: 1 } }), says('ok')]);
    await runTurn({ model: model(), tools: [add], attempt: first, carryOut: (_call, run) => run({ n: 5 }) });
    await runTurn({ model: model(), tools: [add], attempt: new Attempt(first) });
    assert.deepEqual(add.runs, [{ n: 5 }]);
  });
});

describe('a message while a turn runs', () => {
  it('ends the turn after the step, with every result in the conversation, so that the next begins with it', async () => {
    const conversation = new Conversation();
    let isWaiting = false;
    const tool = fakeTool('b_x', () => ((isWaiting = true), 'ok'));
    const first = fakeModel([calls('b_x', 'b_x'), says('never asked')]);
    const { events } = await runTurn({ model: first, tools: [tool], conversation, shouldYield: () => isWaiting });
    assert.equal(first.requests.length, 1);
    assert.equal(outline(events).at(-1), 'done stop');
    const next = fakeModel([says('in French')]);
    await runTurn({ model: next, tools: [tool], conversation, prompt: 'in French please' });
    assert.deepEqual(
      next.requests[0]?.messages.slice(1).map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool', 'user'],
    );
    assert.equal(messageText(next.requests[0]?.messages.at(-1)), 'in French please');
  });

  it('does not cut short an answer without calls', async () => {
    const { events } = await runTurn({ model: fakeModel([says('whole answer')]), shouldYield: () => true });
    assert.deepEqual(outline(events), ['whole answer', 'done stop']);
  });
});
