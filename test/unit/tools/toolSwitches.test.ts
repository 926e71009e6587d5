import assert from 'node:assert/strict';
import { ToolSwitches, type SwitchStorage } from '../../../src/tools/toolSwitches.ts';

/** Keeps values as JSON, as a Memento does. */
function memory(initial?: unknown): SwitchStorage & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  if (initial !== undefined) texts.set('mcpAgent.toolSwitches', JSON.stringify(initial));
  return {
    texts,
    get: (key) => (texts.has(key) ? JSON.parse(texts.get(key) ?? '') : undefined),
    update: async (key, value) => void texts.set(key, JSON.stringify(value)),
  };
}

const shop = 'usrlocal/shop';
const mail = 'usrlocal/mail';

describe('toolSwitches', () => {
  it('has everything on until something is switched off, also what nobody has seen yet', async () => {
    const switches = new ToolSwitches(memory());
    assert.ok(switches.isAllOn && switches.isOn(shop, 'buy'));
    await switches.setTool(shop, 'buy', false);
    assert.equal(switches.isOn(shop, 'buy'), false);
    assert.ok(switches.isOn(shop, 'sell') && switches.isOn(mail, 'buy'));
    assert.equal(switches.isAllOn, false);
    await switches.setTool(shop, 'buy', true);
    assert.ok(switches.isAllOn);
  });

  it('tells of each change once, when it is in force and before it is stored', async () => {
    const storage = memory();
    const switches = new ToolSwitches(storage);
    const heard: unknown[] = [];
    switches.onDidChange(() => heard.push([switches.isOn(shop, 'buy'), storage.texts.size]));
    const stored = switches.setTool(shop, 'buy', false);
    assert.deepEqual(heard, [[false, 0]]);
    await stored;
    assert.equal(storage.texts.size, 1);
  });

  it('remembers over a restart', async () => {
    const storage = memory();
    const before = new ToolSwitches(storage);
    await before.setTool(shop, 'buy', false);
    await before.setServer(mail, false);
    await before.saveSet('quiet', [shop, mail]);
    const after = new ToolSwitches(storage);
    assert.equal(after.isOn(shop, 'buy'), false);
    assert.equal(after.isServerOn(mail), false);
    assert.deepEqual(after.sets, ['quiet']);
    assert.equal(after.currentSet, 'quiet');
  });

  it('gives a server that is switched on again the tools that it had on before', async () => {
    const switches = new ToolSwitches(memory());
    await switches.setTool(shop, 'buy', false);
    await switches.setServer(shop, false);
    assert.equal(switches.isOn(shop, 'sell'), false);
    await switches.setServer(shop, true);
    assert.deepEqual([switches.isOn(shop, 'sell'), switches.isOn(shop, 'buy')], [true, false]);
    await switches.setServer(shop, true);
    assert.ok(switches.isOn(shop, 'buy'), 'a server that is on gets all its tools on');
  });

  it('switches on one tool alone of a server that is off', async () => {
    const switches = new ToolSwitches(memory());
    await switches.setServer(shop, false);
    await switches.setTool(shop, 'sell', true, ['buy', 'sell', 'count']);
    const on = ['buy', 'sell', 'count'].filter((tool) => switches.isOn(shop, tool));
    assert.deepEqual(on, ['sell']);
    assert.ok(switches.isServerOn(shop));
  });

  it('takes over a whole choice with one change, and keeps what it says nothing of', async () => {
    const switches = new ToolSwitches(memory());
    await switches.setTool(shop, 'hidden', false);
    await switches.setServer('usrlocal/other', false);
    let changes = 0;
    switches.onDidChange(() => changes++);
    await switches.choose([
      { identity: shop, listed: ['buy', 'sell'], on: new Set(['sell']) },
      { identity: mail, listed: ['send'], on: new Set() },
      { identity: 'usrlocal/other', listed: [], on: new Set() },
    ]);
    assert.equal(changes, 1);
    assert.deepEqual(
      ['buy', 'sell', 'hidden', 'new'].filter((tool) => switches.isOn(shop, tool)),
      ['sell', 'new'],
    );
    assert.equal(switches.isOn(mail, 'new'), false, 'nothing of it was wanted');
    assert.equal(switches.isServerOn('usrlocal/other'), false);
  });

  it('switches between named sets, and a server that a set does not know is off in it', async () => {
    const switches = new ToolSwitches(memory());
    await switches.setServer(mail, false);
    await switches.saveSet('shopping', [shop, mail]);
    await switches.switchAllOn();
    await switches.saveSet('all', [shop, mail]);
    assert.deepEqual([switches.sets, switches.currentSet], [['all', 'shopping'], 'all']);
    await switches.useSet('shopping', [shop, mail, 'usrlocal/later']);
    assert.deepEqual(
      [shop, mail, 'usrlocal/later'].map((identity) => switches.isServerOn(identity)),
      [true, false, false],
    );
    assert.equal(switches.currentSet, 'shopping');
    await switches.setTool(shop, 'buy', false);
    assert.equal(switches.currentSet, undefined, 'it is no longer what the set says');
    await switches.useSet('shopping', [shop, mail]);
    assert.ok(switches.isOn(shop, 'buy'), 'a set does not change by what is switched after it');
  });

  it('forgets a set and leaves on what is on', async () => {
    const switches = new ToolSwitches(memory());
    await switches.setServer(mail, false);
    await switches.saveSet('a', [mail]);
    await switches.deleteSet('a');
    await switches.deleteSet('never there');
    assert.deepEqual([switches.sets, switches.currentSet, switches.isServerOn(mail)], [[], undefined, false]);
    await switches.useSet('a', [mail]);
    assert.equal(switches.isServerOn(mail), false);
  });

  it('takes any name for a set, a server or a tool', async () => {
    const storage = memory();
    const switches = new ToolSwitches(storage);
    for (const name of ['__proto__', 'constructor', 'toString', '']) {
      assert.ok(switches.isOn(name, name));
      await switches.useSet(name, []);
      await switches.setTool(name, name, false);
      await switches.saveSet(name, [name]);
    }
    const after = new ToolSwitches(storage);
    for (const name of ['__proto__', 'constructor', 'toString', '']) assert.equal(after.isOn(name, name), false, name);
    assert.equal(after.sets.length, 4);
  });

  for (const stored of [
    null,
    5,
    'x',
    [],
    { off: 5 },
    { off: { servers: [5], tools: { a: 'b' } }, sets: [1], current: 'x' },
  ]) {
    it(`begins anew where ${JSON.stringify(stored)} was stored`, () => {
      const switches = new ToolSwitches(memory(stored));
      assert.ok(switches.isOn('a', 'b'));
      assert.equal(switches.currentSet, undefined);
    });
  }
});
