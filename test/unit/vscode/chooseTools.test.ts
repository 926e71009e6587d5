import assert from 'node:assert/strict';
import type { Tool } from '../../../src/tools/tool.ts';
import { chooseTools } from '../../../src/vscode/chooseTools.ts';
import { fakeTool } from '../../support/fakeTool.ts';

const named = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);
const tool = (name: string, server = 'a', description = ''): Tool => ({
  ...fakeTool(name),
  name,
  tool: name,
  server,
  description,
});

describe('tools beyond the limit', () => {
  const many = ['getUsers', 'addUser', 'drawChart', 'sendMail'].map((name) => tool(name));

  it('all are offered up to the limit', () => {
    assert.equal(chooseTools(many, 4, '', new Set()), many);
  });

  it('those that share words with the prompt come first, in their own order', () => {
    assert.deepEqual(named(chooseTools(many, 2, 'send a mail with the chart', new Set())), ['drawChart', 'sendMail']);
  });

  it('those that the conversation has used stay', () => {
    assert.deepEqual(named(chooseTools(many, 1, 'send mail', new Set(['addUser']))), ['addUser']);
  });

  it('servers take turns where nothing else tells them apart', () => {
    const two = [tool('a1', 'a'), tool('a2', 'a'), tool('a3', 'a'), tool('b1', 'b')];
    assert.deepEqual(named(chooseTools(two, 2, 'nothing of it', new Set())), ['a1', 'b1']);
  });

  it('Chinese words count by character', () => {
    const chinese = [tool('x', 'a', '画一张图'), tool('y', 'a', '查询用户列表')];
    assert.deepEqual(named(chooseTools(chinese, 1, '查一下用户', new Set())), ['y']);
  });
});
