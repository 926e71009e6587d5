import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Client } from '../../../src/mcp/client.ts';
import type { ServerState } from '../../../src/servers/serverState.ts';
import { OfferLists } from '../../../src/vscode/offerLists.ts';
import { FakeClient } from '../../support/fakeClient.ts';
import { fakeSpec } from '../../support/fakeServers.ts';

interface Offering {
  readonly client: Client;
  readonly asked: readonly string[];
  readonly said: Emitter<{ method: string; params: unknown }>;
}

/** A session whose server has one prompt and one resource; `fails` makes it refuse. */
function offering(fails: () => boolean = () => false): Offering {
  const fake = new FakeClient();
  const said = new Emitter<{ method: string; params: unknown }>();
  fake.answer = async (method) => {
    if (fails()) throw new Error('refused');
    if (method === 'prompts/list') return { prompts: [{ name: 'review' }] };
    if (method === 'resources/list') return { resources: [{ uri: 'a:1', name: 'one' }] };
    return { resourceTemplates: [{ uriTemplate: 'a:{id}', name: 'any' }] };
  };
  const client = Object.assign(fake, {
    capabilities: { tools: {}, prompts: {}, resources: {} },
    onDidReceiveNotification: said.event,
  });
  return { client, asked: fake.requests, said };
}

const ready = (client: Client): { spec: ReturnType<typeof fakeSpec>; state: ServerState } => ({
  spec: fakeSpec('a'),
  state: { kind: 'ready', client, tools: [] },
});

describe('the prompts and resources of a server', () => {
  it('are asked for once, also by several at the same time', async () => {
    const { client, asked } = offering();
    const lists = new OfferLists();
    const both = await Promise.all([lists.list(ready(client), 'prompts'), lists.list(ready(client), 'prompts')]);
    await lists.list(ready(client), 'prompts');
    assert.deepEqual(asked, ['prompts/list']);
    assert.deepEqual(
      both[0].map((offer) => offer.kind === 'prompt' && offer.prompt.name),
      ['review'],
    );
    const kinds = (await lists.list(ready(client), 'resources')).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['resource', 'template']);
  });

  it('are asked for anew when the server says that they are others, and that is told', async () => {
    const { client, asked, said } = offering();
    const lists = new OfferLists();
    let changes = 0;
    lists.onDidChange(() => changes++);
    await lists.list(ready(client), 'prompts');
    await lists.list(ready(client), 'resources');
    said.fire({ method: 'notifications/prompts/list_changed', params: undefined });
    said.fire({ method: 'notifications/message', params: undefined });
    assert.equal(changes, 1);
    const before = asked.length;
    await lists.list(ready(client), 'resources');
    assert.equal(asked.length, before, 'the resources are the same');
    await lists.list(ready(client), 'prompts');
    assert.deepEqual(asked.slice(before), ['prompts/list']);
  });

  it('of another session are other ones', async () => {
    const [one, two] = [offering(), offering()];
    const lists = new OfferLists();
    await lists.list(ready(one.client), 'prompts');
    await lists.list(ready(two.client), 'prompts');
    assert.deepEqual([one.asked, two.asked], [['prompts/list'], ['prompts/list']]);
  });

  it('are asked for again after a failure, and not at all of a server that is not ready', async () => {
    let isBroken = true;
    const { client, asked } = offering(() => isBroken);
    const lists = new OfferLists();
    await assert.rejects(lists.list(ready(client), 'prompts'), /refused/);
    isBroken = false;
    assert.equal((await lists.list(ready(client), 'prompts')).length, 1);
    assert.equal(asked.length, 2);
    assert.deepEqual(await lists.list({ spec: fakeSpec('a'), state: { kind: 'stopped' } }, 'prompts'), []);
  });
});
