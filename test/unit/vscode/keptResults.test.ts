import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from '../../../src/agent/conversation.ts';
import { ResultStore } from '../../../src/agent/resultStore.ts';
import { KeptResults } from '../../../src/vscode/keptResults.ts';
import { messageText, resultTexts, runTurn } from '../../support/agentRun.ts';
import { calls, fakeModel, says } from '../../support/fakeModel.ts';
import { fakeTool } from '../../support/fakeTool.ts';

describe('large results beyond the life of a window', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-agent-results-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('can be read on after a restart, in the chat that has them', async () => {
    const whole = `start ${'x'.repeat(200_000)} 北京 end`;
    const before = new KeptResults(join(folder, 'results'));
    const conversation = new Conversation(new ResultStore(before));
    await runTurn({
      model: fakeModel([calls({ name: 'b_x', id: 'large' }), says('ok')]),
      tools: [fakeTool('b_x', () => whole)],
      conversation,
    });
    await before.settled();
    const state: unknown = JSON.parse(JSON.stringify(conversation.toJSON()));
    assert.ok(JSON.stringify(state).length < 60_000, 'the state does not hold the result');
    const after = Conversation.fromJSON(state, new KeptResults(join(folder, 'results')));
    const model = fakeModel([calls({ name: 'read_result', args: { call_id: 'large', find: '北京' } }), says('found')]);
    await runTurn({ model, conversation: after, prompt: 'and the end?' });
    assert.ok(model.requests[0]?.tools.some(({ name }) => name === 'read_result'));
    assert.match(resultTexts(after).at(-1) ?? '', /At 200007\] ….*北京 end/s);
    assert.equal(messageText(after.messages.at(-1)), 'found');
  });

  it('are there for the next reader before they are written', async () => {
    const kept = new KeptResults(folder);
    const key = kept.keep('text');
    assert.equal(await kept.read(key), 'text');
    await kept.settled();
    assert.equal(await new KeptResults(folder).read(key), 'text');
    assert.deepEqual(readdirSync(folder), [key], 'and nothing else is left behind');
  });

  it('are told to be gone where they are', async () => {
    const state = { messages: [], results: { large: 'f'.repeat(32), odd: '../../etc/passwd', none: 5 } };
    const conversation = Conversation.fromJSON(state, new KeptResults(folder));
    for (const id of ['large', 'odd', 'none', 'never']) {
      const model = fakeModel([calls({ name: 'read_result', args: { call_id: id, offset: 0 } }), says('ok')]);
      const { conversation: after } = await runTurn({ model, conversation });
      assert.match(resultTexts(after).at(-1) ?? '', /is not kept \(any more\)\. Make that call again/);
    }
  });

  it('go when they are old or too many, the oldest first, and never the newest', async () => {
    const kept = new KeptResults(folder, { mostBytes: 2500 });
    const keys = [];
    for (const letter of ['a', 'b', 'c']) {
      const key = kept.keep(letter.repeat(1000));
      await kept.settled();
      utimesSync(join(folder, key), new Date(), new Date(Date.now() - 60_000 + keys.length * 1000));
      keys.push(key);
    }
    const large = kept.keep('d'.repeat(1400));
    await kept.settled();
    assert.deepEqual(new Set(readdirSync(folder)), new Set([keys[2], large]));
    const huge = kept.keep('e'.repeat(5000));
    await kept.settled();
    assert.deepEqual(readdirSync(folder), [huge]);
    utimesSync(join(folder, huge), new Date(), new Date(Date.now() - 40 * 24 * 60 * 60 * 1000));
    const small = kept.keep('f');
    await kept.settled();
    assert.deepEqual(readdirSync(folder), [small]);
  });

  it('are lost with a word in the log where the folder cannot be written', async () => {
    const problems: string[] = [];
    writeFileSync(join(folder, 'file'), '');
    const kept = new KeptResults(join(folder, 'file'), { onProblem: (text) => problems.push(text) });
    const key = kept.keep('text');
    await kept.settled();
    assert.equal(await kept.read(key), undefined);
    assert.match(problems.join('\n'), /could not be kept.*could not be read/s);
  });
});
