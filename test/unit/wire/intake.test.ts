import assert from 'node:assert/strict';
import type { TapFact } from '../../../src/base/tap.ts';
import { WireLog } from '../../../src/wire/wireLog.ts';

const source = { connection: 'demo#1', server: 'demo', peer: 'mcp' } as const;
const SESSION = 'Vt7Kq2Lm9Zx4Rw81pQ3n';

function event(text: string, exchange = 1): TapFact {
  return { ...source, kind: 'sse-event', exchange, data: text, bytes: text.length };
}

function openStream(exchange: number): TapFact[] {
  const url = 'http://127.0.0.1/sse';
  return [
    { ...source, kind: 'connection-open', transport: 'sse' },
    { ...source, kind: 'http-request', exchange, method: 'GET', url, headers: {} },
    {
      ...source,
      kind: 'http-response',
      exchange,
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'text/event-stream' },
    },
    { ...source, kind: 'sse-event', exchange, event: 'endpoint', data: `/m?sessionId=${SESSION}`, bytes: 40 },
  ];
}

describe('more facts than the record can hold, while nobody reads', () => {
  it('the newest are kept, and the heads of what is still open', () => {
    const log = new WireLog({ maxRows: 50 });
    for (const fact of openStream(1)) log.tap(fact);
    for (let index = 0; index < 5000; index += 1) log.tap(event(`event ${index}`));
    const entries = log.entries();
    const last = entries.at(-1);
    assert.equal(last?.kind === 'sse-event' && last.body.text, 'event 4999');
    assert.deepEqual(
      entries
        .slice(0, 3)
        .map(({ kind }) => kind)
        .toSorted(),
      ['connection-open', 'http-request', 'http-response'],
    );
    assert.ok(entries.length < 60);
    assert.ok(log.dropped > 4900);
  });

  it('what was dropped has taught its secrets all the same', () => {
    const log = new WireLog({ maxRows: 20 });
    for (const fact of openStream(1)) log.tap(fact);
    for (let index = 0; index < 500; index += 1) log.tap(event('filler'));
    log.tap(event(`your session is ${SESSION}`));
    assert.doesNotMatch(JSON.stringify(log.entries()), /Kq2Lm9/);
  });

  it('numbers go up, and an entry is found by its own', () => {
    const log = new WireLog({ maxRows: 30 });
    for (let index = 0; index < 1000; index += 1) log.tap(event(`event ${index}`));
    const entries = log.entries();
    for (const [index, entry] of entries.entries()) {
      assert.ok(index === 0 || entry.seq > (entries[index - 1]?.seq ?? 0));
      assert.equal(log.entry(entry.seq), entry);
    }
    assert.equal(log.entry(1), undefined);
  });

  it('large results with images keep its memory level', () => {
    const log = new WireLog({ maxBytes: 1_000_000 });
    const image = 'iVBORw0KGgo'.padEnd(300_000, 'A');
    for (let index = 0; index < 60; index += 1) {
      log.tap(event(JSON.stringify({ index, data: image, text: `result ${index} `.repeat(8000) })));
      if (index % 10 === 0) log.flush();
    }
    log.flush();
    assert.ok(log.bytes <= 1_000_000, `${log.bytes} bytes`);
    assert.doesNotMatch(JSON.stringify(log.entries()), /A{3000}/);
  });

  it('somebody who listens is told every fact', async () => {
    const log = new WireLog({ maxRows: 50 });
    let heard = 0;
    log.onDidAppend(({ appended }) => (heard += appended.length));
    for (let index = 0; index < 1000; index += 1) log.tap(event(`event ${index}`));
    log.flush();
    assert.equal(heard, 1000);
  });

  it('with nobody listening facts are kept when nothing more comes', async () => {
    const log = new WireLog();
    log.tap(event('one'));
    const { bytes } = log;
    for (const end = Date.now() + 5000; log.bytes === bytes && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(log.bytes > bytes);
    log.dispose();
  });
});
