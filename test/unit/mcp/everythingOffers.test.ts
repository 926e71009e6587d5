import assert from 'node:assert/strict';
import { isRecord } from '../../../src/base/json.ts';
import type { Client } from '../../../src/mcp/client.ts';
import { connect, type ConnectOptions } from '../../../src/mcp/connect.ts';
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
  unsubscribe,
} from '../../../src/mcp/offers.ts';
import { startEverything, type EverythingServer } from '../../support/everythingServer.ts';

type Notice = { readonly method: string; readonly params: unknown };

for (const kind of ['stdio', 'http', 'sse'] as const) {
  describe(`what the official example server offers over ${kind}`, function () {
    this.timeout(30_000);
    let server: EverythingServer;
    let client: Client;
    const notices: Notice[] = [];
    const asked: { readonly method: string; readonly params: unknown }[] = [];

    const answering = (method: string, result: unknown) => async (params: unknown) => {
      asked.push({ method, params });
      return result;
    };

    const options: ConnectOptions = {
      capabilities: { elicitation: { form: {}, url: {} } },
      handlers: {
        'roots/list': answering('roots/list', { roots: [{ uri: 'file:///work/space', name: 'space' }] }),
        'sampling/createMessage': answering('sampling/createMessage', {
          role: 'assistant',
          content: { type: 'text', text: 'Blue.' },
          model: 'test',
          stopReason: 'endTurn',
        }),
        'elicitation/create': answering('elicitation/create', { action: 'accept', content: { name: 'Ada' } }),
      },
    };

    before(async () => {
      server = await startEverything(kind);
      client = await connect(server.config, options);
      client.onDidReceiveNotification((notice) => void notices.push(notice));
      await client.listTools();
    });

    after(async () => {
      await client?.close();
      await server?.close();
    });

    const text = async (tool: string, args: Record<string, unknown> = {}): Promise<string> =>
      JSON.stringify((await client.callTool(tool, args)).content);

    const notice = async (method: string): Promise<Notice> => {
      for (;;) {
        const found = notices.find((each) => each.method === method);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    it('resources, templates and their contents', async () => {
      const resources = await listResources(client);
      assert.ok(resources.length > 3);
      assert.match(resources[0]?.uri ?? '', /^demo:/);
      const templates = await listResourceTemplates(client);
      assert.ok(templates.some(({ uriTemplate }) => uriTemplate === 'demo://resource/dynamic/text/{resourceId}'));
      const [page] = await readResource(client, 'demo://resource/dynamic/text/5');
      assert.match(page?.text ?? '', /Resource 5/);
      const [blob] = await readResource(client, 'demo://resource/dynamic/blob/5');
      assert.ok(blob?.blob !== undefined && blob.text === undefined);
    });

    it('a resource that is not there is known as such', async () => {
      await assert.rejects(readResource(client, 'demo://nothing'), isResourceNotFound);
    });

    it('updates of a resource are told while it is subscribed to', async () => {
      assert.equal(await subscribe(client, 'demo://resource/dynamic/text/1'), true);
      await text('toggle-subscriber-updates');
      const { params } = await notice('notifications/resources/updated');
      assert.deepEqual(isRecord(params) && params['uri'], 'demo://resource/dynamic/text/1');
      await text('toggle-subscriber-updates');
      await unsubscribe(client, 'demo://resource/dynamic/text/1');
    });

    it('prompts with arguments, and what completes these', async () => {
      const prompts = await listPrompts(client);
      const args = prompts.find(({ name }) => name === 'args-prompt')?.arguments;
      assert.deepEqual(
        args?.map(({ name, required }) => [name, required]),
        [
          ['city', true],
          ['state', false],
        ],
      );
      const { messages } = await getPrompt(client, 'args-prompt', { city: 'Oslo' });
      assert.match(JSON.stringify(messages), /weather in Oslo/);
      const reference = { type: 'ref/prompt', name: 'completable-prompt' } as const;
      assert.deepEqual(await complete(client, { reference, name: 'department', value: 'Eng', known: {} }), [
        'Engineering',
      ]);
      const names = await complete(client, {
        reference,
        name: 'name',
        value: 'A',
        known: { department: 'Engineering' },
      });
      assert.deepEqual(names, ['Alice']);
      assert.deepEqual(await complete(client, { reference, name: 'none', value: '', known: {} }), []);
    });

    it('the server’s own questions are answered: folders, the model, the person', async () => {
      assert.match(await text('get-roots-list'), /file:\/\/\/work\/space/);
      assert.match(await text('trigger-sampling-request', { prompt: 'Colour of the sky?', maxTokens: 10 }), /Blue\./);
      assert.match(await text('trigger-elicitation-request'), /Name: Ada/);
      assert.match(await text('trigger-url-elicitation', { url: 'https://example.com/x' }), /accept/);
      const methods = new Set(asked.map(({ method }) => method));
      assert.deepEqual([...methods].toSorted(), ['elicitation/create', 'roots/list', 'sampling/createMessage']);
    });

    it('a call that is refused until the person has been to a page is made once more', async () => {
      const before = asked.length;
      const args = { url: 'https://example.com/sign-in', errorPath: true, elicitationId: `page-${kind}` };
      assert.match(await text('trigger-url-elicitation', args), /accept/);
      const [first] = asked.slice(before).map(({ params }) => params);
      assert.ok(isRecord(first));
      // The example server names an address of its own here.
      assert.deepEqual([first['mode'], typeof first['url'], first['retry']], ['url', 'string', true]);
    });

    // The example takes its time, so that one transport has to do.
    const itOnce = kind === 'http' ? it : () => undefined;

    itOnce('a tool that wants to be a task is one: its steps are told, its question reaches the person', async () => {
      const before = asked.length;
      const steps: string[] = [];
      const result = await client.callTool(
        'simulate-research-query',
        { topic: 'python', ambiguous: true },
        { onProgress: ({ message }) => void steps.push(message ?? '') },
      );
      assert.match(JSON.stringify(result.content), /Research Report/);
      assert.ok(
        steps.some((step) => step.includes('Gathering')),
        steps.join(),
      );
      assert.ok(asked.slice(before).some(({ method }) => method === 'elicitation/create'));
    });

    itOnce('a task that is given up is cancelled on the server', async () => {
      const stop = new AbortController();
      const call = client.callTool(
        'simulate-research-query',
        { topic: 'rust' },
        { signal: stop.signal, onProgress: () => stop.abort() },
      );
      await assert.rejects(call, { code: 'cancelled' });
    });

    it('progress and cancellation', async () => {
      const seen: number[] = [];
      const args = { duration: 0.4, steps: 4 };
      await client.callTool('trigger-long-running-operation', args, {
        onProgress: ({ progress }) => void seen.push(progress),
      });
      assert.deepEqual(seen, [1, 2, 3, 4]);
      const stop = new AbortController();
      const call = client.callTool(
        'trigger-long-running-operation',
        { duration: 20, steps: 2 },
        { signal: stop.signal },
      );
      setTimeout(() => stop.abort(), 50);
      await assert.rejects(call, { code: 'cancelled' });
      assert.match(await text('echo', { message: 'still here' }), /still here/);
    });

    it('log messages from the level that was asked for', async () => {
      assert.equal(await setLogLevel(client, 'debug'), true);
      await text('toggle-simulated-logging');
      const { params } = await notice('notifications/message');
      assert.ok(isRecord(params) && typeof params['level'] === 'string');
      await text('toggle-simulated-logging');
    });
  });
}
