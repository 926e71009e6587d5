import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { TapFact } from '../../../../src/base/tap.ts';
import type { Client } from '../../../../src/mcp/client.ts';
import { connect } from '../../../../src/mcp/connect.ts';
import { isRunning, scriptedConfig } from '../../../support/stdioPeer.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a session over stdio', function () {
  this.timeout(15_000);
  let client: Client | undefined;

  afterEach(() => client?.close());

  it('lists and calls the tools of the official example server', async () => {
    client = await connect({
      kind: 'stdio',
      name: 'everything',
      command: process.execPath,
      args: [EVERYTHING, 'stdio'],
    });
    assert.equal(client.transport, 'stdio');
    const tools = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'echo'));
    const result = await client.callTool('echo', { message: 'hello 😀' });
    assert.deepEqual(result.content, [{ type: 'text', text: 'Echo: hello 😀' }]);
  });

  it('that cannot begin says why: the time was over, and this is what the server wrote', async () => {
    const deaf = {
      ...scriptedConfig(),
      args: ['-e', `process.stdin.resume(); console.log('Listening on 3000'); console.error('no stdio')`],
      timeoutMs: 3000,
    };
    await assert.rejects(connect(deaf), (error: Error) => {
      assert.match(error.message, /scripted: no connection within 3 s.*only text.*Listening on 3000.*no stdio/s);
      return true;
    });
  });

  it('that is given up while it begins leaves no process behind', async () => {
    const giveUpAfter = async (delayMs: number, index: number): Promise<void> => {
      const facts: TapFact[] = [];
      const giveUp = new AbortController();
      const tap = (fact: TapFact): void => void facts.push(fact);
      // Each round gets on a different way before it is given up.
      const connecting = connect(scriptedConfig({ ignoreEnd: index % 2 === 0 }), { signal: giveUp.signal, tap });
      setTimeout(() => giveUp.abort(), delayMs);
      await assert.rejects(connecting, { code: 'cancelled' });
      await until(() => facts.some(({ kind }) => kind === 'connection-close'));
      const pids = facts.flatMap((fact) => (fact.kind === 'process-start' && fact.pid !== undefined ? [fact.pid] : []));
      assert.deepEqual(pids.filter(isRunning), [], `given up after ${delayMs} ms`);
    };
    await Promise.all([0, 1, 20, 60].map(giveUpAfter));
  });

  it('that the server refuses by exiting fails at once with its last words', async () => {
    const started = performance.now();
    await assert.rejects(connect(scriptedConfig({ exit: 1, stderr: 'missing API key\n' })), {
      name: 'TransportError',
      message: /exit code 1.*missing API key/s,
    });
    assert.ok(performance.now() - started < 5000);
  });
});
