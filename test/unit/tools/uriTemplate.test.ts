import assert from 'node:assert/strict';
import { expandTemplate, matchesTemplate, templateVariables } from '../../../src/tools/uriTemplate.ts';

describe('templates of addresses', () => {
  it('name their places', () => {
    assert.deepEqual(templateVariables('db://{table}/{id}{?fields,limit}#{table}'), ['table', 'id', 'fields', 'limit']);
    assert.deepEqual(templateVariables('files://{+path*}{/name:3}'), ['path', 'name']);
  });

  it('are filled in by the operator of each place', () => {
    assert.equal(expandTemplate('db://{table}/{id}', { table: 'a b', id: '1/2' }), 'db://a%20b/1%2F2');
    assert.equal(expandTemplate('file:///{+path}', { path: 'a/b c' }), 'file:///a/b%20c');
    assert.equal(expandTemplate('s://x{?q,limit}', { q: 'a&b' }), 's://x?q=a%26b');
    assert.equal(expandTemplate('s://x{?q}{&more}', { q: '1', more: '2' }), 's://x?q=1&more=2');
    assert.equal(expandTemplate('s://x{/a,b}{#c}', { a: '1', b: '2', c: 'd/e' }), 's://x/1/2#d/e');
    assert.equal(expandTemplate('s://{constructor}', {}), 's://');
  });

  it('know the addresses that are made from them', () => {
    assert.ok(matchesTemplate('demo://text/{id}', 'demo://text/7'));
    assert.ok(matchesTemplate('demo://{kind}/{id}/end', 'demo://a/b/end'));
    assert.ok(!matchesTemplate('demo://text/{id}', 'demo://blob/7'));
    assert.ok(!matchesTemplate('demo://{id}/end', 'demo://7/end/more'));
    assert.ok(!matchesTemplate('demo://fixed', 'demo://fixed/x'));
    assert.ok(matchesTemplate('demo://fixed', 'demo://fixed'));
  });
});
