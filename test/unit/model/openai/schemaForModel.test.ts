import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isRecord, type JsonObject } from '../../../../src/base/json.ts';
import { schemaForModel } from '../../../../src/model/openai/schemaForModel.ts';
import { strictFault } from '../../../support/strictSchema.ts';

function convert(schema: JsonObject, plain = false): JsonObject {
  const before = JSON.stringify(schema);
  const result = schemaForModel(deepFreeze(schema), { plain });
  assert.equal(JSON.stringify(schema), before);
  if (!result.ok) assert.fail(result.reason);
  const converted: unknown = JSON.parse(result.text);
  assert.ok(isRecord(converted));
  return converted;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Each with arguments that its server accepts. */
const kinds: Record<string, { schema: JsonObject; accepted: readonly JsonObject[] }> = {
  'an object without properties': { schema: { type: 'object' }, accepted: [{}, { a: 1 }] },
  'an empty schema': { schema: {}, accepted: [{}, { a: 1 }] },
  'nested objects without properties': {
    schema: { type: 'object', properties: { a: { type: 'object' }, b: { type: 'array', items: { type: 'object' } } } },
    accepted: [{ a: { x: 1 }, b: [{}] }],
  },
  'properties that are no object': { schema: { type: 'object', properties: null, required: null }, accepted: [{}] },
  'arrays without items, at any depth': {
    schema: {
      type: 'object',
      properties: {
        a: { type: 'array' },
        b: { type: 'array', items: { type: 'array' } },
        c: { anyOf: [{ type: 'array' }, { type: 'string' }] },
        d: { type: 'object', properties: { e: { type: 'object', properties: { f: { type: 'array' } } } } },
        g: { type: 'object', additionalProperties: { type: 'array' } },
      },
    },
    accepted: [{ a: [1, 'x'], b: [[1], []], c: [1], d: { e: { f: [true] } }, g: { h: [1] } }],
  },
  'tuples of an older draft': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'array' }], additionalItems: false },
        open: { type: 'array', items: [{ type: 'number' }] },
      },
    },
    accepted: [{ pair: ['a', [1]], open: [1, 'rest'] }],
  },
  'tuples of the newest draft': {
    schema: { type: 'object', properties: { pair: { prefixItems: [{ type: 'string' }, true], items: false } } },
    accepted: [{ pair: ['a', 3] }],
  },
  'boolean schemas': {
    schema: {
      type: 'object',
      properties: {
        x: true,
        y: false,
        list: { type: 'array', items: true },
        none: { type: 'array', items: false },
        any: { anyOf: [true, false] },
      },
      required: ['x'],
      additionalProperties: false,
    },
    accepted: [{ x: { deep: 1 }, list: [1, 'a'], none: [], any: 3 }],
  },
  'anyOf at the top': {
    schema: {
      anyOf: [
        { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } }, required: ['name'] },
      ],
    },
    accepted: [{ id: 'x' }, { name: 'x', age: 3 }],
  },
  'oneOf at the top, told apart by a fixed value': {
    schema: {
      type: 'object',
      properties: { dry: { type: 'boolean' } },
      oneOf: [
        { properties: { kind: { const: 'a' }, value: { type: 'string' } }, required: ['kind'] },
        { properties: { kind: { const: 'b' }, value: { type: 'number' } }, required: ['kind', 'value'] },
      ],
    },
    accepted: [
      { kind: 'a', value: 'x', dry: true },
      { kind: 'b', value: 1 },
    ],
  },
  'anyOf of required lists at the top': {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    accepted: [{ a: 'x' }, { b: 'x' }],
  },
  'anyOf within anyOf at the top, with null': {
    schema: {
      anyOf: [
        { type: 'null' },
        {
          oneOf: [
            { type: 'object', properties: { a: { type: 'array' } } },
            { type: 'object', properties: { b: {} } },
          ],
        },
      ],
    },
    accepted: [{ a: [] }, { b: 1 }],
  },
  'allOf at the top': {
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' }, both: { minimum: 1 } }, required: ['a'] },
        { properties: { b: { type: 'array' }, both: { type: 'integer', minimum: 3 } }, required: ['b'] },
      ],
    },
    accepted: [{ a: 'x', b: [], both: 3 }],
  },
  'if, then and else at the top': {
    schema: {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: { properties: { kind: { const: 'a' } } },
      then: { properties: { a: { type: 'array' } } },
      else: { properties: { b: { type: 'number' } } },
      not: { required: ['never'] },
    },
    accepted: [
      { kind: 'a', a: [] },
      { kind: 'b', b: 1 },
    ],
  },
  references: {
    schema: {
      type: 'object',
      properties: {
        user: { $ref: '#/$defs/user', description: 'who' },
        same: { $ref: '#/properties/user' },
        old: { $ref: '#/definitions/a~1b%20c' },
        anchored: { $ref: '#tag' },
        byId: { $ref: 'https://example.com/named' },
      },
      $defs: {
        user: {
          type: 'object',
          properties: { tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
          required: ['tags'],
        },
        tag: { $anchor: 'tag', type: 'string', minLength: 1 },
        named: { $id: 'https://example.com/named', type: 'integer' },
      },
      definitions: { 'a/b c': { type: ['array', 'null'] } },
    },
    accepted: [{ user: { tags: ['x'] }, same: { tags: [] }, old: null, anchored: 'a', byId: 3 }],
  },
  'a reference at the top': {
    schema: {
      $ref: '#/$defs/Input',
      $defs: { Input: { type: 'object', properties: { a: { type: 'array' } }, required: ['a'] } },
    },
    accepted: [{ a: [1] }],
  },
  'schemas that refer to themselves': {
    schema: {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' }, again: { $ref: '#' } },
      $defs: {
        node: {
          type: 'object',
          properties: { value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          required: ['value'],
        },
      },
    },
    accepted: [
      { tree: { value: 'a', children: [{ value: 'b', children: [{ value: 'c' }] }] }, again: { tree: { value: 'd' } } },
    ],
  },
  'references in a ring': {
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/b' } },
      $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } },
    },
    accepted: [],
  },
  'type lists': {
    schema: {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], enum: ['a', null], description: 'letters' },
        b: { type: ['array', 'null'], items: { type: ['integer', 'string'] } },
        c: { type: ['array', 'null'] },
        d: { type: ['object', 'string'] },
      },
    },
    accepted: [
      { a: null, b: [1, 'x'], c: null, d: 'x' },
      { a: 'a', b: null, c: [1], d: {} },
    ],
  },
  'type list at the top': { schema: { type: ['object', 'null'] }, accepted: [{}] },
  'things of the oldest drafts': {
    schema: {
      id: 'urn:x',
      type: 'object',
      properties: {
        a: { type: 'string', required: true },
        b: { type: 'number', minimum: 0, exclusiveMinimum: true, divisibleBy: 2 },
        c: { type: 'any' },
        id: { type: 'string' },
      },
      dependencies: { a: ['b'], c: { properties: { d: { type: 'array' } } } },
    },
    accepted: [{ a: 'x', b: 2, c: [], id: 'q' }],
  },
  'type names of other languages': {
    schema: {
      type: 'OBJECT',
      properties: { a: { type: 'int' }, b: { type: 'dict' }, c: { type: 'file' }, d: { type: 'STRING' } },
    },
    accepted: [{ a: 1, b: {}, c: 'x', d: 'y' }],
  },
  'required names that are no properties': {
    schema: { type: 'object', properties: { a: {} }, required: ['a', 'b', 'a', 3], additionalProperties: true },
    accepted: [{ a: 1, b: 2 }],
  },
  'values that keywords do not allow': {
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', minLength: '3', maxLength: -1, pattern: '(?i)x', format: 3, title: 5, examples: 'x' },
        b: { type: 'number', minimum: '1', multipleOf: 0, nullable: 'yes' },
        c: { type: 'array', items: [], uniqueItems: 'yes', minItems: 1.5 },
        d: { anyOf: [], oneOf: [], allOf: [], prefixItems: [] },
      },
    },
    accepted: [{ a: 'x', b: 1, c: [1, 1], d: 1 }],
  },
  'references whose neighbours ask for more, or for the impossible': {
    schema: {
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/any', required: ['x'] },
        b: { $ref: '#/$defs/any', type: 'string' },
        c: { $ref: '#/$defs/list', items: { type: 'string' } },
      },
      $defs: { any: { type: 'object' }, list: { type: 'array' } },
      required: ['q'],
    },
    accepted: [{ a: { x: 1 }, c: ['x'], q: 1 }],
  },
  'required names at a top without a type': { schema: { required: ['a'] }, accepted: [{ a: 1 }] },
  'broken pieces': {
    schema: {
      type: 'object',
      properties: {
        a: null,
        b: 'string',
        c: { type: 'string', enum: [] },
        d: { anyOf: 'x', description: 3, title: [] },
      },
    },
    accepted: [{ a: 1, b: 2, c: 'x', d: 1 }],
  },
};

