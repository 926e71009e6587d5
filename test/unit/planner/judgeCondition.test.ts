import assert from 'node:assert/strict';
import { judgeCondition } from '../../../src/model/planner/judgeCondition.ts';
import { readResult } from '../../../src/model/planner/readResult.ts';

function result(text: string, isError = false, args: Record<string, unknown> = {}) {
  return readResult({ id: '1', name: 'bb7_getUsers', arguments: args }, [{ kind: 'text', text }], isError);
}

const people = '[{"name":"John"},{"name":"Carson","active":true}]';
const cases: readonly (readonly [condition: string, text: string, holds: boolean | undefined])[] = [
  ['there is a user named Carson', people, true],
  ['there is no user named Carson', people, false],
  ['there is a user named Cars', people, false],
  ['Carson does not exist', '[{"name":"John"}]', true],
  ['Carson is missing', '[]', true],
  ['there is a user named Carson', '- John\n- Carson', true],
  ['there is a file named notes.txt', '[FILE] a.txt\n[FILE] notes.txt', true],
  ['there is no file named notes.txt', '[FILE] a.txt', true],
  ['there is a file named notes.txt', 'Found a.txt. There is no notes.txt.', false],
  ['there is a user named Carson', 'No user named Carson.', false],
  ['there is a user named Carson', '{"message":"User Carson not found"}', false],
  ['there is a user named Carson', '{"name":"Carson","exists":false}', false],
  ['是否有名为Carson的用户', people, true],
  ['没有叫Carson的用户', people, false],
  ['用户列表中无张三', '[{"name":"李四"}]', true],
  ['there are more than 1 users', people, true],
  ['there are at least 3 users', people, false],
  ['there are fewer than three users', people, true],
  ['超过3个用户', people, false],
  ['the list is empty', '[]', true],
  ['the list is not empty', '[]', false],
  ['there are no results', 'No results found', true],
  ['结果为空', '[]', true],
  ['the temperature is below 10', '{"city":"Oslo","temperature":4.5}', true],
  ['the temperature is above 10', 'Temperature: 4 °C, wind 20', false],
  ['it is raining', 'Light rain, 12 degrees', true],
  ['it is not raining', 'Sunny, 25 degrees', true],
  ['the door is unlocked', '{"locked":true}', false],
  ['the light is off', '{"state":"on"}', false],
  ['the colour of the moon is known', '[1,2,3]', undefined],
];

describe('judgeCondition', () => {
  for (const [condition, text, holds] of cases) {
    it(`${condition} ← ${text} → ${String(holds)}`, () => {
      assert.equal(judgeCondition(condition, result(text)).holds, holds);
    });
  }

  it('judges failure and success by the call itself', () => {
    assert.equal(judgeCondition('it fails', result('boom', true)).holds, true);
    assert.equal(judgeCondition('it fails', result('fine')).holds, false);
    assert.equal(judgeCondition('it was successful', result('fine')).holds, true);
    assert.equal(judgeCondition('如果失败', result('boom', true)).holds, true);
  });

  it('does not judge existence by a call that failed for another reason', () => {
    assert.equal(judgeCondition('there is a user named Carson', result('Connection lost', true)).holds, undefined);
    assert.equal(judgeCondition('there is a user named Carson', result('User not found', true)).holds, false);
  });

  it('judges the weather of a place by the weather, not by the name of the place', () => {
    assert.equal(
      judgeCondition('it is raining in Madrid', result('Light rain', false, { city: 'Madrid' })).holds,
      true,
    );
    assert.equal(judgeCondition('it is raining in Madrid', result('Sunny', false, { city: 'Madrid' })).holds, false);
  });

  it('judges nothing without a result', () => {
    assert.equal(judgeCondition('there is a user', undefined).holds, undefined);
  });
});
