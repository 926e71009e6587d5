import assert from 'node:assert/strict';
import { allowsName, matchesPattern } from '../../../src/settings/namePattern.ts';
import { isAutoApproved, isToolAllowed } from '../../../src/settings/parseEntry.ts';
import { parseServers } from '../../../src/settings/parseSettings.ts';
import type { ServerEntry } from '../../../src/settings/serverEntry.ts';

function entryWith(members: object): ServerEntry {
  const [entry] = parseServers({ a: { command: 'x', ...members } }, 'usrlocal').entries;
  assert.ok(entry);
  return entry;
}

describe('name patterns', () => {
  it('let * stand for any characters', () => {
    const cases: [string, string, boolean][] = [
      ['a', 'a', true],
      ['a', 'A', false],
      ['*', '', true],
      ['get*', 'getUsers', true],
      ['get*', 'forget', false],
      ['*Users', 'getUsers', true],
      ['g*U*s', 'getUsers', true],
      ['g*x*s', 'getUsers', false],
      ['a.c', 'abc', false],
      ['a**c', 'abc', true],
      ['', 'a', false],
      ['a*', 'a*b', true],
    ];
    for (const [pattern, name, expected] of cases)
      assert.equal(matchesPattern(pattern, name), expected, `${pattern} ${name}`);
  });

  it('take no time to speak of for a hostile pattern', () => {
    const started = performance.now();
    assert.equal(matchesPattern(`${'*a'.repeat(200)}b`, 'a'.repeat(5000)), false);
    assert.ok(performance.now() - started < 1000);
  });

  it('let deny win over allow', () => {
    assert.equal(allowsName({ allow: ['*'], deny: ['drop*'] }, 'dropTable'), false);
    assert.equal(allowsName({ allow: ['*'], deny: ['drop*'] }, 'read'), true);
    assert.equal(allowsName({ deny: ['drop*'] }, 'read'), true);
    assert.equal(allowsName({ allow: [], deny: [] }, 'read'), false);
  });

  it('choose the tools of an entry, written as a list, as an object or as switches', () => {
    for (const tools of [
      ['get*', '!getSecret'],
      ['get*', '-getSecret'],
      { allow: ['get*'], deny: ['getSecret'] },
      { allow: 'get*', deny: 'getSecret' },
    ]) {
      const entry = entryWith({ tools });
      assert.deepEqual(
        ['getUsers', 'getSecret', 'addUser'].map((name) => isToolAllowed(entry, name)),
        [true, false, false],
      );
    }
    const others = entryWith({ tools: ['!addUser'] });
    assert.deepEqual(
      ['getUsers', 'addUser'].map((name) => isToolAllowed(others, name)),
      [true, false],
    );
    const switches = entryWith({ tools: { addUser: false } });
    assert.deepEqual(
      ['getUsers', 'addUser'].map((name) => isToolAllowed(switches, name)),
      [true, false],
    );
    assert.equal(isToolAllowed(entryWith({}), 'any'), true);
  });

  it('approve nothing that was not named', () => {
    assert.equal(isAutoApproved(entryWith({}), 'read'), false);
    assert.equal(isAutoApproved(entryWith({ autoApprove: false }), 'read'), false);
    assert.equal(isAutoApproved(entryWith({ autoApprove: [] }), 'read'), false);
    assert.equal(isAutoApproved(entryWith({ autoApprove: ['!write'] }), 'read'), false);
    assert.equal(isAutoApproved(entryWith({ autoApprove: true }), 'read'), true);
    assert.equal(isAutoApproved(entryWith({ autoApprove: ['read*', '!readSecret'] }), 'readFile'), true);
    assert.equal(isAutoApproved(entryWith({ autoApprove: ['read*', '!readSecret'] }), 'readSecret'), false);
  });
});
