import assert from 'node:assert/strict';
import { inputLookup, parseInputs } from '../../../src/settings/inputs.ts';

describe('parseInputs', () => {
  it('reads the three kinds', () => {
    const { inputs, problems } = parseInputs([
      { id: 'key', type: 'promptString', description: 'API key', password: true },
      { id: 'env', type: 'pickString', options: ['dev', { label: 'Production', value: 'prod' }], default: 'dev' },
      { id: 'run', type: 'command', command: 'a.b', args: { x: 1 } },
      { id: 'plain' },
    ]);
    assert.deepEqual(problems, []);
    assert.deepEqual(inputs, [
      { kind: 'promptString', id: 'key', description: 'API key', password: true },
      {
        kind: 'pickString',
        id: 'env',
        default: 'dev',
        options: [
          { label: 'dev', value: 'dev' },
          { label: 'Production', value: 'prod' },
        ],
      },
      { kind: 'command', id: 'run', command: 'a.b', args: { x: 1 } },
      { kind: 'promptString', id: 'plain', password: false },
    ]);
  });

  it('names what is wrong and keeps the others', () => {
    const cases: [unknown, RegExp][] = [
      [5, /^mcp\.inputs\[0\]: /],
      [{ type: 'promptString' }, /^mcp\.inputs\[0\]\.id: /],
      [{ id: '' }, /^mcp\.inputs\[0\]\.id: /],
      [{ id: 'a}b' }, /^mcp\.inputs\[0\]\.id: /],
      [{ id: 'a', type: 'number' }, /^mcp\.inputs\[0\]\.type: /],
      [{ id: 'a', type: 'pickString' }, /^mcp\.inputs\[0\]\.options: /],
      [{ id: 'a', type: 'pickString', options: [{}] }, /^mcp\.inputs\[0\]\.options\[0\]: /],
      [{ id: 'a', type: 'command' }, /^mcp\.inputs\[0\]\.command: /],
      [{ id: 'a', password: 'yes' }, /^mcp\.inputs\[0\]\.password: /],
      [{ id: 'a', description: 5 }, /^mcp\.inputs\[0\]\.description: /],
    ];
    for (const [input, expected] of cases) {
      const { inputs, problems } = parseInputs([input, { id: 'good' }]);
      assert.ok(inputs.some(({ id }) => id === 'good'));
      assert.match(
        problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
        expected,
        JSON.stringify(input),
      );
    }
    assert.equal(parseInputs('x').problems[0]?.path, 'mcp.inputs');
    assert.deepEqual(parseInputs(undefined), { inputs: [], problems: [] });
  });

  it('uses the first of two inputs with one id', () => {
    const { inputs, problems } = parseInputs([
      { id: 'a', description: 'first' },
      { id: 'a', description: 'second' },
    ]);
    assert.deepEqual(
      inputs.map(({ description }) => description),
      ['first'],
    );
    assert.deepEqual(
      problems.map(({ path, severity }) => `${severity} ${path}`),
      ['error mcp.inputs[1]'],
    );
  });

  it('understands an object of inputs', () => {
    const { inputs, problems } = parseInputs({ a: { type: 'promptString' } });
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual(
      problems.map(({ severity }) => severity),
      ['hint'],
    );
  });
});

describe('inputLookup', () => {
  const { inputs } = parseInputs([
    { id: 'key', description: 'API key' },
    { id: 'env', type: 'pickString', options: ['dev', 'prod'] },
  ]);

  it('asks for the input of the id', async () => {
    const find = inputLookup(inputs, async ({ id }) => (id === 'env' ? 'prod' : 'k'));
    assert.equal(await find('key'), 'k');
    assert.equal(await find('env'), 'prod');
  });

  it('says which input is missing, unanswered or answered with none of its options', async () => {
    const find = inputLookup(inputs, async ({ id }) => (id === 'env' ? 'other' : undefined));
    await assert.rejects(find('nope'), /no input "nope" in "mcp\.inputs"/);
    await assert.rejects(find('key'), /"key" \(API key\) was not answered/);
    await assert.rejects(find('env'), /"env".*options/);
  });
});
