import assert from 'node:assert/strict';
import { childEnvironment } from '../../../../src/mcp/stdio/childEnvironment.ts';

describe('childEnvironment', () => {
  it("leaves out what is the editor's own, unless the entry asks for it", () => {
    const inherited = {
      HOME: '/h',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '2',
      GONE: undefined,
      FUNCTION: '() { :; }',
    };
    assert.deepEqual(childEnvironment(inherited, {}, 'linux'), { HOME: '/h' });
    assert.deepEqual(childEnvironment(inherited, { ELECTRON_RUN_AS_NODE: '1' }, 'linux'), {
      HOME: '/h',
      ELECTRON_RUN_AS_NODE: '1',
    });
  });

  it('knows no case of names on Windows', () => {
    assert.deepEqual(childEnvironment({ Path: 'a', Temp: 't' }, { PATH: 'b', TEMP: null }, 'win32'), { PATH: 'b' });
    assert.deepEqual(childEnvironment({ Path: 'a' }, { PATH: 'b' }, 'linux'), { Path: 'a', PATH: 'b' });
  });
});
