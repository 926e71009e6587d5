import assert from 'node:assert/strict';
import { HttpError } from '../../../../src/base/httpExchange.ts';
import { openaiModel } from '../../../../src/model/openai/openaiModel.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { manualSend, type ManualExchange } from '../../../support/manualSend.ts';
import { ask, chatRequest, collect, finishOf, textOf } from '../../../support/modelEvents.ts';
import type { ModelEvent } from '../../../../src/model/chatModel.ts';
import { chunk } from '../../../support/scriptedModel.ts';

const piece = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify(chunk({ content }, finish))}\n\n`;

/** A request under way, with the hands on its exchange and its clock. */
function start(): { exchange: ManualExchange; clock: FakeClock; answer: Promise<ModelEvent[]> } {
  const clock = new FakeClock();
  const { send, exchanges } = manualSend();
  const model = openaiModel({ url: 'http://127.0.0.1:1/v1', id: 'm', name: 'Local', send, clock });
  const answer = ask(model);
  // What it rejects with is looked at by the test; until then it is no unhandled rejection.
  answer.catch(() => undefined);
  const [exchange] = exchanges;
  assert.ok(exchange);
  return { exchange, clock, answer };
}

describe('a silent endpoint', () => {
  it('is given up when nothing comes for two minutes', async () => {
    const { exchange, clock, answer } = start();
    clock.pass(119_999);
    assert.equal(exchange.isAborted, false);
    clock.pass(1);
    await assert.rejects(answer, {
      code: 'timeout',
      message: /^Local \(.*\) did not begin to answer within 120 s\. A local model may still be loading/,
    });
    assert.equal(exchange.isAborted, true);
  });

  it('lives as long as it sends anything: a head, comments, empty data', async () => {
    const { exchange, clock, answer } = start();
    clock.pass(100_000);
    exchange.respond();
    for (const sign of [': ping\n\n', ': OPENROUTER PROCESSING\n\n', 'data:\n\n', 'data: : processing\n\n', '\n']) {
      clock.pass(100_000);
      exchange.write(sign);
    }
    clock.pass(100_000);
    exchange.write(piece('Hi')).write('data: [DONE]\n\n');
    assert.equal(textOf(await answer), 'Hi');
  });

  it('is given a minute from piece to piece, comments counting', async () => {
    const { exchange, clock, answer } = start();
    exchange.respond().write(piece('Hi'));
    clock.pass(59_000);
    exchange.write(': ping\n\n');
    clock.pass(59_999);
    assert.equal(exchange.isAborted, false);
    clock.pass(1);
    await assert.rejects(answer, { code: 'timeout', message: /stopped in the middle of its answer: nothing for 60 s/ });
  });

  it('is not waited for long after its answer was complete', async () => {
    const { exchange, clock, answer } = start();
    exchange.respond().write(piece('Hi')).write(piece('', 'stop'));
    clock.pass(5000);
    const events = await answer;
    assert.equal(textOf(events), 'Hi');
    assert.equal(finishOf(events), 'stop');
  });

  it('is waited for as usual where it writes a finish into every chunk', async () => {
    const { exchange, clock, answer } = start();
    exchange.respond().write(piece('H', 'stop')).write(piece('i', 'stop'));
    clock.pass(59_000);
    exchange.write(piece('!', 'stop')).write('data: [DONE]\n\n');
    assert.equal(textOf(await answer), 'Hi!');
  });

  it('loses its connection some seconds after the end mark, and leaves no timer', async () => {
    const { exchange, clock, answer } = start();
    exchange.respond().write(piece('Hi')).write('data: [DONE]\n\n');
    await answer;
    assert.equal(exchange.isAborted, false);
    clock.pass(2000);
    assert.equal(exchange.isAborted, true);
    assert.equal(clock.waiting, 0);
  });

  it('leaves no timer when the connection breaks', async () => {
    const { exchange, clock, answer } = start();
    exchange.respond().write(piece('Hi'));
    exchange.fail(new HttpError('broken', 'the other side hung up', { sent: true }));
    await assert.rejects(answer, {
      code: 'stream',
      message: 'The answer broke off at Local (http://127.0.0.1:1/v1): the other side hung up. Try again.',
    });
    assert.equal(clock.waiting, 0);
  });

  it('has limits of its own where they are given', async () => {
    const clock = new FakeClock();
    const { send, exchanges } = manualSend();
    const model = openaiModel({ url: 'http://127.0.0.1:1/v1', id: 'm', send, clock, limits: { firstPieceMs: 1000 } });
    const answer = collect(model.stream(chatRequest()));
    answer.catch(() => undefined);
    clock.pass(1000);
    await assert.rejects(answer, { code: 'timeout' });
    assert.equal(exchanges[0]?.isAborted, true);
  });
});
