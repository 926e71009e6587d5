import assert from 'node:assert/strict';
import { RpcError } from '../../../src/mcp/errors.ts';
import {
  complete,
  getPrompt,
  isResourceNotFound,
  listPrompts,
  listResources,
  listResourceTemplates,
  readResource,
  setLogLevel,
  subscribe,
  type Asked,
} from '../../../src/mcp/offers.ts';

type Script = Readonly<Record<string, (params: Record<string, unknown>) => unknown>>;

/** A session that answers by method and remembers what it was asked. */
function session(script: Script, more: Partial<Asked> = {}): Asked & { readonly asked: [string, unknown][] } {
  const asked: [string, unknown][] = [];
  return {
    protocolVersion: '2025-11-25',
    capabilities: { resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
    ...more,
    asked,
    request: async (method, params) => {
      asked.push([method, params]);
      const answer = script[method];
      if (!answer) throw new RpcError(-32601, `Method not found: ${method}`);
      return answer({ ...(typeof params === 'object' && params) });
    },
  };
}

describe('what servers offer besides tools', () => {
  it('a server without the capability is not asked', async () => {
    const client = session({}, { capabilities: {} });
    assert.deepEqual(await listResources(client), []);
    assert.deepEqual(await listResourceTemplates(client), []);
    assert.deepEqual(await listPrompts(client), []);
    assert.equal(await subscribe(client, 'a://b'), false);
    assert.equal(await setLogLevel(client, 'debug'), false);
    const reference = { type: 'ref/prompt', name: 'p' } as const;
    assert.deepEqual(await complete(client, { reference, name: 'a', value: '', known: {} }), []);
    assert.deepEqual(client.asked, []);
  });

  it('the stateless revision has neither subscriptions nor levels of this kind', async () => {
    const client = session({}, { protocolVersion: '2026-07-28' });
    assert.equal(await subscribe(client, 'a://b'), false);
    assert.equal(await setLogLevel(client, 'debug'), false);
    assert.deepEqual(client.asked, []);
  });

  it('all pages are read, the empty cursor is one, and a cursor that comes again ends the walk', async () => {
    const client = session({
      'resources/list': ({ cursor }) => {
        if (cursor === undefined) return { resources: [{ uri: 'a:1', name: 'one' }], nextCursor: '' };
        return { resources: [{ uri: 'a:2' }, { name: 'no address' }, 7], nextCursor: '' };
      },
    });
    assert.deepEqual(await listResources(client), [
      { uri: 'a:1', name: 'one' },
      { uri: 'a:2', name: 'a:2' },
    ]);
    assert.deepEqual(
      client.asked.map(([, params]) => params),
      [{}, { cursor: '' }],
    );
  });

  it('a server that declares and does not know the method has none', async () => {
    assert.deepEqual(await listResourceTemplates(session({})), []);
  });

  it('a page without a list is a broken rule', async () => {
    await assert.rejects(listPrompts(session({ 'prompts/list': () => ({ items: [] }) })), { name: 'ProtocolError' });
  });

  it('prompts keep their arguments, and messages of several blocks become several', async () => {
    const client = session({
      'prompts/list': () => ({
        prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }, {}, { name: 'b' }] }],
      }),
      'prompts/get': () => ({
        messages: [
          { role: 'assistant', content: { type: 'text', text: '1' } },
          {
            role: 'user',
            content: [
              { type: 'text', text: '2' },
              { type: 'text', text: '3' },
            ],
          },
          'nothing',
        ],
      }),
    });
    assert.deepEqual(await listPrompts(client), [
      {
        name: 'p',
        arguments: [
          { name: 'a', required: true },
          { name: 'b', required: false },
        ],
      },
    ]);
    const { messages } = await getPrompt(client, 'p', { a: 'x' });
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['assistant', 'user', 'user'],
    );
    assert.deepEqual(client.asked.at(-1), ['prompts/get', { name: 'p', arguments: { a: 'x' } }]);
  });

  it('both codes say that a resource is not there, others do not', () => {
    assert.ok(isResourceNotFound(new RpcError(-32002, 'x')));
    assert.ok(isResourceNotFound(new RpcError(-32602, 'x')));
    assert.ok(!isResourceNotFound(new RpcError(-32603, 'x')));
    assert.ok(!isResourceNotFound(new Error('x')));
  });

  it('contents are read as they are, with what is no content left out', async () => {
    const client = session({
      'resources/read': () => ({ contents: [{ text: 't' }, { uri: 'b:1', blob: 'AA==' }, null] }),
    });
    assert.deepEqual(await readResource(client, 'a:1'), [
      { uri: 'a:1', text: 't' },
      { uri: 'b:1', blob: 'AA==' },
    ]);
  });

  it('completion passes what is known, takes at most a hundred texts, and a refusal is no proposal', async () => {
    const values = ['a', 7, ...Array.from({ length: 200 }, (_, place) => `v${place}`)];
    const reference = { type: 'ref/resource', uri: 'a://{x}' } as const;
    const client = session({ 'completion/complete': () => ({ completion: { values } }) });
    const proposals = await complete(client, { reference, name: 'x', value: 'v', known: { y: '1' } });
    assert.equal(proposals.length, 100);
    assert.deepEqual(client.asked[0]?.[1], {
      ref: reference,
      argument: { name: 'x', value: 'v' },
      context: { arguments: { y: '1' } },
    });
    assert.deepEqual(await complete(session({}), { reference, name: 'x', value: '', known: {} }), []);
  });
});
