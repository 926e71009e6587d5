import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { TapFact } from '../../../src/base/tap.ts';
import { WireLog, type WireBatch } from '../../../src/wire/wireLog.ts';
import { bodyOf, type WireEntry } from '../../../src/wire/wireEntry.ts';

const source = { connection: 'demo#1', server: 'demo', peer: 'mcp' } as const;

function request(exchange: number, body?: string): TapFact {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer aVerySecretValue0123456789' };
  const at = {
    ...source,
    kind: 'http-request',
    exchange,
    method: 'POST',
    url: 'http://127.0.0.1/mcp',
    headers,
  } as const;
  return body === undefined ? at : { ...at, body };
}

function event(exchange: number, data: string): TapFact {
  return { ...source, kind: 'sse-event', exchange, data, bytes: Buffer.byteLength(data) };
}

function ended(exchange: number): TapFact {
  return { ...source, kind: 'http-end', exchange, outcome: 'complete' };
}

function kinds(entries: readonly WireEntry[]): string[] {
  return entries.map(({ kind }) => kind);
}

describe('WireLog', () => {
  it('keeps facts in order, numbered and with the time at which they came', () => {
    let now = 1000;
    const log = new WireLog({ now: () => now });
    log.tap(request(1));
    now = 1250.5;
    log.tap(ended(1));
    const entries = log.entries();
    assert.deepEqual(kinds(entries), ['http-request', 'http-end']);
    assert.deepEqual(
      entries.map(({ seq, at }) => [seq, at]),
      [
        [1, 1000],
        [2, 1250.5],
      ],
    );
  });

  it('hides secrets before anybody can read an entry', async () => {
    const log = new WireLog();
    log.addSecret('storedPassword99');
    const batch = new Promise<WireBatch>((resolve) => log.onDidAppend(resolve));
    log.tap(request(1, '{"echo":"storedPassword99"}'));
    const { appended } = await batch;
    const text = JSON.stringify([appended, log.entries()]);
    assert.doesNotMatch(text, /aVerySecret|0123456789|storedP|word99/);
    assert.match(text, /Bearer \[redacted 26 chars #/);
  });

  it('tells of new entries in batches, not one by one', async () => {
    const log = new WireLog();
    const batches: WireBatch[] = [];
    const first = new Promise<void>((resolve) => {
      log.onDidAppend((batch) => {
        batches.push(batch);
        resolve();
      });
    });
    for (let exchange = 1; exchange <= 50; exchange += 1) log.tap(request(exchange));
    assert.equal(batches.length, 0);
    await first;
    assert.deepEqual(
      batches.map(({ appended }) => appended.length),
      [50],
    );
  });

  it('keeps a text once: a message points to the body that carried it', () => {
    const log = new WireLog();
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'getUsers', arguments: {} } };
    const answer = { jsonrpc: '2.0', id: 3, result: { content: [], isError: true } };
    log.tap(request(7, JSON.stringify(call)));
    log.tap({ ...source, kind: 'message', direction: 'out', message: call, bytes: 80, exchange: 7 });
    log.tap(event(1, JSON.stringify(answer)));
    log.tap({ ...source, kind: 'message', direction: 'in', message: answer, bytes: 60, exchange: 1 });
    const [, out, , back] = log.entries();
    assert.ok(out?.kind === 'message' && back?.kind === 'message');
    assert.deepEqual(out.head, { kind: 'request', id: 3, method: 'tools/call', target: 'getUsers' });
    assert.deepEqual([out.carrier, out.body], [1, undefined]);
    assert.deepEqual(back.head, { kind: 'response', id: 3, toolError: true });
    assert.deepEqual([back.carrier, back.body], [3, undefined]);
  });

  it('keeps a message itself where no text was told of', () => {
    const log = new WireLog();
    log.tap({
      ...source,
      kind: 'message',
      direction: 'out',
      message: { jsonrpc: '2.0', id: '1', method: 'ping' },
      bytes: 40,
    });
    const [entry] = log.entries();
    assert.equal(entry && bodyOf(entry)?.text, '{"jsonrpc":"2.0","id":"1","method":"ping"}');
  });

  it('payloads come back byte for byte, markup and control characters included', () => {
    const log = new WireLog();
    const data = JSON.stringify({ text: '<img src=x onerror=alert(1)> & </script> \u001b[31mred 北京 – café 🌍' });
    log.tap(event(1, data));
    const [entry] = log.entries();
    assert.equal(entry && bodyOf(entry)?.text, data);
  });

  it('a body beyond the cap is kept in part, with its true size', () => {
    const log = new WireLog({ maxBodyBytes: 10_000 });
    const data = 'word '.repeat(10_000);
    log.tap(event(1, data));
    const [entry] = log.entries();
    const body = entry && bodyOf(entry);
    assert.equal(body?.bytes, 50_000);
    assert.equal(body.cut, true);
    assert.ok(body.text.length <= 10_000 && body.text.length > 5000 && data.startsWith(body.text));
  });

  it('a secret that the cap cuts through is not kept by half', () => {
    for (let shift = 0; shift < 40; shift += 5) {
      const log = new WireLog({ maxBodyBytes: 10_000 });
      log.addSecret('kQ7vZp2Lx9Tm4Rw8Bn6Yc1Hd');
      log.tap(event(1, `${'a b '.repeat(2490)}${'.'.repeat(shift)}kQ7vZp2Lx9Tm4Rw8Bn6Yc1Hd ${'tail '.repeat(2000)}`));
      assert.doesNotMatch(JSON.stringify(log.entries()), /kQ7vZp/);
    }
  });

  it('files inside a body are summarised', () => {
    const log = new WireLog();
    const png = `iVBORw0KGgo${'A'.repeat(300_000)}==`;
    log.tap(
      event(
        1,
        JSON.stringify({
          content: [
            { type: 'image', data: png, mimeType: 'image/png' },
            { type: 'text', text: 'kept' },
          ],
        }),
      ),
    );
    const [entry] = log.entries();
    const kept = JSON.parse((entry && bodyOf(entry)?.text) ?? '');
    assert.equal(kept.content[0].data, '[image/png, 300011 characters of Base64 not kept]');
    assert.equal(kept.content[1].text, 'kept');
    assert.ok(((entry && bodyOf(entry)?.bytes) ?? 0) > 300_000);
  });

  it('keeps the newest rows only', () => {
    const log = new WireLog({ maxRows: 10 });
    for (let exchange = 1; exchange <= 25; exchange += 1) {
      log.tap(request(exchange));
      log.tap(ended(exchange));
    }
    const exchanges = log
      .entries()
      .filter((entry) => entry.kind === 'http-request')
      .map((entry) => entry.exchange);
    assert.deepEqual(exchanges, [16, 17, 18, 19, 20, 21, 22, 23, 24, 25].slice(-exchanges.length));
    assert.ok(exchanges.length >= 5);
    assert.ok(log.dropped > 0);
  });

  it('keeps the newest bytes only', () => {
    const log = new WireLog({ maxBytes: 100_000 });
    for (let index = 0; index < 100; index += 1) log.tap(event(1, `${index} ${'text '.repeat(1000)}`));
    log.flush();
    assert.ok(log.bytes <= 100_000, `${log.bytes} bytes are kept`);
    const last = log.entries().at(-1);
    assert.match((last && bodyOf(last)?.text) ?? '', /^99 /);
  });

  it('the head of a stream that is still open outlives its place, until the stream ends', () => {
    const log = new WireLog({ maxRows: 5 });
    log.tap(request(1));
    for (let index = 0; index < 20; index += 1) log.tap(event(1, `event ${index}`));
    assert.equal(log.entries()[0]?.kind, 'http-request');
    log.clear();
    assert.deepEqual(kinds(log.entries()), ['http-request']);
    log.tap(ended(1));
    assert.deepEqual(kinds(log.entries()), ['http-end']);
  });

  it('without bodies, sizes are kept', () => {
    const log = new WireLog();
    log.includeBodies = false;
    log.tap(event(1, 'twelve bytes'));
    const [entry] = log.entries();
    assert.deepEqual(entry && bodyOf(entry), { text: '', bytes: 12, omitted: true });
  });

  it('paused, records nothing', () => {
    const log = new WireLog();
    log.recording = false;
    log.tap(request(1));
    log.recording = true;
    log.tap(request(2));
    assert.equal(log.entries().length, 1);
  });

  it('what waits when it is disposed is forgotten, and no timer is left', async () => {
    const log = new WireLog();
    let heard = 0;
    log.onDidAppend(() => (heard += 1));
    log.tap(request(1));
    log.dispose();
    await wait(70);
    assert.equal(heard, 0);
  });
});
