import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/mcp/verdicts.ts';
import { connect } from '../../../src/mcp/connect.ts';
import { RememberedVerdicts, type VerdictStorage } from '../../../src/vscode/rememberedVerdicts.ts';
import { startStatelessServer } from '../../support/statelessServer.ts';
import { methodOf, startSseServer } from '../../support/sseServer.ts';

/** A Memento as another start of the editor finds it: what was written goes through JSON. */
function memento(): VerdictStorage & { readonly written: string[]; text: string } {
  const written: string[] = [];
  return {
    written,
    text: '{}',
    get(key) {
      const all: Record<string, unknown> = JSON.parse(this.text);
      return all[key];
    },
    update(key, value) {
      this.text = JSON.stringify({ [key]: value });
      written.push(this.text);
      return Promise.resolve();
    },
  };
}

const found = (at: number): Verdict => ({ transport: 'http', era: 'session', at });
const address = 'https://example.com/s/tok3n-of-mine/mcp';

describe('how servers speak, remembered across restarts', () => {
  it('is known to the next start of the editor', () => {
    const storage = memento();
    new RememberedVerdicts(storage).set(address, found(5));
    assert.deepEqual(new RememberedVerdicts(storage).get(address), found(5));
    assert.equal(new RememberedVerdicts(storage).get('https://example.com/mcp'), undefined);
  });

  it('holds no part of the address', () => {
    const storage = memento();
    new RememberedVerdicts(storage).set(address, found(5));
    assert.doesNotMatch(storage.text, /tok3n|example|mcp"/);
  });

  it('is forgotten when it was wrong', () => {
    const storage = memento();
    const verdicts = new RememberedVerdicts(storage);
    verdicts.set(address, found(5));
    verdicts.set(address, undefined);
    assert.equal(verdicts.get(address), undefined);
    verdicts.set(address, undefined);
    assert.equal(storage.written.length, 2);
  });

  it('is not written again at every connection, but when it is old or another', () => {
    const storage = memento();
    const verdicts = new RememberedVerdicts(storage);
    for (const at of [0, 10, 1000]) verdicts.set(address, found(at));
    assert.equal(storage.written.length, 1);
    verdicts.set(address, found(3600 * 1000));
    verdicts.set(address, { ...found(3600 * 1000), transport: 'sse' });
    assert.equal(storage.written.length, 3);
  });

  it('is bounded: the oldest give way', () => {
    const storage = memento();
    const verdicts = new RememberedVerdicts(storage);
    for (let count = 0; count < 250; count++) verdicts.set(`https://example.com/${count}`, found(count));
    assert.equal(verdicts.get('https://example.com/49'), undefined);
    assert.equal(verdicts.get('https://example.com/50')?.at, 50);
    assert.equal(verdicts.get('https://example.com/249')?.at, 249);
  });

  for (const [what, text] of Object.entries({
    'no object': '{"mcpAgent.verdicts":[1]}',
    'another shape': '{"mcpAgent.verdicts":{"a":1}}',
    nothing: '{}',
  })) {
    it(`counts as empty where the storage holds ${what}`, () => {
      const storage = memento();
      storage.text = text;
      const verdicts = new RememberedVerdicts(storage);
      assert.equal(verdicts.get(address), undefined);
      verdicts.set(address, found(5));
      assert.deepEqual(verdicts.get(address), found(5));
    });
  }

  it('a connection survives a storage that refuses', async () => {
    const storage = memento();
    storage.update = () => Promise.reject(new Error('disk full'));
    new RememberedVerdicts(storage).set(address, found(5));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('lets the first connection after a restart send only what is needed, and asks anew where that fails', async () => {
    const storage = memento();
    const stateless = await startStatelessServer();
    const url = stateless.url;
    await (await connect({ kind: 'auto', name: 'users', url }, { verdicts: new RememberedVerdicts(storage) })).close();
    const before = stateless.requests.length;
    await (await connect({ kind: 'auto', name: 'users', url }, { verdicts: new RememberedVerdicts(storage) })).close();
    assert.deepEqual(stateless.requests.slice(before).map(methodOf), ['server/discover']);
    await stateless.close();

    const sse = await startSseServer();
    const wrong = new RememberedVerdicts(storage);
    wrong.set(sse.url, { transport: 'http', era: 'stateless', at: Date.now() });
    const client = await connect({ kind: 'auto', name: 'users', url: sse.url }, { verdicts: wrong });
    assert.equal(client.transport, 'sse');
    await client.close();
    assert.equal(new RememberedVerdicts(storage).get(sse.url)?.transport, 'sse');
    await sse.close();
  });
});
