import assert from 'node:assert/strict';
import { fieldsOf } from '../../../src/model/planner/schemaFields.ts';

describe('fieldsOf', () => {
  it('flattens nested objects and keeps what is required', () => {
    const fields = fieldsOf({
      type: 'object',
      required: ['arg0'],
      properties: {
        arg0: {
          type: 'object',
          required: ['email'],
          properties: { email: { type: 'string' }, age: { type: 'integer' } },
        },
        note: { type: 'string' },
      },
    });
    assert.deepEqual(
      fields.map(({ path, isRequired }) => [path.join('.'), isRequired]),
      [
        ['arg0.email', true],
        ['arg0.age', false],
        ['note', false],
      ],
    );
  });

  it('follows references, alternatives, unions of constants and type lists', () => {
    const [color, size, kind, tags] = fieldsOf({
      type: 'object',
      $defs: { Color: { type: 'string', enum: ['red', 'blue'] } },
      properties: {
        color: { $ref: '#/$defs/Color', description: 'paint' },
        size: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
        kind: { oneOf: [{ const: 'a' }, { const: 'b' }] },
        tags: { type: ['array', 'null'], items: { type: 'string' }, minItems: 1 },
      },
    });
    assert.deepEqual(color?.options, ['red', 'blue']);
    assert.equal(color.description, 'paint');
    assert.deepEqual(size?.types, ['integer']);
    assert.deepEqual(kind?.options, ['a', 'b']);
    assert.equal(tags?.isList, true);
    assert.equal(tags.minItems, 1);
  });

  it('ends on schemas that refer to themselves or are no schemas', () => {
    const node = { type: 'object', properties: { child: { $ref: '#' }, name: { type: 'string' } } };
    assert.ok(fieldsOf(node).length > 0);
    assert.deepEqual(fieldsOf({ $ref: '#/nowhere' }), []);
    assert.deepEqual(fieldsOf({ type: 'object', properties: { x: null, y: true } }), []);
    assert.equal(
      fieldsOf({ type: 'object', properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } }).length,
      2,
    );
  });
});
