import assert from 'node:assert/strict';
import type { RequestOptions } from '../../../src/mcp/client.ts';
import { ProtocolError, RpcError, TransportError } from '../../../src/mcp/errors.ts';
import { offersTools, ToolList } from '../../../src/mcp/toolList.ts';
import { settle } from '../../support/connected.ts';
import { deferred, type Deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../support/fakeClock.ts';

interface Asked {
  readonly params: { readonly cursor?: string | number };
  readonly options: RequestOptions;
  readonly answer: Deferred<unknown>;
}

function bench(options: { offered?: boolean } = {}) {
  const clock = new FakeClock();
  const notes: string[] = [];
  const asked: Asked[] = [];
  const list = new ToolList({
    server: 'users',
    clock,
    note: (level, text) => notes.push(`${level}: ${text}`),
    isOffered: () => options.offered ?? true,
    fetchPage: (params, requestOptions) => {
      const answer = deferred<unknown>();
      asked.push({ params, options: requestOptions, answer });
      return answer.promise;
    },
  });
  let changes = 0;
  list.onDidChange(() => changes++);
  const reply = async (index: number, result: unknown): Promise<void> => {
    const one = asked[index];
    assert.ok(one, `no request ${index}`);
    one.answer.resolve(result);
    await settle();
  };
  return { clock, notes, asked, list, reply, changes: () => changes };
}

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const page = (names: string[], nextCursor?: unknown) => ({
  tools: names.map(tool),
  ...(nextCursor !== undefined && { nextCursor }),
});
const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

describe('the list of tools', () => {
  describe('pages', () => {
    it('are joined', async () => {
      const { list, asked, reply } = bench();
      const tools = list.get();
      await reply(0, page(['a'], 'x'));
      await reply(1, page(['b'], 'y'));
      await reply(2, page(['c']));
      assert.deepEqual(names(await tools), ['a', 'b', 'c']);
      assert.deepEqual(
        asked.map(({ params }) => params),
        [{}, { cursor: 'x' }, { cursor: 'y' }],
      );
    });

    it('the empty string is a cursor', async () => {
      const { list, asked, reply } = bench();
      const tools = list.get();
      await reply(0, page(['a'], ''));
      assert.deepEqual(asked[1]?.params, { cursor: '' });
      await reply(1, page(['b']));
      assert.deepEqual(names(await tools), ['a', 'b']);
    });

    it('the empty string for ever ends after one repetition, with a warning and unique tools', async () => {
      const { list, asked, reply, notes } = bench();
      const tools = list.get();
      await reply(0, page(['a', 'b'], ''));
      await reply(1, page(['a', 'b'], ''));
      assert.deepEqual(names(await tools), ['a', 'b']);
      assert.equal(asked.length, 2);
      assert.deepEqual(notes, ['warning: tools/list repeats the page cursor ""; the 2 tools listed so far are kept']);
    });

    it('null ends the list', async () => {
      const { list, asked, reply } = bench();
      const tools = list.get();
      await reply(0, page(['a'], null));
      assert.deepEqual(names(await tools), ['a']);
      assert.equal(asked.length, 1);
    });

    it('a number is a cursor too, and goes back as one', async () => {
      const { list, asked, reply } = bench();
      const tools = list.get();
      await reply(0, page(['a'], 2));
      await reply(1, page(['b']));
      assert.deepEqual(names(await tools), ['a', 'b']);
      assert.deepEqual(asked[1]?.params, { cursor: 2 });
    });

    it('a list that is null, as Go writes an empty one, is empty', async () => {
      const { list, reply } = bench();
      const tools = list.get();
      await reply(0, { tools: null });
      assert.deepEqual(await tools, []);
    });

    it('a cursor that comes again in a circle ends the walk', async () => {
      const { list, asked, reply, notes } = bench();
      const tools = list.get();
      for (const [index, cursor] of ['x', 'y', 'x'].entries()) await reply(index, page([`t${index}`], cursor));
      assert.deepEqual(names(await tools), ['t0', 't1', 't2']);
      assert.equal(asked.length, 3);
      assert.equal(notes.length, 1);
    });

    it('an error on a later page is an error', async () => {
      const { list, asked, reply } = bench();
      const failed = assert.rejects(list.get(), { name: 'RpcError', code: -32602 });
      await reply(0, page(['a'], 'x'));
      asked[1]?.answer.reject(new RpcError(-32602, 'Invalid cursor'));
      await failed;
    });
  });

  describe('entries', () => {
    it('that are no tools are left out with a warning, a missing schema takes anything', async () => {
      const { list, reply, notes } = bench();
      const tools = list.get();
      await reply(0, {
        tools: [
          tool('a'),
          null,
          { title: 'nameless' },
          { name: '' },
          { name: 'bare' },
          { name: 'odd', inputSchema: 7 },
        ],
      });
      const listed = await tools;
      assert.deepEqual(names(listed), ['a', 'bare', 'odd']);
      assert.deepEqual(listed[1]?.inputSchema, { type: 'object' });
      assert.equal(notes.filter((note) => note.startsWith('warning: ')).length, 3);
    });

    it('are passed on as they are', async () => {
      const { list, reply } = bench();
      const whole = {
        name: 'a',
        title: 'A',
        inputSchema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          $defs: { x: true },
          additionalProperties: false,
        },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
        icons: [{ src: 'x' }],
        _meta: { a: 1 },
      };
      const tools = list.get();
      await reply(0, { tools: [whole] });
      assert.deepEqual(await tools, [whole]);
    });

    for (const result of [undefined, null, [], {}, { tools: {} }]) {
      it(`no list at all is a ProtocolError (${JSON.stringify(result)})`, async () => {
        const { list, reply } = bench();
        const failed = assert.rejects(
          list.get(),
          (error) => error instanceof ProtocolError && error.message.startsWith('users: '),
        );
        await reply(0, result);
        await failed;
      });
    }
  });

  describe('a server without tools', () => {
    it('is not asked', async () => {
      const { list, asked } = bench({ offered: false });
      assert.deepEqual(await list.get(), []);
      assert.equal(asked.length, 0);
    });

    it('that does not know the method has none', async () => {
      const { list, asked } = bench();
      const tools = list.get();
      asked[0]?.answer.reject(new RpcError(-32601, 'Method not found'));
      assert.deepEqual(await tools, []);
    });

    it('is told by its capabilities; nothing declared at all is no statement', () => {
      assert.equal(offersTools({ tools: {} }), true);
      assert.equal(offersTools({}), true);
      assert.equal(offersTools({ resources: {} }), false);
    });
  });

  describe('is kept', () => {
    it('until the server says that it changed', async () => {
      const { list, asked, reply, clock } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      assert.deepEqual(names(await list.get()), ['a']);
      assert.equal(asked.length, 1);
      list.invalidate();
      clock.pass(100);
      await reply(1, page(['b']));
      assert.deepEqual(names(await list.get()), ['b']);
      assert.equal(asked.length, 2);
    });

    it('for each caller on its own', async () => {
      const { list, reply } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      (await first).length = 0;
      assert.equal((await list.get()).length, 1);
    });

    it('not when it could not be had', async () => {
      const { list, asked, reply } = bench();
      const failed = assert.rejects(list.get(), /boom/);
      asked[0]?.answer.reject(new Error('boom'));
      await failed;
      const again = list.get();
      await reply(1, page(['a']));
      assert.equal((await again).length, 1);
    });
  });

  describe('callers at the same time', () => {
    it('share one listing', async () => {
      const { list, asked, reply } = bench();
      const both = Promise.all([list.get(), list.get()]);
      await reply(0, page(['a']));
      assert.deepEqual((await both).map(names), [['a'], ['a']]);
      assert.equal(asked.length, 1);
    });

    it('one that leaves does not take it from the other; the last one ends it', async () => {
      const { list, asked, reply } = bench();
      const [one, two] = [new AbortController(), new AbortController()];
      const first = assert.rejects(
        list.get({ signal: one.signal }),
        (error) => error instanceof TransportError && error.code === 'cancelled',
      );
      const second = list.get({ signal: two.signal });
      one.abort();
      await first;
      assert.equal(asked[0]?.options.signal?.aborted, false);
      await reply(0, page(['a']));
      assert.equal((await second).length, 1);

      list.renew();
      const third = assert.rejects(
        list.get({ signal: two.signal }),
        (error) => error instanceof TransportError && error.code === 'cancelled',
      );
      two.abort();
      await third;
    });

    it('aborting the only one aborts the request, and the next starts anew', async () => {
      const { list, asked, reply } = bench();
      const controller = new AbortController();
      const failed = assert.rejects(list.get({ signal: controller.signal, timeoutMs: 5 }), /cancelled/);
      controller.abort();
      await failed;
      assert.equal(asked[0]?.options.signal?.aborted, true);
      assert.equal(asked[0]?.options.timeoutMs, 5);
      const again = list.get();
      await reply(1, page(['a']));
      assert.equal((await again).length, 1);
    });
  });

  describe('notices of change', () => {
    it('in a burst cause one listing, a later one another', async () => {
      const { list, asked, reply, clock, changes } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      for (let count = 0; count < 12; count++) {
        list.invalidate();
        clock.pass(4);
      }
      clock.pass(100);
      assert.equal(asked.length, 2);
      await reply(1, page(['b']));
      assert.equal(changes(), 1);
      clock.pass(300);
      list.invalidate();
      clock.pass(100);
      await reply(2, page(['c']));
      assert.equal(changes(), 2);
      assert.deepEqual(names(await list.get()), ['c']);
    });

    it('without an end do not put the listing off for ever', async () => {
      const { list, asked, reply, clock } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      for (let count = 0; count < 30; count++) {
        list.invalidate();
        clock.pass(50);
      }
      assert.ok(asked.length >= 2);
    });

    it('are told when the new list is there, so that asking then costs nothing', async () => {
      const { list, asked, reply, clock } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      const seen: string[][] = [];
      list.onDidChange(() => void list.get().then((tools) => seen.push(names(tools))));
      list.invalidate();
      clock.pass(100);
      await reply(1, page(['b']));
      assert.deepEqual(seen, [['b']]);
      assert.equal(asked.length, 2);
    });

    it('before anybody has asked cause no listing', async () => {
      const { list, asked, clock, changes } = bench();
      list.invalidate();
      clock.pass(100);
      await settle();
      assert.equal(asked.length, 0);
      assert.equal(changes(), 1);
    });

    it('make the next caller ask at once', async () => {
      const { list, asked, reply } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      list.invalidate();
      const second = list.get();
      await reply(1, page(['b']));
      assert.deepEqual(names(await second), ['b']);
      assert.equal(asked.length, 2);
    });

    it('at every listing, with nothing changed, are followed less and less often, and explained', async () => {
      const { list, asked, clock, notes } = bench();
      const first = list.get();
      let answered = 0;
      const answerAll = async (): Promise<void> => {
        while (answered < asked.length) {
          list.invalidate();
          asked[answered++]?.answer.resolve(page(['a']));
          await settle();
        }
      };
      await answerAll();
      await first;
      for (let step = 0; step < 1000; step++) {
        clock.pass(10);
        await answerAll();
      }
      assert.ok(asked.length < 10, `${asked.length} listings in ten seconds`);
      assert.equal(notes.filter((note) => note.includes('less often')).length, 1);
    });

    it('a failure to list anew is told and keeps nothing old from the next caller', async () => {
      const { list, asked, reply, clock, notes, changes } = bench();
      const first = list.get();
      await reply(0, page(['a']));
      await first;
      list.invalidate();
      clock.pass(100);
      asked[1]?.answer.reject(new Error('boom'));
      await settle();
      assert.equal(changes(), 1);
      assert.ok(notes.some((note) => note.includes('boom')));
      const next = list.get();
      await reply(2, page(['b']));
      assert.deepEqual(names(await next), ['b']);
    });
  });

  it('a slow old listing never replaces a newer one', async () => {
    const { list, reply } = bench();
    const old = list.get();
    list.invalidate();
    const newer = list.get();
    await reply(1, page(['b']));
    await reply(0, page(['a']));
    assert.deepEqual(names(await newer), ['b']);
    assert.deepEqual(names(await old), ['b']);
    assert.deepEqual(names(await list.get()), ['b']);
  });

  it('says nothing and waits for nothing after it is closed', async () => {
    const { list, reply, clock, changes } = bench();
    const first = list.get();
    await reply(0, page(['a']));
    await first;
    list.invalidate();
    list.close();
    assert.equal(clock.waiting, 0);
    list.invalidate();
    assert.equal(clock.waiting, 0);
    assert.equal(changes(), 0);
  });

  it('survives a listener that throws', async () => {
    const { list, clock, notes } = bench();
    list.onDidChange(() => {
      throw new Error('listener');
    });
    list.invalidate();
    clock.pass(100);
    await settle();
    assert.ok(notes.some((note) => note.includes('listener')));
  });
});
