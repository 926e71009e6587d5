import assert from 'node:assert/strict';
import { additionText } from '../../../../src/settings/newServer/addition.ts';
import { makeAddition } from '../../../../src/settings/newServer/makeAddition.ts';

const nothing = { names: new Set<string>(), inputs: new Set<string>() };

describe('what is to be written for new servers', () => {
  it('gives every server a name of its own and leaves no secret in sight', () => {
    const entry = { command: 'x', env: { API_KEY: 'very-secret' } };
    const servers = [
      { name: 'a', entry },
      { name: 'a', entry: { command: 'y' } },
    ];
    const addition = makeAddition({ servers, inputs: [], notes: ['n'] }, { ...nothing, names: new Set(['a']) });
    assert.deepEqual(
      addition.servers.map(({ name }) => name),
      ['a-2', 'a-3'],
    );
    assert.deepEqual([...addition.answers], [['a-2-api-key', 'very-secret']]);
    assert.deepEqual(addition.notes, ['n']);
    const text = additionText(addition);
    assert(!text.includes('very-secret'));
    assert.deepEqual(JSON.parse(text), {
      'mcp.servers': { 'a-2': { command: 'x', env: { API_KEY: '${input:a-2-api-key}' } }, 'a-3': { command: 'y' } },
      'mcp.inputs': [{ id: 'a-2-api-key', type: 'promptString', description: 'API_KEY (a-2)', password: true }],
    });
  });

  it('takes inputs along that are used, under an id that is free', () => {
    const servers = [{ name: 'a', entry: { command: 'x', args: ['--t=${input:key}'], env: { K: '${input:key}' } } }];
    const inputs = [
      { id: 'key', type: 'promptString', password: true },
      { id: 'unused', type: 'promptString' },
    ];
    const addition = makeAddition({ servers, inputs, notes: [] }, { ...nothing, inputs: new Set(['key']) });
    assert.deepEqual(addition.inputs, [{ id: 'key-2', type: 'promptString', password: true }]);
    assert.deepEqual(addition.servers[0]?.entry, {
      command: 'x',
      args: ['--t=${input:key-2}'],
      env: { K: '${input:key-2}' },
    });
  });
});