describe('schemaForModel', () => {
  for (const [kind, { schema, accepted }] of Object.entries(kinds)) {
    for (const plain of [false, true]) {
      it(`makes ${kind} acceptable to strict endpoints${plain ? ', in the plain form' : ''}`, () => {
        const converted = convert(schema, plain);
        assert.equal(strictFault(converted), undefined, JSON.stringify(converted));
        const validate = ajv.compile(converted);
        // The plain form gives up null, which leaving the argument out replaces.
        const lists = plain ? accepted.filter((args) => !JSON.stringify(args).includes('null')) : accepted;
        for (const args of lists) assert.ok(validate(args), `${JSON.stringify(args)} by ${JSON.stringify(converted)}`);
      });
    }
  }

  it('leaves a schema that is acceptable as it is', () => {
    const schema = {
      type: 'object',
      properties: {
        arg0: {
          type: 'object',
          properties: { email: { type: 'string', format: 'email' }, name: { type: 'string', default: 'x' } },
          required: ['email', 'name'],
          description: 'user to add',
        },
        state: { type: ['string', 'null'], enum: ['a', null], description: 'letters' },
        list: { type: ['array', 'null'], items: { type: ['integer', 'string'] } },
        choice: { oneOf: [{ const: 1 }, { type: 'string', pattern: '^a' }] },
      },
      required: ['arg0'],
      additionalProperties: false,
      'x-order': 3,
    };
    assert.deepEqual(convert(schema), schema);
  });

  it('adds nothing but properties to an object without them', () => {
    assert.deepEqual(convert({ type: 'object' }), { type: 'object', properties: {} });
  });

  it('adds nothing but items to an array without them', () => {
    assert.deepEqual(convert({ type: 'object', properties: { a: { type: 'array' } } }), {
      type: 'object',
      properties: { a: { type: 'array', items: {} } },
    });
  });

  it('says which arguments belong together when it unites branches', () => {
    const converted = convert({
      anyOf: [
        { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        { type: 'object', properties: { first: {}, last: {} }, required: ['first', 'last'] },
      ],
    });
    assert.equal(converted['description'], 'Give one of these groups of arguments: (id) or (first, last).');
  });

  it('makes one list of the fixed values by which branches are told apart', () => {
    const converted = convert({
      oneOf: [
        { type: 'object', properties: { kind: { type: 'string', const: 'a' } }, required: ['kind'] },
        { type: 'object', properties: { kind: { type: 'string', enum: ['b', 'c'] } }, required: ['kind'] },
      ],
    });
    assert.deepEqual(converted['properties'], { kind: { type: 'string', enum: ['a', 'b', 'c'] } });
    assert.deepEqual(converted['required'], ['kind']);
  });

  it('keeps the keywords beside a reference', () => {
    const converted = convert({
      type: 'object',
      properties: { age: { $ref: '#/$defs/age', description: 'in years', maximum: 100 } },
      $defs: { age: { type: 'integer', description: 'a number', maximum: 150, minimum: 0 } },
    });
    assert.deepEqual(converted['properties'], {
      age: { type: 'integer', description: 'in years', maximum: 100, minimum: 0 },
    });
  });

  it('takes a property that is called $ref or type for a property', () => {
    const schema = {
      type: 'object',
      properties: { $ref: { type: 'string' }, type: { type: 'string' }, $defs: { type: 'string' }, enum: {} },
    };
    assert.deepEqual(convert(schema), schema);
  });

  it('fetches nothing for a reference to elsewhere', () => {
    const converted = convert({
      type: 'object',
      properties: { a: { $ref: 'https://192.0.2.1/schema.json#/x', description: 'kept' } },
    });
    assert.deepEqual(converted['properties'], { a: { description: 'kept' } });
  });

  for (const [what, schema] of Object.entries({
    'a text': { type: 'string' },
    'a list': { type: ['array', 'null'] },
    'nothing but null': { anyOf: [{ type: 'null' }, { type: 'string' }] },
  })) {
    it(`does not offer a tool that asks for ${what}`, () => {
      const result = schemaForModel(schema, { plain: false });
      assert.equal(result.ok, false);
      assert.match(result.ok ? '' : result.reason, /instead of an object|allows no object/);
    });
  }

  it('cuts what is nested too deep', () => {
    let schema: JsonObject = { type: 'string' };
    for (let depth = 0; depth < 3000; depth++) schema = { type: 'object', properties: { a: schema } };
    const result = schemaForModel(schema, { plain: false });
    if (!result.ok) assert.fail(result.reason);
    assert.ok(result.text.length < 2000);
    assert.equal(strictFault(JSON.parse(result.text)), undefined);
  });

  it('shortens what is too long, descriptions first', () => {
    const properties: JsonObject = {};
    for (let at = 0; at < 100; at++) properties[`p${at}`] = { type: 'string', description: 'x'.repeat(5000) };
    const result = schemaForModel({ type: 'object', properties }, { plain: false });
    if (!result.ok) assert.fail(result.reason);
    assert.ok(result.text.length <= 65_536);
    const converted: unknown = JSON.parse(result.text);
    assert.ok(isRecord(converted) && isRecord(converted['properties']));
    assert.equal(Object.keys(converted['properties']).length, 100);
  });

  it('does not offer a tool whose schema stays too large', () => {
    const properties: JsonObject = {};
    for (let at = 0; at < 5000; at++) properties[`property${at}`] = { type: 'string' };
    assert.deepEqual(schemaForModel({ type: 'object', properties }, { plain: false }), {
      ok: false,
      reason: 'its input schema is too large',
    });
  });

  it('survives references that multiply without end', () => {
    const $defs: JsonObject = { l0: { type: 'string' } };
    for (let level = 1; level < 30; level++) {
      const below = { $ref: `#/$defs/l${level - 1}` };
      $defs[`l${level}`] = { type: 'object', properties: { a: below, b: below, c: below } };
    }
    const converted = convert({ type: 'object', properties: { bomb: { $ref: '#/$defs/l29' } }, $defs });
    assert.equal(strictFault(converted), undefined);
  });

  it('survives a schema that holds itself', () => {
    const schema: JsonObject = { type: 'object', properties: {} };
    schema['properties'] = { self: schema, value: { type: 'array' } };
    schema['default'] = schema;
    const result = schemaForModel(schema, { plain: false });
    if (!result.ok) assert.fail(result.reason);
    assert.equal(strictFault(JSON.parse(result.text)), undefined);
  });

  it('knows nothing but the common keywords in the plain form', () => {
    const converted = convert(
      {
        type: 'object',
        properties: {
          when: { type: 'string', format: 'date-time', pattern: 'x', default: 'now', title: 'When' },
          level: { enum: [1, 2, 3], description: 'how loud' },
          state: { type: ['string', 'null'], enum: ['a', null] },
          either: { type: ['string', 'array'], items: { type: 'string' }, minLength: 1 },
          only: { const: 'x' },
          both: { allOf: [{ type: 'string' }, { maxLength: 3 }] },
        },
        additionalProperties: false,
      },
      true,
    );
    assert.deepEqual(converted, {
      type: 'object',
      properties: {
        when: { type: 'string' },
        level: { description: 'how loud One of: 1, 2, 3.' },
        state: { type: 'string', enum: ['a'] },
        either: {
          anyOf: [
            { type: 'string', minLength: 1 },
            { type: 'array', items: { type: 'string' } },
          ],
        },
        only: { type: 'string', enum: ['x'] },
        both: { type: 'string', maxLength: 3 },
      },
    });
  });
});
