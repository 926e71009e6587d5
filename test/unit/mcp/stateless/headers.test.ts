import assert from 'node:assert/strict';
import { encodeHeaderValue } from '../../../../src/mcp/stateless/headerValue.ts';
import { MirroredHeaders } from '../../../../src/mcp/stateless/mirroredHeaders.ts';
import { paramHeadersOf, paramHeaderValues } from '../../../../src/mcp/stateless/paramHeaders.ts';

function headersOf(schema: Record<string, unknown>) {
  const read = paramHeadersOf(schema);
  assert.ok('headers' in read, JSON.stringify(read));
  return read.headers;
}

describe('header values', () => {
  for (const [value, header] of [
    ['us-west1', 'us-west1'],
    ['', ''],
    ['two words', 'two words'],
    ['a\tb', 'a\tb'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['\tx', '=?base64?CXg=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['\x7f', '=?base64?fw==?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?open', '=?base64?open'],
    ['=?BASE64?x?=', '=?BASE64?x?='],
  ] as const) {
    it(`${JSON.stringify(value)} is sent as ${JSON.stringify(header)}`, () => {
      assert.equal(encodeHeaderValue(value), header);
    });
  }
});

describe('arguments in headers', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      target: { type: 'object', properties: { host: { type: 'string', 'x-mcp-header': 'Host' } } },
      'x-mcp-header': { type: 'string' },
      query: { type: 'string' },
    },
  };

  it('are those that the schema names, also in nested objects', () => {
    const args = { region: 'eu', count: 42, dry: false, target: { host: 'a' }, query: 'q', 'x-mcp-header': 'no' };
    assert.deepEqual(paramHeaderValues(headersOf(schema), args), {
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Count': '42',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-Host': 'a',
    });
  });

  it('are left out where the value is null, missing, or reached through no object', () => {
    for (const args of [{}, { region: null, target: null }, { target: 'x' }, { target: [] }, undefined]) {
      assert.deepEqual(paramHeaderValues(headersOf(schema), args), {});
    }
  });

  it('come from own members alone, and integers without an exponent', () => {
    const odd = {
      type: 'object',
      properties: { toString: { type: 'string', 'x-mcp-header': 'A' }, n: { type: 'integer', 'x-mcp-header': 'N' } },
    };
    assert.deepEqual(paramHeaderValues(headersOf(odd), { n: 1e21 }), { 'Mcp-Param-N': '1000000000000000000000' });
  });

  const field = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header });
  for (const [name, properties] of Object.entries<Record<string, unknown>>({
    'an empty name': { a: field('') },
    'a name that is no string': { a: field(1) },
    'a blank in the name': { a: field('My Region') },
    'a colon in the name': { a: field('a:b') },
    'a line break in the name': { a: field('a\r\nb') },
    'a name that is not ASCII': { a: field('Größe') },
    'the same name twice': { a: field('X'), b: field('X') },
    'the same name in another case, nested': { a: field('X'), o: { type: 'object', properties: { b: field('x') } } },
    'a number': { a: field('X', 'number') },
    'an object': { a: field('X', 'object') },
    'no type': { a: { 'x-mcp-header': 'X' } },
    'an item of an array': { a: { type: 'array', items: field('X') } },
    'a branch of oneOf': { a: { oneOf: [field('X')] } },
    'a branch inside a branch': { a: { anyOf: [{ properties: { b: field('X') } }] } },
    'properties by pattern': { a: { type: 'object', patternProperties: { '^x': field('X') } } },
  })) {
    it(`make the tool invalid: ${name}`, () => {
      assert.ok('problem' in paramHeadersOf({ type: 'object', properties }));
    });
  }

  it('make the tool invalid behind $defs, conditions and at the root', () => {
    for (const schema of [
      { $defs: { r: field('X') }, properties: { a: { $ref: '#/$defs/r' } } },
      { if: { properties: { a: field('X') } } },
      field('X'),
    ]) {
      assert.ok('problem' in paramHeadersOf(schema), JSON.stringify(schema));
    }
  });

  it('are not looked for in data', () => {
    const data = {
      properties: { a: { default: field('X'), enum: [field('Y')], const: field('Z'), examples: [field('')] } },
    };
    assert.deepEqual(headersOf(data), []);
  });
});

describe('mirrored headers', () => {
  const request = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method, params }) as const;

  it('name method and subject', () => {
    const mirrored = new MirroredHeaders();
    assert.deepEqual(mirrored.of(request('tools/list')), { 'Mcp-Method': 'tools/list' });
    assert.deepEqual(mirrored.of(request('resources/read', { uri: 'file:///ä' })), {
      'Mcp-Method': 'resources/read',
      'Mcp-Name': '=?base64?ZmlsZTovLy/DpA==?=',
    });
    assert.deepEqual(mirrored.of(request('prompts/get', { name: 'p' }))['Mcp-Name'], 'p');
    assert.deepEqual(mirrored.of(request('tasks/get', { taskId: 't' }))['Mcp-Name'], 't');
    assert.deepEqual(mirrored.of(request('resources/subscribe', { uri: 'x' })), {
      'Mcp-Method': 'resources/subscribe',
    });
  });

  it('know the arguments of the tools as they were listed last', () => {
    const mirrored = new MirroredHeaders();
    const tool = (header: string) => ({
      name: 't',
      inputSchema: { properties: { a: { type: 'string', 'x-mcp-header': header } } },
    });
    const call = request('tools/call', { name: 't', arguments: { a: '1' } });
    mirrored.learn(tool('Old'));
    mirrored.learn(tool('New'));
    assert.deepEqual(mirrored.of(call), { 'Mcp-Method': 'tools/call', 'Mcp-Name': 't', 'Mcp-Param-New': '1' });
    assert.match(mirrored.learn(tool('')) ?? '', /no name/);
    assert.deepEqual(mirrored.of(call), { 'Mcp-Method': 'tools/call', 'Mcp-Name': 't' });
  });
});
