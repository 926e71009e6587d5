import assert from 'node:assert/strict';
import type { ModelTool } from '../../../src/model/chatModel.ts';
import { play, tool } from './playConversation.ts';

const S = { type: 'string' };

/** The same tools on each server, as models are offered them. */
function serversNamed(...names: readonly string[]): ModelTool[] {
  return names.flatMap((server, index) => [
    at(server, tool(`a${index}0_list_tickets`, 'Lists all tickets.', {})),
    at(server, tool(`a${index}0_get_ticket`, 'Gets one ticket.', { ticket_id: S }, ['ticket_id'])),
    at(server, tool(`a${index}0_list_users`, 'Lists all users.', {})),
  ]);
}

const at = (server: string, given: ModelTool): ModelTool => ({
  ...given,
  description: `${given.description} (server: ${server})`,
});

describe('a server that a step names', () => {
  const tools = serversNamed('server1', 'server7', 'billing', 'billing-test', 'users');
  const cases: readonly (readonly [string, string, object?])[] = [
    ['list the tickets of server7', 'a10_list_tickets'],
    ['On server7, list the tickets', 'a10_list_tickets'],
    ['get the ticket T-5 from server7', 'a10_get_ticket', { ticket_id: 'T-5' }],
    ['list the tickets on the billing server', 'a20_list_tickets'],
    ['list the tickets of the server "billing-test"', 'a30_list_tickets'],
    ['list the tickets on billing-test', 'a30_list_tickets'],
    ['列出 billing 服务器上的 tickets', 'a20_list_tickets'],
    // The name of a server is a thing as well: nothing says that the server is meant.
    ['list the users', 'a00_list_users'],
    ['list the users of server7', 'a10_list_users'],
  ];
  for (const [request, name, args = {}] of cases) {
    it(`has the tool: ${request}`, async () => {
      const { calls } = await play(request, tools, () => '[]');
      assert.deepEqual(calls[0], [name, args]);
    });
  }

  it('holds for the step behind it', async () => {
    const { calls } = await play('Get the ticket T-5 from server7, then list the users', tools, () => '[]');
    assert.deepEqual(
      calls.map(([name]) => name),
      ['a10_get_ticket', 'a10_list_users'],
    );
  });

  it('is no place where its tools do not fit', async () => {
    const more = [...tools, at('mail', tool('b00_send_mail', 'Sends a mail.', { to: S }, ['to']))];
    const { calls } = await play('send a mail to ann@example.com on server7', more, () => 'sent');
    assert.equal(calls[0]?.[0], 'b00_send_mail');
  });
});
