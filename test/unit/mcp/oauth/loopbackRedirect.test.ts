import assert from 'node:assert/strict';
import { loopbackRedirect } from '../../../../src/mcp/oauth/loopbackRedirect.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const never = new AbortController().signal;

describe('the place that the browser comes back to', () => {
  it('takes the answer with the right state alone, and says that it is done', async () => {
    const place = await loopbackRedirect()(undefined);
    const answer = place.answer('right', never);
    for (const wrong of ['', '?state=wrong&code=evil', '?code=evil', '?state=wrong&error=denied']) {
      assert.equal((await fetch(`${place.uri}${wrong}`)).status, 404);
    }
    assert.equal((await fetch(`${place.uri}?state=right&code=evil`, { method: 'POST' })).status, 404);
    const page = await fetch(`${place.uri}?state=right&code=good&iss=x`);
    assert.match(await page.text(), /You are signed in/);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await answer).get('code'), 'good');
    assert.equal((await fetch(`${place.uri}?state=right&code=again`)).status, 404);
    place.close();
  });

  it('says so when the sign-in was refused, in the words that it was given, as text', async () => {
    const page = { title: '<b>MCP</b>', done: 'done', failed: 'not "done"' };
    const place = await loopbackRedirect({ page })(undefined);
    const answer = place.answer('s', never);
    const text = await (await fetch(`${place.uri}?state=s&error=access_denied&error_description=<script>`)).text();
    assert.ok(text.includes('not &quot;done&quot;') && text.includes('&lt;b&gt;') && !text.includes('<script>'));
    assert.equal((await answer).get('error'), 'access_denied');
    place.close();
  });

  it('is reached from this machine alone, on the port of before where that is free', async () => {
    const first = await loopbackRedirect()(undefined);
    const port = Number(new URL(first.uri).port);
    const second = await loopbackRedirect()(port);
    assert.equal(new URL(first.uri).hostname, '127.0.0.1');
    assert.notEqual(Number(new URL(second.uri).port), port);
    first.close();
    second.close();
    const third = await loopbackRedirect()(port);
    assert.equal(Number(new URL(third.uri).port), port);
    third.close();
  });

  it('may be known elsewhere under another address', async () => {
    const externalUri = (uri: string): Promise<string> =>
      Promise.resolve(`https://editor.example.com/proxy/${new URL(uri).port}/callback`);
    const place = await loopbackRedirect({ externalUri })(undefined);
    assert.match(place.uri, /^https:\/\/editor\.example\.com\/proxy\/\d+\/callback$/);
    place.close();
  });

  it('waits five minutes and no longer', async () => {
    const clock = new FakeClock();
    const place = await loopbackRedirect({ clock })(undefined);
    const answer = assert.rejects(place.answer('s', never), /nobody signed in within 5 minutes/);
    clock.pass(5 * 60_000);
    await answer;
    place.close();
  });

  it('stops waiting when it is told to', async () => {
    const controller = new AbortController();
    const place = await loopbackRedirect()(undefined);
    const answer = assert.rejects(place.answer('s', controller.signal), /cancelled/);
    controller.abort();
    await answer;
    await assert.rejects(place.answer('s', controller.signal), /cancelled/);
    place.close();
  });
});
