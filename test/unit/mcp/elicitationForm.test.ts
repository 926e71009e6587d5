import assert from 'node:assert/strict';
import { problemOf, readForm, valueOfText, type FormField } from '../../../src/mcp/elicitationForm.ts';
import { readPage } from '../../../src/mcp/elicitationUrl.ts';

function field(schema: Record<string, unknown>, required: readonly string[] = []): FormField {
  const form = readForm({ message: 'm', requestedSchema: { type: 'object', properties: { it: schema }, required } });
  assert.ok(form.fields[0]);
  return form.fields[0];
}

const problem = (schema: Record<string, unknown>, value: string | number | boolean | string[]): string | undefined =>
  problemOf(field(schema), value)?.kind;

describe('a form that a server wants to have filled in', () => {
  it('has fields with titles, defaults and the mark of those that are needed', () => {
    const it = field({ type: 'string', title: 'Name', description: 'Your name', default: 'Ada' }, ['it']);
    assert.deepEqual(it, {
      name: 'it',
      title: 'Name',
      description: 'Your name',
      isRequired: true,
      type: { kind: 'text' },
      default: 'Ada',
    });
  });

  it('a default that does not fit its field is none', () => {
    assert.equal(field({ type: 'integer', minimum: 5, default: 3 }).default, undefined);
    assert.equal(field({ type: 'string', enum: ['a'], default: 'b' }).default, undefined);
  });

  it('choices are read in all ways to write them', () => {
    const titled = [{ value: 'a', title: 'First' }];
    for (const schema of [
      { type: 'string', oneOf: [{ const: 'a', title: 'First' }] },
      { type: 'string', enum: ['a'], enumNames: ['First'] },
    ]) {
      assert.deepEqual(field(schema).type, { kind: 'choice', choices: titled });
    }
    assert.deepEqual(
      field({ type: 'array', items: { anyOf: titled.map(({ value, title }) => ({ const: value, title })) } }).type,
      {
        kind: 'choices',
        choices: titled,
      },
    );
    assert.deepEqual(field({ enum: ['a'] }).type, { kind: 'choice', choices: [{ value: 'a', title: 'a' }] });
  });

  it('what is not flat is refused as invalid parameters', () => {
    for (const schema of [{ type: 'object' }, { type: 'array', items: { type: 'object' } }, {}, 7]) {
      assert.throws(() => readForm({ requestedSchema: { properties: { it: schema } } }), { code: -32602 });
    }
  });

  it('each kind of value is checked', () => {
    assert.equal(problem({ type: 'string', minLength: 3 }, 'ab'), 'too-short');
    assert.equal(problem({ type: 'string', maxLength: 1 }, '😀'), undefined, 'a character is one character');
    assert.equal(problem({ type: 'string', maxLength: 1 }, 'ab'), 'too-long');
    assert.equal(problem({ type: 'integer' }, 1.5), 'not-an-integer');
    assert.equal(problem({ type: 'number', maximum: 1 }, 2), 'too-large');
    assert.equal(problem({ type: 'number', minimum: 1 }, 0), 'too-small');
    assert.equal(problem({ type: 'number' }, 'x'), 'not-a-number');
    assert.equal(problem({ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }, []), 'too-few');
    assert.equal(problem({ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b']), 'too-many');
    assert.equal(problem({ type: 'array', items: { enum: ['a'] } }, ['c']), 'no-choice');
    assert.equal(problem({ type: 'boolean' }, false), undefined);
    assert.equal(problemOf(field({ type: 'string' }, ['it']), undefined)?.kind, 'missing');
  });

  const formats: readonly [string, readonly string[], readonly string[]][] = [
    ['email', ['ada@example.com', 'ada@localhost'], ['ada', 'a b@example.com', '@example.com', 'ada@']],
    ['uri', ['https://example.com', 'urn:isbn:1'], ['example.com', 'http://', '/path']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-9', 'today']],
    [
      'date-time',
      ['2024-02-29T10:00:00Z', '2024-01-01T10:00:00.5+02:00'],
      ['2024-01-01', '2024-01-01T25:00:00Z', '2024-01-01T10:00:00'],
    ],
  ];
  for (const [format, good, bad] of formats) {
    it(`a ${format} is told from what is none`, () => {
      for (const value of good) assert.equal(problem({ type: 'string', format }, value), undefined, value);
      for (const value of bad) assert.equal(problem({ type: 'string', format }, value), 'format', value);
    });
  }

  it('typed text becomes a number where one is wanted', () => {
    const number = field({ type: 'number' });
    assert.equal(valueOfText(number, ' 3.5 '), 3.5);
    assert.equal(valueOfText(number, ''), undefined);
    assert.equal(problemOf(number, valueOfText(number, '0x10'))?.kind, 'not-a-number');
    assert.equal(valueOfText(field({ type: 'string' }), '7'), '7');
  });
});

describe('a page that a server wants to have opened', () => {
  it('is only a web address', () => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x',
      '',
      'example.com',
      'https://me:pw@example.com/',
    ]) {
      assert.throws(() => readPage({ url }), { code: -32602 }, url);
    }
    assert.equal(readPage({ url: 'https://example.com:8443/a?b=c' }).host, 'example.com:8443');
  });

  it('shows the letters that a host imitates another one with', () => {
    assert.equal(readPage({ url: 'https://аррӏе.com/' }).host, 'xn--80ak6aa92e.com');
    assert.equal(readPage({ url: 'https://xn--80ak6aa92e.com/' }).lookalike, 'аррӏе.com');
    assert.equal(readPage({ url: 'https://example.com/' }).lookalike, undefined);
  });

  it('says when it is not protected, but for this machine', () => {
    assert.equal(readPage({ url: 'http://example.com/' }).isUnprotected, true);
    assert.equal(readPage({ url: 'http://localhost:3000/' }).isUnprotected, false);
    assert.equal(readPage({ url: 'http://127.0.0.1:3000/' }).isUnprotected, false);
    assert.equal(readPage({ url: 'http://127.0.0.1.example.com/' }).isUnprotected, true);
  });
});
