import assert from 'node:assert/strict';
import { EventStreamDecoder, EventTooLargeError, type ServerSentEvent } from '../../../src/base/sse.ts';

interface Heard {
  readonly events: ServerSentEvent[];
  readonly ids: string[];
  readonly retries: number[];
}

function decode(chunks: readonly Uint8Array[], options: { flush?: boolean; limit?: number } = {}): Heard {
  const heard: Heard = { events: [], ids: [], retries: [] };
  const listener = {
    onEvent: (event: ServerSentEvent) => heard.events.push(event),
    onId: (id: string) => heard.ids.push(id),
    onRetry: (ms: number) => heard.retries.push(ms),
  };
  const decoder = new EventStreamDecoder(listener, options.limit);
  for (const chunk of chunks) decoder.write(chunk);
  decoder.end(options);
  return heard;
}

function data(heard: Heard): string[] {
  return heard.events.map((event) => event.data);
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('EventStreamDecoder', () => {
  const streams: Record<string, string> = {
    LF: 'event: endpoint\ndata: /m?s=1\n\n: hi\ndata: {"a":\ndata: "北京 – café 🌍"}\n\nid: 7\ndata:\n\n',
    'CR LF':
      'event: endpoint\r\ndata: /m?s=1\r\n\r\n: hi\r\ndata: {"a":\r\ndata: "北京 – café 🌍"}\r\n\r\nid: 7\r\ndata:\r\n\r\n',
    CR: 'event: endpoint\rdata: /m?s=1\r\r: hi\rdata: {"a":\rdata: "北京 – café 🌍"}\r\rid: 7\rdata:\r\r',
    'all three mixed':
      'event: endpoint\r\ndata: /m?s=1\r\r: hi\ndata: {"a":\r\ndata: "北京 – café 🌍"}\n\r\nid: 7\rdata:\n\n',
    'a byte order mark and CR LF':
      '\uFEFFevent: endpoint\r\ndata: /m?s=1\r\n\r\n: hi\r\ndata: {"a":\r\ndata: "北京 – café 🌍"}\r\n\r\nid: 7\r\ndata:\r\n\r\n',
  };
  for (const [name, text] of Object.entries(streams)) {
    const whole = bytes(text);
    const check = (heard: Heard): void => {
      assert.deepEqual(data(heard), ['/m?s=1', '{"a":\n"北京 – café 🌍"}', '']);
      assert.deepEqual(
        heard.events.map(({ event }) => event),
        ['endpoint', undefined, undefined],
      );
      assert.deepEqual(heard.ids, ['7']);
    };

    it(`reads line ends of ${name}, cut at every byte`, () => {
      for (let cut = 0; cut <= whole.length; cut++) check(decode([whole.subarray(0, cut), whole.subarray(cut)]));
    });

    it(`reads line ends of ${name}, byte by byte`, () => {
      check(decode([...whole].map((byte) => Uint8Array.of(byte))));
    });
  }

  it('begins anew with another stream, wherever the one before it broke off', () => {
    const broken = ['data: half', 'id: 9\ndata: x\n', 'data: \xE4'].map((text) => Buffer.from(text, 'latin1'));
    for (const rest of [...broken, bytes(`data: ${'x'.repeat(100)}`)]) {
      const before: ServerSentEvent[] = [];
      const decoder = new EventStreamDecoder({ onEvent: (event) => before.push(event) }, 80, { keepRest: true });
      try {
        decoder.write(rest);
      } catch (error) {
        assert.ok(error instanceof EventTooLargeError);
      }
      const after: ServerSentEvent[] = [];
      decoder.reset({ onEvent: (event) => after.push(event) });
      decoder.write(bytes('\uFEFFdata: é\n\n'));
      assert.equal(decoder.end(), '');
      assert.deepEqual(before, []);
      assert.deepEqual(after, [{ id: undefined, event: undefined, data: 'é' }]);
    }
  });

  it('takes the fields of an event in any order', () => {
    const { events, ids, retries } = decode([
      bytes('data: /message?sessionId=1\r\nid: 3\r\nretry: 300\r\nevent: endpoint\r\n\r\n'),
    ]);
    assert.deepEqual(events, [{ id: '3', event: 'endpoint', data: '/message?sessionId=1' }]);
    assert.deepEqual([ids, retries], [['3'], [300]]);
  });

  it('removes at most one space after the colon', () => {
    assert.deepEqual(data(decode([bytes('data:a\n\ndata: b\n\ndata:  c\n\n')])), ['a', 'b', ' c']);
  });

  it('tells the id of an event that has no data at all, and no event', () => {
    const { events, ids } = decode([bytes('id: 9\n\n: ping\n\n')]);
    assert.deepEqual([events, ids], [[], ['9']]);
  });

  it('drops an unfinished event at the end of the stream', () => {
    assert.deepEqual(data(decode([bytes('data: whole\n\ndata: half\n')])), ['whole']);
    assert.deepEqual(data(decode([bytes('data: half')])), []);
  });

  it('gives the text of it where that is kept', () => {
    const rest = (text: string, keepRest: boolean): string => {
      const decoder = new EventStreamDecoder({ onEvent: () => undefined }, undefined, { keepRest });
      for (const byte of bytes(text)) decoder.write(Uint8Array.of(byte));
      return decoder.end();
    };
    assert.equal(rest('data: a\n\nevent: x\ndata: b ü', true), 'event: x\ndata: b ü');
    assert.equal(rest('data: a\r\n\r\ndata: b', true), 'data: b');
    assert.equal(rest('data: a\n\n: ping\n', true), '');
    assert.equal(rest('data: a\n\ndata: b', false), '');
  });

  it('tells it with flush, however it ends', () => {
    for (const end of ['', '\n', '\r', '\r\n', '\n\n', '\r\n\r\n', '\r\r']) {
      assert.deepEqual(
        data(decode([bytes(`data: a\n\ndata: [DONE]${end}`)], { flush: true })),
        ['a', '[DONE]'],
        JSON.stringify(end),
      );
    }
  });

  it('is the same for one large event, many in one chunk, and bytes one by one', () => {
    const large = `data: ${'x'.repeat(61_000)}\n\ndata: 2\n\ndata: 3\n\n`;
    const whole = bytes(large);
    const expected = data(decode([whole]));
    assert.deepEqual(
      expected.map((one) => one.length),
      [61_000, 1, 1],
    );
    const pieces: Uint8Array[] = [];
    for (let start = 0; start < whole.length; start += 1024) pieces.push(whole.subarray(start, start + 1024));
    assert.deepEqual(data(decode(pieces)), expected);
    assert.deepEqual(data(decode([...whole].map((byte) => Uint8Array.of(byte)))), expected);
  });

  it('throws a typed error when an event passes the cap, also when it never ends', () => {
    const endless = (chunk: string) => () =>
      decode(
        Array.from({ length: 100 }, () => bytes(chunk)),
        { limit: 1000 },
      );
    assert.throws(endless(`data: ${'x'.repeat(50)}\n`), EventTooLargeError);
    assert.throws(
      () => decode([bytes('data: '), ...Array.from({ length: 100 }, () => bytes('x'.repeat(50)))], { limit: 1000 }),
      EventTooLargeError,
    );
    assert.doesNotThrow(endless(`data: ${'x'.repeat(50)}\n\n`));
  });

  it('goes on throwing after that', () => {
    const decoder = new EventStreamDecoder({ onEvent: () => undefined }, 10);
    assert.throws(() => decoder.write(bytes('data: 0123456789abcdef')), EventTooLargeError);
    assert.throws(() => decoder.write(bytes('data: 1\n\n')), EventTooLargeError);
  });

  it('reads 16 MB in one event in time that grows with its size alone', () => {
    const time = (mega: number): number => {
      const chunk = Buffer.alloc(65_536, 'x');
      const chunks = [bytes('data: '), ...Array.from({ length: mega * 16 }, () => chunk), bytes('\n\n')];
      const start = performance.now();
      assert.equal(data(decode(chunks))[0]?.length, mega * 1024 * 1024);
      return performance.now() - start;
    };
    time(2);
    assert.ok(time(16) < 1000 + time(2) * 40);
  });
});
