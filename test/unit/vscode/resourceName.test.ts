import assert from 'node:assert/strict';
import { resourceName } from '../../../src/vscode/resourceName.ts';

describe('the file name of a resource', () => {
  it('is the last part of its address, with an ending that fits its type', () => {
    assert.equal(resourceName('file:///home/me/notes.md', undefined), 'notes.md');
    assert.equal(resourceName('users://all', 'application/json; charset=utf-8'), 'all.json');
    assert.equal(resourceName('users://photo.PNG', 'image/png'), 'photo.PNG');
    assert.equal(resourceName('https://host/a/b?x=1#y', 'text/html'), 'b.html');
    assert.equal(resourceName('memo:today', 'text/x-unknown'), 'today.txt');
  });

  it('is a name and no path, whatever the server writes', () => {
    for (const uri of [
      'file:///a/../../etc/passwd',
      'x:..\\..\\win.ini',
      'a://\u202Egpj.exe',
      'x://',
      '',
      '///',
      `x://${'n'.repeat(500)}`,
    ]) {
      const name = resourceName(uri, undefined);
      assert.match(name, /^[\p{L}\p{N}._-]+$/u, uri);
      assert(name.length <= 90, uri);
    }
  });
});
