import assert from 'node:assert/strict';
import { Conversation } from '../../../src/agent/conversation.ts';
import { rankTools } from '../../../src/agent/rankTools.ts';
import { outline, resultTexts, runTurn } from '../../support/agentRun.ts';
import { calls, fakeModel, says, type FakeModel } from '../../support/fakeModel.ts';
import { fakeTool } from '../../support/fakeTool.ts';
import type { Tool } from '../../../src/tools/tool.ts';

/** `count` tools of a server. */
function toolsOf(server: string, count: number): Tool[] {
  return Array.from({ length: count }, (_, index) => ({
    ...fakeTool(`${server}_task${index}`),
    server,
    description: `Carries out task ${index}`,
  }));
}

const offered = (model: FakeModel, request: number): string[] =>
  model.requests[request]?.tools.map(({ name }) => name) ?? [];

describe('ranking of tools', () => {
  const tools = [
    { ...fakeTool('a_listUsers'), description: 'Returns everybody who has an account' },
    { ...fakeTool('a_send_mail'), description: 'Sends a message to a user' },
    {
      ...fakeTool('b_weather'),
      description: 'Tells the forecast',
      inputSchema: { type: 'object', properties: { city: {} } },
    },
    { ...fakeTool('c_query'), description: '查询数据库里的用户' },
  ];
  const best = (query: string): string | undefined => rankTools(tools, query, 1)[0]?.name;

  it('goes by names, descriptions and parameters, in singular and plural', () => {
    assert.equal(best('list the users'), 'a_listUsers');
    assert.equal(best('send mails'), 'a_send_mail');
    assert.equal(best('forecast'), 'b_weather');
    assert.equal(best('which city'), 'b_weather');
    assert.equal(best('查询用户'), 'c_query');
  });

  it('finds nothing where nothing fits', () => {
    assert.deepEqual(rankTools(tools, 'zebra', 5), []);
    assert.deepEqual(rankTools(tools, '', 5), []);
    assert.deepEqual(rankTools([], 'users', 5), []);
  });

  it('finds the one among ten thousand tools', () => {
    const many = Array.from({ length: 200 }, (_, server) => toolsOf(`server${server}`, 50)).flat();
    const sought = many[12 * 50 + 7];
    assert.ok(sought);
    assert.ok(rankTools(many, sought.name, 10).includes(sought));
  });
});

