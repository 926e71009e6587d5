import assert from 'node:assert/strict';
import { offeredNames, type ToolToName } from '../../../src/tools/toolName.ts';

const pattern = /^[a-zA-Z0-9_-]{1,64}$/;

function tools(prefix: string, ...names: string[]): ToolToName[] {
  return names.map((tool) => ({ identity: `usrlocal/${prefix}`, prefix, tool }));
}

/** Own name → offered name. */
function named(list: readonly ToolToName[], reserved?: ReadonlySet<string>): Record<string, string> {
  const names = offeredNames(list, reserved);
  assert.equal(new Set(names.values()).size, list.length, 'names are unique');
  for (const name of names.values()) assert.match(name, pattern);
  return Object.fromEntries([...names].map(([{ tool }, name]) => [tool, name]));
}

describe('offered names of tools', () => {
  it('are the own name behind the prefix', () => {
    assert.deepEqual(named(tools('bb7', 'getUsers', 'add-user')), {
      getUsers: 'bb7_getUsers',
      'add-user': 'bb7_add-user',
    });
  });

  it('hold no character that a model endpoint refuses', () => {
    const names = named(tools('bb7', 'admin.tools.list', 'user/update', 'get users', 'a:b', 'naïve', '🌍x'));
    assert.equal(names['admin.tools.list'], 'bb7_admin_tools_list');
    assert.equal(names['get users'], 'bb7_get_users');
    assert.equal(names['🌍x'], 'bb7__x');
  });

  it('are at most 64 long, and tell apart what is equal for long', () => {
    const lengths = [60, 61, 64, 65, 120].map((length) => 'x'.repeat(length));
    const twins = [`${'y'.repeat(70)}one`, `${'y'.repeat(70)}two`];
    const names = named(tools('bb7', ...lengths, ...twins));
    assert.equal(names['x'.repeat(60)], `bb7_${'x'.repeat(60)}`);
    assert.equal(names['x'.repeat(61)]?.length, 64);
  });

  it('stay distinct when cleaning makes them equal; the one that needed none stays as it is', () => {
    const names = named(tools('bb7', 'catalog.query', 'catalog_query', 'catalog/query'));
    assert.equal(names['catalog_query'], 'bb7_catalog_query');
    assert.match(names['catalog.query'] ?? '', /^bb7_catalog_query_[0-9a-f]{6}$/);
    assert.match(names['catalog/query'] ?? '', /^bb7_catalog_query_[0-9a-f]{6}$/);
  });

  it('do not depend on the order in which tools arrive', () => {
    const long = 'z'.repeat(60);
    const list = tools('bb7', 'a.b', 'a_b', 'a/b', `${long}1234`, `${long}1235`, '数据', '用户');
    assert.deepEqual(named(list.toReversed()), named(list));
    assert.deepEqual(named([...list.slice(3), ...list.slice(0, 3)]), named(list));
  });

  it('do not give a hashed name to two, even where a tool is called like one', () => {
    const hashed = named(tools('bb7', 'a.b', 'a/b'))['a.b'] ?? '';
    const names = named(tools('bb7', 'a.b', 'a/b', hashed.slice('bb7_'.length)));
    assert.equal(names[hashed.slice('bb7_'.length)], hashed);
  });

  it('keep a name that begins with the prefix apart from the one without', () => {
    assert.deepEqual(named(tools('bb7', 'getUsers', 'bb7_getUsers')), {
      getUsers: 'bb7_getUsers',
      bb7_getUsers: 'bb7_bb7_getUsers',
    });
  });

  it('are readable where nothing of the own name is left', () => {
    const names = named(tools('bb7', '获取用户', '添加用户', '!!'));
    assert.match(names['获取用户'] ?? '', /^bb7_tool_[0-9a-f]{6}$/);
  });

  it('differ for two servers whose prefixes and names run together', () => {
    const names = offeredNames([...tools('a', 'b_c'), ...tools('a_b', 'c')]);
    assert.equal(new Set(names.values()).size, 2);
  });

  it('leave the names of the agent alone', () => {
    assert.match(named(tools('read', 'result'), new Set(['read_result']))['result'] ?? '', /^read_result_[0-9a-f]{6}$/);
  });

  it('are found for ten thousand tools that all collide', () => {
    const marks = '/.:;,!?@#$';
    const many = Array.from({ length: 10_000 }, (_, index) =>
      String(index).replaceAll(/\d/g, (digit) => marks[Number(digit)] ?? ''),
    );
    assert.equal(Object.keys(named(tools('bb7', ...many.map((name) => `tool${name}`)))).length, 10_000);
  });
});
