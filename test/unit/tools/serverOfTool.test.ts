import assert from 'node:assert/strict';
import { serverOfTool } from '../../../src/tools/serverOfTool.ts';
import { fakeTool } from '../../support/fakeTool.ts';

describe('the server of an offered tool', () => {
  it('is that of the list of now, which is read once', () => {
    let read = 0;
    const counted = (name: string, server: string) => ({
      ...fakeTool(name),
      get server(): string {
        read += 1;
        return server;
      },
    });
    let tools = [counted('bb7_getUsers', 'users'), counted('b78_getUsers', 'others')];
    read = 0;
    const serverOf = serverOfTool(() => tools);
    for (let round = 0; round < 3; round += 1) {
      assert.equal(serverOf('bb7_getUsers'), 'users');
      assert.equal(serverOf('b78_getUsers'), 'others');
      assert.equal(serverOf('read_result'), undefined);
    }
    assert.equal(read, 2);
    tools = [counted('b78_getUsers', 'others')];
    assert.equal(serverOf('bb7_getUsers'), undefined);
  });
});