describe('more tools than a request may hold', () => {
  it('are all offered up to the limit, with nothing besides', async () => {
    const model = fakeModel([says('ok')]);
    await runTurn({ model, tools: toolsOf('a', 128) });
    assert.equal(offered(model, 0).length, 128);
    assert.equal(offered(model, 0).includes('search_tools'), false);
  });

  it('are offered up to the limit beyond it, the search tool included, and the person is told', async () => {
    const model = fakeModel([says('ok')]);
    const tools = [...toolsOf('a', 60), ...toolsOf('b', 60), ...toolsOf('c', 60)];
    const { events } = await runTurn({ model, tools, prompt: 'Hello there' });
    assert.equal(offered(model, 0).length, 128);
    assert.equal(offered(model, 0).at(-1), 'search_tools');
    assert.match(outline(events)[0] ?? '', /^! 53 tools do not fit.*53 of "c" \(c_task7, .*c_task59\)/);
  });

  it('are left out with a word once a conversation', async () => {
    const conversation = new Conversation();
    const tools = toolsOf('a', 140);
    const notices: string[] = [];
    for (const prompt of ['Hello', 'And again']) {
      const { events } = await runTurn({ model: fakeModel([says('ok')]), tools, conversation, prompt });
      notices.push(...outline(events).filter((line) => line.startsWith('!')));
    }
    assert.equal(notices.length, 1);
  });

  it('go without the one that is too large for the window, not without those behind it', async () => {
    const huge = { ...fakeTool('a_huge'), description: 'word '.repeat(60_000) };
    const model = fakeModel([says('ok')]);
    const { events } = await runTurn({ model, tools: [huge, ...toolsOf('b', 3)], prompt: 'Hello there' });
    assert.deepEqual(offered(model, 0), ['b_task0', 'b_task1', 'b_task2', 'search_tools']);
    assert.match(outline(events)[0] ?? '', /a_huge/);
  });

  it('never exceed the limit by the agent’s own tools', async () => {
    const large = fakeTool('a_large', () => 'x'.repeat(100_000));
    const model = fakeModel([calls('a_large'), says('ok')]);
    await runTurn({ model, tools: [large, ...toolsOf('a', 127)] });
    assert.equal(offered(model, 0).length, 128);
    assert.equal(offered(model, 1).length, 128);
    assert.ok(offered(model, 1).includes('read_result') && offered(model, 1).includes('a_large'));
  });

  it('are kept when the prompt names them, by either name', async () => {
    const model = fakeModel([says('ok')]);
    const tools = [...toolsOf('a', 150), fakeTool('z_hidden'), fakeTool('z_otherOne')];
    await runTurn({ model, tools, prompt: 'Use z_hidden and then OtherOne.' });
    assert.ok(offered(model, 0).includes('z_hidden') && offered(model, 0).includes('z_otherOne'));
  });

  it('are kept when their words fit the prompt', async () => {
    const model = fakeModel([says('ok')]);
    const mail = { ...fakeTool('z_send'), description: 'Sends an e-mail' };
    await runTurn({ model, tools: [...toolsOf('a', 2000), mail], prompt: 'Send a mail to Jo' });
    assert.equal(offered(model, 0).includes('z_send'), true);
    assert.ok(offered(model, 0).length <= 25, 'a long list is not used to fill up');
  });

  it('stay the same and in their order from step to step and turn to turn', async () => {
    const conversation = new Conversation();
    const tools = toolsOf('a', 180);
    const model = fakeModel([calls('a_task3'), says('ok'), says('ok')]);
    await runTurn({ model, tools, conversation, prompt: 'hi' });
    await runTurn({ model, tools, conversation, prompt: 'and then?' });
    assert.deepEqual(offered(model, 1), offered(model, 0));
    assert.deepEqual(offered(model, 2), offered(model, 0));
  });

  it('are found by the search tool and can be called in the next step and the next turn', async () => {
    const conversation = new Conversation();
    const tools = [...toolsOf('a', 500), { ...fakeTool('z_weather'), description: 'Tells the forecast for a place' }];
    const model = fakeModel([
      calls({ name: 'search_tools', args: { query: 'forecast' } }),
      calls('z_weather'),
      says('sunny'),
    ]);
    const { events } = await runTurn({ model, tools, conversation, prompt: 'hi' });
    assert.match(resultTexts(conversation)[0] ?? '', /z_weather \(server: users\): Tells the forecast/);
    assert.equal(offered(model, 0).includes('z_weather'), false);
    assert.equal(offered(model, 1).includes('z_weather'), true);
    assert.deepEqual(outline(events).slice(-4), ['start z_weather', 'end', 'sunny', 'done stop']);
    const next = fakeModel([says('ok')]);
    await runTurn({ model: next, tools, conversation: Conversation.fromJSON(structuredClone(conversation.toJSON())) });
    assert.equal(offered(next, 0).includes('z_weather'), true);
  });

  it('can be called though they were not offered', async () => {
    const model = fakeModel([calls('a_task170'), says('ok')]);
    const { events } = await runTurn({ model, tools: toolsOf('a', 180), prompt: 'hi' });
    assert.deepEqual(outline(events).slice(1, 3), ['start a_task170', 'end']);
  });

  it('leave most of a small window to the conversation', async () => {
    const model = fakeModel([says('ok')], { maxInputTokens: 2000 });
    await runTurn({ model, tools: toolsOf('a', 100), prompt: 'hi' });
    assert.ok(offered(model, 0).length < 50);
    assert.equal(offered(model, 0).at(-1), 'search_tools');
  });

  it('are all offered to a model for which they cost nothing', async () => {
    const model = fakeModel([says('ok')], { maxTools: Infinity, maxInputTokens: 1_000_000 });
    await runTurn({ model, tools: toolsOf('a', 3000) });
    assert.equal(offered(model, 0).length, 3000);
  });
});
