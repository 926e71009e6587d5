import assert from 'node:assert/strict';
import {
  assignPrefixes,
  cleanPrefix,
  prefixWindows,
  serverIdentity,
  type PrefixWish,
} from '../../../src/servers/serverIdentity.ts';

/** Wishes as for servers of one source; `own` prefixes behind a colon. */
function wishes(source: string, ...names: string[]): PrefixWish[] {
  return names.map((text) => {
    const [name = '', own] = text.split(':');
    return { identity: serverIdentity(source, name), source, own };
  });
}

function first(source: string, count: number): string[] {
  const windows = prefixWindows(source);
  return Array.from({ length: count }, () => String(windows.next().value));
}

describe('prefixes of servers', () => {
  it('are windows over the SHA-1 of the source, from its first letter on', () => {
    // SHA-1("mcp.config.usrlocal") = 59039bb789e1…
    assert.deepEqual(first('usrlocal', 4), ['bb7', 'b78', '789', '89e']);
  });

  it('go on when the hash is used up', () => {
    const many = first('usrlocal', 3000);
    assert.ok(new Set(many).size > 1900);
    assert.ok(many.every((prefix) => /^[0-9a-f]{3}$/.test(prefix)));
  });

  it('give the first server of user settings bb7, the next b78', () => {
    assert.deepEqual(assignPrefixes(wishes('usrlocal', 'one', 'two', 'three')), {
      'usrlocal/one': 'bb7',
      'usrlocal/two': 'b78',
      'usrlocal/three': '789',
    });
  });

  it('stay with a server while others are added, removed and reordered', () => {
    const before = assignPrefixes(wishes('usrlocal', 'one', 'two'));
    const after = assignPrefixes(wishes('usrlocal', 'new', 'two', 'one'), before);
    assert.equal(after['usrlocal/one'], 'bb7');
    assert.equal(after['usrlocal/two'], 'b78');
    assert.equal(after['usrlocal/new'], '789');
    const again = assignPrefixes(wishes('usrlocal', 'newest'), after);
    assert.equal(again['usrlocal/newest'], '89e');
    assert.equal(assignPrefixes(wishes('usrlocal', 'two'), again)['usrlocal/two'], 'b78');
  });

  it('are never given twice, also across sources', () => {
    const sources = ['usrlocal', 'usrremote', 'workspace', 'wf0', 'wf1', 'wf2'];
    const all = sources.flatMap((source) =>
      wishes(source, ...Array.from({ length: 300 }, (_, index) => `server${index}`)),
    );
    const prefixes = Object.values(assignPrefixes(all));
    assert.equal(prefixes.length, 1800);
    assert.equal(new Set(prefixes).size, 1800);
  });

  it('are the own one where the entry has one', () => {
    const record = assignPrefixes(wishes('usrlocal', 'one', 'two:db', 'three'));
    assert.deepEqual(record, { 'usrlocal/one': 'bb7', 'usrlocal/two': 'db', 'usrlocal/three': 'b78' });
  });

  it('leave out a window that somebody has as an own prefix', () => {
    const record = assignPrefixes(wishes('usrlocal', 'one', 'two:bb7'));
    assert.deepEqual(record, { 'usrlocal/one': 'b78', 'usrlocal/two': 'bb7' });
  });

  it('tell two servers apart that ask for the same one, and keep it with who had it', () => {
    const before = assignPrefixes(wishes('usrlocal', 'one:db'));
    const after = assignPrefixes(wishes('usrlocal', 'zero:db', 'one:db'), before);
    assert.equal(after['usrlocal/one'], 'db');
    assert.match(after['usrlocal/zero'] ?? '', /^db_[0-9a-f]{4}$/);
    assert.deepEqual(assignPrefixes(wishes('usrlocal', 'zero:db', 'one:db'), after), after);
  });

  it('become a window again when the own one is taken back', () => {
    const before = assignPrefixes(wishes('usrlocal', 'one:my-db'));
    assert.deepEqual(assignPrefixes(wishes('usrlocal', 'one'), before), { 'usrlocal/one': 'bb7' });
  });

  it('are cleaned to what may stand in a name', () => {
    assert.equal(cleanPrefix('my db!'), 'my_db');
    assert.equal(cleanPrefix('a/b.c'), 'a_b_c');
    assert.equal(cleanPrefix('数据'), undefined);
    assert.equal(cleanPrefix(''), undefined);
    assert.ok((cleanPrefix('x'.repeat(200)) ?? '').length <= 24);
    assert.deepEqual(assignPrefixes(wishes('usrlocal', 'one:数据')), { 'usrlocal/one': 'bb7' });
  });
});
