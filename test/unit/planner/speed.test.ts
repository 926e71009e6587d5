import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/model/chatModel.ts';
import { plannerModel } from '../../../src/model/planner/plannerModel.ts';
import { tool } from './playConversation.ts';

const S = { type: 'string' };
const kinds = ['user', 'file', 'event', 'order', 'issue', 'note', 'invoice', 'light'];
const tools = Array.from({ length: 128 }, (_, index) => {
  const kind = kinds[index % kinds.length] ?? '';
  const verb = ['list', 'create', 'delete', 'update'][index % 4] ?? '';
  return tool(`${verb}_${kind}_${index}`, `This tool can ${verb} any ${kind} of the workspace. Use it with care.`, {
    name: { ...S, description: `The name of the ${kind}` },
    email: S,
    path: S,
  });
});
const messages: ChatMessage[] = [
  {
    role: 'user',
    content: [
      {
        kind: 'text',
        text: 'First, check the user list. If there is no user named Ann, create the user Ann ann@x.com; then list the files in /tmp and finally say hello to Ann.',
      },
    ],
  },
];

describe('the speed of the planner', () => {
  it('takes little processor time a step with 128 tools', async () => {
    const model = plannerModel();
    const times: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const started = process.cpuUsage();
      for await (const event of model.stream({ messages, tools, signal: new AbortController().signal }))
        assert.ok(event.kind);
      times.push(process.cpuUsage(started).user / 1000);
    }
    assert.ok(Math.min(...times) < 100, `milliseconds: ${times.map((time) => time.toFixed(1)).join(' ')}`);
  });
});
