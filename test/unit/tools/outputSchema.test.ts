import assert from 'node:assert/strict';
import { doubtAbout, whyUnchecked } from '../../../src/tools/outputSchema.ts';

const weather = {
  type: 'object',
  properties: { temperature: { type: 'number' }, conditions: { type: 'string' } },
  required: ['temperature', 'conditions'],
};

describe('structured results against the tool’s outputSchema', () => {
  it('what fits raises no doubt', () => {
    assert.equal(doubtAbout({ temperature: 33, conditions: 'cloudy' }, weather), undefined);
  });

  it('what does not fit is named with its place', () => {
    const doubt = doubtAbout({ temperature: 'hot', conditions: 'cloudy' }, weather);
    assert.match(doubt ?? '', /outputSchema.*\/temperature.*number/);
    assert.match(doubtAbout({ temperature: 1 }, weather) ?? '', /conditions/);
  });

  it('structured content that is missing is a doubt too', () => {
    assert.match(doubtAbout(undefined, weather) ?? '', /none came/);
  });

  it('a schema without $schema is read as 2020-12, one of draft-07 by its own rules', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] };
    assert.notEqual(doubtAbout(['a', 'b'], tuple), undefined);
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }, { type: 'number' }] };
    assert.notEqual(doubtAbout(['a', 'b'], old), undefined);
  });

  it('references inside of the schema are followed', () => {
    const schema = { $defs: { name: { type: 'string' } }, properties: { name: { $ref: '#/$defs/name' } } };
    assert.equal(doubtAbout({ name: 'x' }, schema), undefined);
    assert.notEqual(doubtAbout({ name: 7 }, schema), undefined);
  });

  for (const [what, schema] of Object.entries({
    'an unknown dialect': { $schema: 'https://example.com/my-dialect', type: 'object' },
    'a dialect that is an inherited name': { $schema: 'constructor', type: 'object' },
    'a dialect that is no text': { $schema: 7, type: 'object' },
  })) {
    it(`${what} is not used, and the log says so once`, () => {
      assert.equal(doubtAbout('anything', schema), undefined);
      assert.match(whyUnchecked(schema) ?? '', /dialect/);
      assert.equal(whyUnchecked(schema), undefined);
    });
  }

  it('a reference to another place fetches nothing and raises no doubt', () => {
    assert.equal(doubtAbout({ a: 1 }, { properties: { a: { $ref: 'http://127.0.0.1:9/schema.json' } } }), undefined);
  });

  it('a schema that is nested without end is not used', () => {
    let schema: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 100; depth++) schema = { properties: { a: schema } };
    assert.equal(doubtAbout(7, schema), undefined);
  });

  it('a pattern that would take minutes is passed over', () => {
    const started = performance.now();
    doubtAbout({ a: `${'a'.repeat(40)}!` }, { properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    assert.ok(performance.now() - started < 1000);
  });
});
