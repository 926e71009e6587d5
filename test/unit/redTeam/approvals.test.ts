import assert from 'node:assert/strict';
import type { ApprovalQuestion } from '../../../src/agent/agentEvent.ts';
import { isRecord } from '../../../src/base/json.ts';
import { openAgent } from '../../../src/openAgent.ts';
import { isAutoApproved } from '../../../src/settings/parseEntry.ts';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import { decideBy, type Decision, type Grant } from '../../../src/vscode/approvalStore.ts';
import { startScriptedModel, textAnswer, toolCallAnswer } from '../../support/scriptedModel.ts';
import { startSseServer } from '../../support/sseServer.ts';

const key = { server: 'usrlocal/a#1', tool: 'delete', definition: 'v1' };
const ofTool: Grant = { server: key.server, label: 'a', tool: 'delete', definition: 'v1' };
const ofServer: Grant = { server: key.server, label: 'a' };

describe('which word counts', () => {
  const table: [string, readonly Grant[], string | undefined, Decision][] = [
    ['nothing was said', [], undefined, 'ask'],
    ['the tool was allowed as it is', [ofTool], 'v1', 'allowed'],
    ['the tool was allowed and has changed', [{ ...ofTool, definition: 'v0' }], 'v0', 'changed'],
    ['the server was allowed', [ofServer], undefined, 'allowed'],
    ['the server was allowed with the tool as it is', [ofServer], 'v1', 'allowed'],
    ['the server was allowed and the tool has changed since', [ofServer], 'v0', 'changed'],
    ['the server was allowed, and the changed tool by itself', [ofServer, ofTool], 'v0', 'allowed'],
    ['another tool of the server was allowed', [{ ...ofTool, tool: 'read' }], undefined, 'ask'],
    ['a tool of this name on another server was allowed', [{ ...ofTool, server: 'usrlocal/b#1' }], undefined, 'ask'],
    [
      'the server of this name under another command was allowed',
      [{ ...ofServer, server: 'usrlocal/a#2' }],
      undefined,
      'ask',
    ],
  ];
  for (const [what, grants, seen, decision] of table) {
    it(`${what}: ${decision}`, () => {
      assert.equal(decideBy(grants, key, seen), decision);
      assert.equal(decideBy(grants.toReversed(), key, seen), decision, 'in whatever order');
    });
  }

  it('of autoApprove: a refusal wins over everything, and exclusions alone allow nothing', () => {
    const allows = (autoApprove: unknown, tool: string): boolean => {
      const [entry] = parseServers({ a: { command: 'x', autoApprove } }, 'usrlocal').entries;
      assert(entry);
      return isAutoApproved(entry, tool);
    };
    assert.equal(allows(true, 'delete'), true);
    assert.equal(allows(false, 'delete'), false);
    assert.equal(allows(undefined, 'delete'), false);
    assert.equal(allows(['*', '!delete*'], 'deleteAll'), false);
    assert.equal(allows(['deleteAll', '!delete*'], 'deleteAll'), false);
    assert.equal(allows({ allow: ['*'], deny: ['delete'] }, 'delete'), false);
    assert.equal(allows(['!delete'], 'read'), false);
    assert.equal(allows([], 'read'), false);
    assert.equal(allows(['get'], 'getAll'), false, 'a name is no beginning');
    assert.equal(allows(['GET*'], 'getAll'), false, 'case counts');
  });
});

describe('several calls of one answer to one tool', () => {
  for (const [first, second] of [
    [false, true],
    [true, false],
    [false, false],
  ] as const) {
    it(`are asked about one by one: ${first ? 'yes' : 'no'}, ${second ? 'yes' : 'no'}`, async () => {
      const server = await startSseServer({ tools: [{ name: 'delete', inputSchema: { type: 'object' } }] });
      const model = await startScriptedModel();
      const asked: ApprovalQuestion[] = [];
      const agent = openAgent({
        servers: { users: { type: 'sse', url: server.url } },
        model: { url: model.url, id: 'scripted' },
        approve: async (question) => {
          asked.push(question);
          return (question.arguments['id'] === 1 ? first : second) ? 'allow' : { deny: 'not this one' };
        },
      });
      try {
        await agent.ready();
        const name = agent.servers()[0]?.tools[0]?.name ?? '';
        model.enqueue(
          toolCallAnswer([
            { id: 'a', name, arguments: { id: 1 } },
            { id: 'b', name, arguments: { id: 2 } },
          ]),
          textAnswer('done'),
        );
        const ends = new Map<string, boolean>();
        for await (const event of agent.run('delete both'))
          if (event.kind === 'tool-end') ends.set(event.callId, event.isError);
        assert.deepEqual(
          asked.map(({ arguments: args }) => Number(args['id'])).toSorted((a, b) => a - b),
          [1, 2],
        );
        const ran = server.messages.flatMap(({ method, params }) =>
          method === 'tools/call' && isRecord(params) && isRecord(params['arguments'])
            ? [params['arguments']['id']]
            : [],
        );
        assert.deepEqual(
          ran.map(Number).toSorted((a, b) => a - b),
          [...(first ? [1] : []), ...(second ? [2] : [])],
        );
        assert.deepEqual([ends.get('a'), ends.get('b')], [!first, !second]);
      } finally {
        await agent.close();
        await Promise.all([server.close(), model.close()]);
      }
    });
  }
});
