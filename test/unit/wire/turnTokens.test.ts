import assert from 'node:assert/strict';
import { turnTokens } from '../../../src/wire/turnTokens.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';

const source = { connection: 'a', server: 'Scripted', peer: 'model' } as const;
const answer = { ...source, kind: 'model-answer', text: 'ok', toolCalls: [], finish: 'stop' } as const;

describe('the tokens of a turn', () => {
  it('are those of all its answers and of no other turn', () => {
    const log = new WireLog();
    log.tap({ ...answer, turn: 'one', step: 1, inputTokens: 100, outputTokens: 5 });
    log.tap({ ...answer, turn: 'one', step: 2, inputTokens: 150 });
    log.tap({ ...answer, turn: 'one', step: 3 });
    log.tap({ ...answer, turn: 'two', step: 1, inputTokens: 7, outputTokens: 7 });
    assert.deepEqual(turnTokens(log.entries(), 'one'), { requests: 3, input: 250, output: 5 });
    log.dispose();
  });

  it('are not told where the endpoint gave none', () => {
    const log = new WireLog();
    log.tap({ ...answer, turn: 'one', step: 1 });
    assert.equal(turnTokens(log.entries(), 'one'), undefined);
    assert.equal(turnTokens(log.entries(), 'none'), undefined);
    log.dispose();
  });
});
