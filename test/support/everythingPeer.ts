import assert from 'node:assert/strict';
import type { Client } from '../../src/mcp/client.ts';
import type { ConnectOptions } from '../../src/mcp/connect.ts';
import { isRecord } from '../../src/base/json.ts';
import { dig, digList } from './dig.ts';

/** The reference server that offers one of each. */
export const everythingScript = '@modelcontextprotocol/server-everything/dist/index.js';

/** Answers to what it asks. */
export const everythingHandlers: ConnectOptions['handlers'] = {
  'roots/list': async () => ({ roots: [{ uri: 'file:///tmp/project', name: 'project' }] }),
  'sampling/createMessage': async (params) => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: `sampled ${digList(params, 'messages').length}` },
  }),
  'elicitation/create': async () => ({ action: 'decline' }),
};

/**
 * Lists all that the reference server offers, and uses one of each kind. `asksBack` is false behind a gateway that answers or refuses the
 * server's own requests itself, and `inOrder` behind one whose notices may come after the
 * result that they precede.
 */
export async function useEverything(client: Client, { asksBack = true, inOrder = true } = {}): Promise<void> {
  await callEachKind(client);
  if (asksBack) await letItAsk(client);
  await watchProgress(client, inOrder ? [1, 2] : [1]);
  await readAndPrompt(client);
}

async function callEachKind(client: Client): Promise<void> {
  const names = (await client.listTools()).map(({ name }) => name);
  for (const name of ['echo', 'get-structured-content']) assert.ok(names.includes(name), name);
  const call = async (name: string, args = {}) => (await client.callTool(name, args)).content;
  assert.deepEqual(await call('echo', { message: '你好 🌍' }), [{ type: 'text', text: 'Echo: 你好 🌍' }]);
  assert.match(JSON.stringify(await call('get-sum', { a: 2, b: 3 })), /\b5\b/);
  assert.ok((await call('get-tiny-image')).some(({ type }) => type === 'image'));
  assert.ok((await call('get-resource-links')).some(({ type }) => type === 'resource_link'));
  assert.ok((await call('get-resource-reference')).some(({ type }) => type === 'resource'));
  const weather = await client.callTool('get-structured-content', { location: 'Chicago' });
  assert.equal(typeof dig(weather.structuredContent, 'temperature'), 'number');
  const annotated = await call('get-annotated-message', { messageType: 'error', includeImage: true });
  assert.ok(annotated.some((block) => isRecord(block['annotations'])));
  const refused = await client.callTool('get-sum', { a: 'x' }).catch((error: unknown) => error);
  assert.ok(refused instanceof Error || dig(refused, 'isError') === true, 'bad arguments are an error');
}

async function letItAsk(client: Client): Promise<void> {
  const call = async (name: string, args = {}) => (await client.callTool(name, args)).content;
  assert.match(JSON.stringify(await call('trigger-sampling-request', { prompt: 'hi' })), /sampled 1/);
  assert.match(JSON.stringify(await call('trigger-elicitation-request')), /declined/i);
  assert.match(JSON.stringify(await call('get-roots-list')), /project/);
}

async function watchProgress(client: Client, expected: readonly number[]): Promise<void> {
  const told: number[] = [];
  const onProgress = ({ progress }: { progress: number }): void => void told.push(progress);
  await client.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, { onProgress });
  assert.deepEqual(told.slice(0, expected.length), expected);
}

async function readAndPrompt(client: Client): Promise<void> {
  const resources = digList(await client.request('resources/list'), 'resources');
  assert.ok(resources.length > 0);
  const read = await client.request('resources/read', { uri: dig(resources, 0, 'uri') });
  assert.equal(digList(read, 'contents').length, 1);
  assert.ok(digList(await client.request('resources/templates/list'), 'resourceTemplates').length > 0);
  const prompts = digList(await client.request('prompts/list'), 'prompts').map((prompt) => dig(prompt, 'name'));
  assert.ok(prompts.length > 0);
  const [simple] = prompts;
  assert.ok(digList(await client.request('prompts/get', { name: simple }), 'messages').length > 0);
  const ref = { type: 'ref/prompt', name: 'completable-prompt' };
  const argument = { name: 'department', value: 'E' };
  const completed = await client.request('completion/complete', { ref, argument });
  assert.deepEqual(dig(completed, 'completion', 'values'), ['Engineering']);
}
