import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { connect } from '../../../src/mcp/connect.ts';
import { nodeCommand } from '../../support/peerProcess.ts';

const program = join(import.meta.dirname, '../../../src/demo/main.ts');

describe('the demonstration server', () => {
  it('is used by our client as any server', async () => {
    const client = await connect({ kind: 'stdio', name: 'demo', command: nodeCommand, args: [program] });
    try {
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        ['getUsers', 'addUser', 'removeUser'],
      );
      const call = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
        const { content, isError = false } = await client.callTool(name, args);
        return [content[0]?.['text'], isError];
      };
      assert.deepEqual(await call('addUser', { name: 'Carson', email: 'carson@example.com' }), [
        'Added Carson.',
        false,
      ]);
      assert.match(String(await call('getUsers')), /carson@example\.com/);
      assert.deepEqual(await call('addUser', { name: 'Carson', email: 'x@y.z' }), [
        'There is a user Carson already.',
        true,
      ]);
      assert.deepEqual(await call('removeUser', { name: 'Carson' }), ['Removed Carson.', false]);
      assert.deepEqual(await call('removeUser', { name: 'Carson' }), ['There is no user Carson.', true]);
      assert.deepEqual(await call('addUser', { name: 1 }), ['addUser needs its arguments as text.', true]);
      assert.deepEqual(await call('other'), ['There is no tool other.', true]);
      assert.match(client.instructions ?? '', /demonstration/);
    } finally {
      await client.close();
    }
  });

  it('is used by the official client too', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: nodeCommand, args: [program] }));
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, 3);
      const result = await client.callTool({ name: 'getUsers', arguments: {} });
      assert.match(JSON.stringify(result.content), /Jane/);
    } finally {
      await client.close();
    }
  });
});
